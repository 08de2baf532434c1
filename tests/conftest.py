"""Options of the test run: how much the randomised tests play. Each prints what it played, to play it again."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=1, help="contract tests: games for every choice of seats and options")
    parser.addoption("--seed", default="contract", help="contract tests: what the seeds of the games begin with")
    parser.addoption("--thorough", action="store_true", help="contract tests: costly checks at every single ply")
    parser.addoption("--positions", type=int, default=1_000, help="positions to score against a naive second scoring")
