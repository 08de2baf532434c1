"""Tests of rendering: pictures against golden ones, words for everything, no leaks, harmless names."""
