"""No SQL is built of values: what an engine is given to execute is made of constants of the program alone. Read from
the source, not by running it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, cached_property

import pytest

from tests.support.source import ROOT, parsed

EXECUTING = {"execute": 0, "executemany": 0, "executescript": 0, "execute_insert": 0, "execute_fetchall": 0}
"""Methods that take SQL, and as which argument."""
PASSING_ON = {"read_lossy": 1, "match_rows.read": 1}
"""Functions of ours that pass an argument on to them."""

NOT_CONSTANT = {
    ("data/store/hash_chain.py", "read_lossy", "sql"): "what its callers pass is looked at there",
    ("data/records/match_rows.py", "read", "where"): "what its callers pass is looked at there",
    ("data/store/moving.py", "copy", "insert"): "of the names of our tables and columns",
    ("data/store/moving.py", "_rows", "sql"): "of the names of our tables and columns",
    ("data/store/postgres_connection.py", "execute", "query"): "what its callers pass is looked at there",
    ("data/store/postgres_connection.py", "executemany", "sql"): "what its callers pass is looked at there",
    ("data/store/postgres_connection.py", "run_script", "statements"): "from the files of the migrations",
    ("data/store/postgres_transaction.py", "read", "begin"): "one of the constants of postgres.py",
    ("data/store/postgres_transaction.py", "upgrade", "begin"): "one of the constants of postgres.py",
    ("data/store/postgres_transaction.py", "write", "statement"): "one of the constants of postgres.py",
    ("data/store/schema.py", "migrate", "statement"): "from the files of the migrations, which come with the program",
    ("data/store/schema.py", "migrate", "version"): "the number of those files; a PRAGMA takes no parameter",
}
"""File, function and name of what is in SQL and no constant, and why it may be."""

CONSTANT_NAME = re.compile("_?[A-Z][A-Z0-9_]*")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """One file, and which expressions in it are made of constants."""

    def __init__(self, text: str, place: str) -> None:
        self.place = place
        self.tree = parsed(text)
        self.used: set[tuple[str, str, str]] = set()
        """What of NOT_CONSTANT was needed."""

    def functions(self) -> Iterator[Function]:
        """The outermost functions and the methods."""
        bodies = [self.tree.body, *(node.body for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))]
        yield from (node for body in bodies for node in body if isinstance(node, Function))

    def given(self) -> Iterator[tuple[Function | None, ast.expr]]:
        """Every expression that is given as SQL, and where; None outside functions."""
        inside = {id(node): function for function in self.functions() for node in ast.walk(function)}
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            at = EXECUTING.get(name, PASSING_ON.get(named(node.func)))
            if at is not None:
                yield inside.get(id(node)), node.args[at]

    def untold(self) -> Iterator[ast.AST]:
        """Every mention of what takes SQL that is no call of it: what it is given later stands elsewhere."""
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        for node in ast.walk(self.tree):
            if id(node) in called:
                continue
            match node:
                case ast.Attribute(attr=name) | ast.Constant(value=name) if name in EXECUTING:
                    yield node
                case ast.Attribute() | ast.Name(ctx=ast.Load()) if named(node) in PASSING_ON:
                    yield node

    @cached_property
    def faults(self) -> list[str]:
        """What is executed and not made of constants, or cannot be told."""
        built = [sql for function, sql in self.given() if not self.constant(sql, function)]
        return [ast.unparse(node) for node in (*built, *self.untold())]

    def constant(self, node: ast.expr, scope: ast.AST | None) -> bool:
        """Whether all text in it stands in the program. `scope`: the function, or for a module's constant its value."""
        match node:
            case ast.Constant():
                return isinstance(node.value, str | bytes)
            case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                return all(self.constant(part, scope) for part in parts)
            case ast.FormattedValue(value=part) | ast.Starred(value=part) | ast.Subscript(value=part):
                return self.constant(part, scope)
            case ast.Dict(keys=keys, values=values):
                return all(self.constant(part, scope) for part in [*keys, *values] if part is not None)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.constant(left, scope) and self.constant(right, scope)
            case ast.BinOp(left=left, op=ast.Mult()):
                return self.constant(left, scope)
            case ast.IfExp(body=left, orelse=right):
                return self.constant(left, scope) and self.constant(right, scope)
            case ast.GeneratorExp(elt=ast.Attribute(attr="name"), generators=[ast.comprehension(iter=of)]) if (
                ast.unparse(of).startswith("fields(")
            ):
                return True  # the fields of a dataclass
            case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
                return self.constant(part, scope)
            case ast.DictComp(key=key, value=part):
                return self.constant(key, scope) and self.constant(part, scope)
            case ast.Call(func=ast.Name(id="tuple"), args=[parts]):
                return self.constant(parts, scope)
            case ast.Call(func=ast.Attribute(value=text, attr="join"), args=[parts]):
                return self.constant(text, scope) and self.constant(parts, scope)
            case ast.Call(func=ast.Attribute(value=table, attr="items" | "values" | "encode"), args=[]):
                return self.constant(table, scope)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                others = [path.relative_to(ROOT).as_posix() for path in (ROOT / "data").rglob(f"{module}.py")]
                return bool(others) and all(source(other).constant_name(name) for other in others)
            case ast.Name(id=name):
                return self.name(name, scope)
        return False

    def name(self, name: str, scope: ast.AST | None) -> bool:
        """Whether that name stands for constants, wherever the function binds it, or else as one of the module's."""
        function = scope.name if isinstance(scope, Function) else ""
        if (self.place, function, name) in NOT_CONSTANT:
            self.used.add((self.place, function, name))
            return True
        bound = [value for bound, value in bindings(scope) if bound == name] if scope is not None else []
        if bound:
            return all(value is not None and self.constant(value, scope) for value in bound)
        return self.constant_name(name)

    def constant_name(self, name: str) -> bool:
        """Whether that is a constant in upper case, made of constants, of this module or of one that it imports."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
                return (node.module or "").startswith("data.") and source(
                    f"{(node.module or '').replace('.', '/')}.py"
                ).constant_name(name)
        values = [value for node in self.tree.body for bound, value in assigned(node) if bound == name]
        return bool(CONSTANT_NAME.fullmatch(name) and values) and all(
            value is not None and self.constant(value, value) for value in values
        )


def named(node: ast.AST) -> str:
    """The source of a name, or of a name's attribute; "" of anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=of), attr=name):
            return f"{of}.{name}"
    return ""


def bindings(scope: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Every name that is bound anywhere in there, with what it is bound to or is a part of; None: it is unknown."""
    for node in ast.walk(scope):
        if isinstance(node, ast.arg):
            yield node.arg, None
        yield from assigned(node)


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    pairs: list[tuple[ast.expr, ast.expr | None]] = []
    match node:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.NamedExpr(target=target):
            pairs = [(target, node.value)]
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            pairs = [(target, value)]
        case ast.withitem(optional_vars=ast.expr() as target):
            pairs = [(target, None)]
    for target, value in pairs:
        yield from ((name.id, value) for name in ast.walk(target) if isinstance(name, ast.Name))


@cache
def source(place: str) -> Source:
    return Source((ROOT / place).read_text(encoding="utf-8"), place)


def files() -> list[str]:
    found = [*(ROOT / "data").rglob("*.py"), *(ROOT / "cogs").rglob("*.py"), ROOT / "bot.py"]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def test_sql_is_made_of_constants_and_stands_in_data() -> None:
    for place in files():
        assert not source(place).faults, place
        assert place.startswith("data/") or not list(source(place).given()), place


def test_every_exception_is_needed() -> None:
    needed = {use for place in files() if not source(place).faults for use in source(place).used}
    assert needed == set(NOT_CONSTANT)


@pytest.mark.parametrize(
    "bad",
    [
        "def f(c, name): c.execute(f'SELECT {name}')",
        "def f(c, name): c.execute('SELECT ' + name)",
        "def f(c, name): c.execute('SELECT %s' % name)",
        "def f(c, name): c.execute('SELECT {}'.format(name))",
        "def f(c, names): c.executemany(f'SELECT {\", \".join(names)}', [])",
        "def f(c, names):\n    for name in names: c.execute(name)",
        "def f(c, sql): c.executescript(sql)",
        "def f(c, name):\n    sql = 'SELECT 1'\n    sql += name\n    c.execute(sql)",
        "def f(c, name):\n    sql = f'SELECT {name}'\n    return lambda c: c.execute(sql)",
        "def f(c):\n    sql, name = read()\n    c.execute(sql)",
        "sql = 'SELECT 1'\ndef f(c): c.execute(sql)",  # no constant's name
        "SQL = read()\ndef f(c): c.execute(SQL)",
        "class A:\n    def f(self, c): c.execute(self.sql)",
        "def f(c, where): return match_rows.read(c, where, ())",
        "def f(c, sql): return read_lossy(c, f'{sql} LIMIT 1', ())",
        "NAMES = ('a', 'b')\ndef f(c, more): c.execute(f'SELECT {\", \".join((*NAMES, *more))}')",
        "def f(c, name):\n    run = c.execute\n    run(f'SELECT {name}')",
        "def f(c, name): return partial(c.execute, f'SELECT {name}')",
        "def f(c, names): return [*map(c.executescript, names)]",
        "def f(c, name): getattr(c, 'execute')(f'SELECT {name}')",
        "def f(c, where): return partial(match_rows.read, c, where)",
        "def f(c, sql, run=read_lossy): return run(c, sql, ())",
    ],
)
def test_sql_of_values_is_found(bad: str) -> None:
    assert len(Source(bad, "data/bad.py").faults) == 1


@pytest.mark.parametrize(
    "good",
    [
        "def f(c, name): c.execute('SELECT ?', (name,))",
        "def f(c):\n    sql = 'SELECT 1'\n    return lambda c: c.execute(sql)",
        "NAMES = ('a', 'b')\nSQL = f'{\", \".join(f\"{name} = ?\" for name in NAMES)}'\ndef f(c): c.execute(SQL)",
        "_SET = {'a': 'UPDATE t SET a = ?'}\ndef f(c, name): c.execute(_SET[name], (1,))",
        "def f(c): c.execute(f'{match_rows.READ_MOVES} ORDER BY number')",
        "ALL = {'a': 'SELECT 1'}\ndef f(c): return [c.execute(sql) for _, sql in {**ALL, 'b': 'SELECT 2'}.items()]",
    ],
)
def test_sql_of_constants_passes(good: str) -> None:
    assert not Source(good, "data/good.py").faults
