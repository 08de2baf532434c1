"""Tests of the rules, named by ruling."""
