"""The source of the program, read."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

UNSEEN = {"import_module", "__import__", "__builtins__", "eval", "exec"}
"""Ways to what no import shows."""


@cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(source)))


SIMULATED = {f"cogs/local/{name}.py" for name in ("play", "preview", "start_page", "world")}
"""The modules whose Discord is a simulated one."""
