"""The faults that a mutation run puts into the program: operators of Cosmic Ray, and four of our own.

A mutant is one fault at one place. Annotations, decorators and docstrings are left alone.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from typing import Any, ClassVar

import cosmic_ray.plugins
import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator

Span = tuple[tuple[int, int], tuple[int, int]]
parse: Callable[[str], Any] = parso.parse


class RemoveStatement(Operator):
    """Replace a statement by `pass`: a call, a `raise`, a bare `return`, a change of an attribute, item or counter."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "simple_stmt" and self._goes(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        first = node.children[0]
        lines = first.end_pos[0] - first.start_pos[0]
        node.children[0] = parse(first.get_first_leaf().prefix + "pass" + " \\\n" * lines)
        return node

    @staticmethod
    def _goes(statement: Any) -> bool:
        if statement.type == "expr_stmt":
            target, sign = statement.children[0], statement.children[1]
            changed = target.type in ("atom_expr", "power") or (sign.type == "operator" and sign.value != "=")
            return sign.type != "annassign" and changed
        return statement.type in ("atom_expr", "await", "power", "raise_stmt", "del_stmt") or (
            statement.type == "keyword" and statement.value in ("return", "raise")
        )

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("f(x)\n", "pass\n"), Example("a.b = c\n", "pass\n"), Example("raise E\n", "pass\n"))


class NegateFilter(Operator):
    """Negate the condition of a comprehension."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "comp_if":
            yield node.children[1].start_pos, node.children[1].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        node.children[1] = parse(f" not ({node.children[1].get_code()})")
        return node

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("[x for x in y if x]", "[x for x in y if not ( x)]"),)


class SwapMembership(Operator):
    """Replace `in` by `not in`, and the other way round."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "comparison":
            for sign in node.children[1::2]:
                if sign.get_code().split() in (["in"], ["not", "in"]):
                    yield sign.start_pos, sign.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        found = [at for at in range(1, len(node.children), 2) if node.children[at].get_code().split()[-1] == "in"]
        at = found[index]
        node.children[at] = parse(" in" if node.children[at].type == "comp_op" else " not in")
        return node

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("x in y", "x not in y"), Example("x not in y", "x in y"))


class ChangeSql(Operator):
    """Change a condition in a string that reads like SQL: swap AND and OR, or = and <>, or NULL and NOT NULL."""

    KNOWN = re.compile(r"\b(SELECT|UPDATE|DELETE|INSERT|WHERE|AND|JOIN)\b")
    SWAPS: ClassVar = {
        " AND ": " OR ",
        " OR ": " AND ",
        " = :": " <> :",
        " = ?": " <> ?",
        " < ": " <= ",
        " <= ": " < ",
        " > ": " >= ",
        " IS NULL": " IS NOT NULL",
        " IS NOT NULL": " IS NULL",
        " IN (": " NOT IN (",
        " DESC": "",
        "NOT EXISTS": "EXISTS",
    }
    PLACES = re.compile("|".join(map(re.escape, SWAPS)))

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type in ("string", "fstring_string") and self.KNOWN.search(node.value):
            for _ in self.PLACES.finditer(node.value):
                yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        place = list(self.PLACES.finditer(node.value))[index]
        node.value = node.value[: place.start()] + self.SWAPS[place[0]] + node.value[place.end() :]
        return node

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("'DELETE FROM a WHERE b = ?'", "'DELETE FROM a WHERE b <> ?'"),)


OURS: tuple[type[Operator], ...] = (RemoveStatement, NegateFilter, SwapMembership, ChangeSql)
THEIRS = (
    *("AddNot", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue"),
    *(f"ReplaceComparisonOperator_{way}" for way in ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"ReplaceComparisonOperator_{way}" for way in ("Is_IsNot", "IsNot_Is")),
    *(f"ReplaceBinaryOperator_{way}" for way in ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_Mul")),
    *(f"ReplaceBinaryOperator_{way}" for way in ("BitOr_BitAnd", "BitAnd_BitOr", "Div_Mul")),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_USub_UAdd", "NumberReplacer", "ExceptionReplacer"),
    *("ZeroIterationForLoop", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
)


@cache
def operators() -> dict[str, Operator]:
    found = {name: cosmic_ray.plugins.get_operator(f"core/{name}")() for name in THEIRS}
    return found | {operator.__name__: operator() for operator in OURS}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault in one file. `name` finds it again as long as the file is the same."""

    path: str
    line: int
    operator: str
    occurrence: int
    function: str
    """The qualified name of the outermost function around it; "" for what runs at the import."""

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}:{self.operator}:{self.occurrence}"

    def applied(self, source: str) -> str:
        """Return the file with the fault in it."""
        mutated = mutate_code(source, operators()[self.operator], self.occurrence)
        assert mutated is not None
        return str(mutated)

    def covered_line(self, source: str) -> int:
        """Return the line of its statement that a recording names: the mutant may be further down."""
        around = [
            node.lineno
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.stmt) and node.lineno <= self.line <= (node.end_lineno or 0)
        ]
        return max(around, default=self.line)  # a decorator stands before its statement


def mutants(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a file, in the order of its lines."""
    tree, nodes = ast.parse(source), list(ast_nodes(get_ast(source)))
    functions, still = dict(_functions(tree)), _still(tree)
    found = []
    for name, operator in operators().items():
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, ((line, column), _) in enumerate(places):
            if not any(begin <= (line, column) < end for begin, end in still):
                found.append(Mutant(path, line, name, occurrence, functions.get(line, "")))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.operator, mutant.occurrence))


def _functions(tree: ast.AST, around: str = "") -> Iterator[tuple[int, str]]:
    """Yield each line in the body of a function or method, with the qualified name of the outermost one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1):
                yield line, around + node.name
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{around}{node.name}.")
        else:
            yield from _functions(node, around)


def _still(tree: ast.AST) -> list[Span]:
    """Return where nothing is changed: annotations, and decorators, most of which say `frozen=True, slots=True`."""
    found = []
    for node in ast.walk(tree):
        parts = [
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            *getattr(node, "decorator_list", ()),
        ]
        for part in filter(None, parts):
            begin, end = (part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0)
            found.append((begin, end))
    return found


def difference(path: str, before: str, after: str) -> str:
    """Return what a fault changes, without the lines around it."""
    lines = unified_diff(before.splitlines(), after.splitlines(), path, path, "", "", 0, "")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def sample(found: list[Mutant], most: int, seed: str) -> list[Mutant]:
    """Return at most `most` random mutants of each file; 0: all."""
    chosen = []
    for path in sorted({mutant.path for mutant in found}):
        here = [mutant for mutant in found if mutant.path == path]
        few = random.Random(f"{seed} {path}").sample(here, min(most, len(here))) if most else here
        chosen += sorted(few, key=here.index)
    return chosen
