"""What core can say to a user, found in its source: texts with `{}` in place of names and numbers."""

import ast
from collections.abc import Iterator
from pathlib import Path

from core import errors

COMMAND_LINE = (
    "catalogue/downloaded.py",
    "cache_commands.py",
    "checklist_commands.py",
    "model_commands.py",
    "bench",
    "cli.py",
    "commands.py",
    "console.py",
    "documents/page_range.py",
    "planning_commands.py",
    "review_commands.py",
    "units.py",
)
"""Modules and packages whose errors are about words typed at a terminal."""

PROGRAMMING = ("attention/tiered.py", "kv/row_layer.py", "kv/layer.py", "planning/request.py", "settings.py")
"""Modules whose errors are about calls that the window does not make."""

ARGUMENTS = {
    **{name: (0, 1) for name, value in vars(errors).items() if isinstance(value, type)},
    "DocumentWarning": (1,),
    "Finding": (2, 3),
    "ProfileError": (0, 1),
    "RemoteProtocolError": (0,),
    "ChecklistError": (0, 1),
    "ExportError": (0, 1),
    "LibraryError": (0, 1),
    "LibraryTooNewError": (0, 1),
    "NotInLibraryError": (0, 1),
    "unreadable_page": (2,),
    "require_host_memory": (1,),
    "setdefault": (1,),
    "_cannot_scale": (0,),
    "_damaged": (1,),
    "_missing_package": (0,),
    "_note_no_huge_pages": (0,),
    "_note_unbound": (0,),
    "_unsupported": (1,),
    "no_connection": (1,),
}
"""Which arguments of which functions are texts, or parts of texts that make sense by themselves."""

RETURNED = ("_by_hand", "_expert_notes", "dequantised_note", "ordinary_words")
"""Functions that return texts."""


def texts_of_core(core: Path) -> dict[str, str]:
    """Each text with the place where it stands."""
    found: dict[str, str] = {}
    for path in sorted(core.rglob("*.py")):
        place = path.relative_to(core).as_posix()
        if not place.startswith((*COMMAND_LINE, *PROGRAMMING)):
            for text, line in _texts(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(text, f"core/{place}:{line}")
    return {text: place for text, place in found.items() if any(map(str.isalpha, text))}


def _texts(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            for expression in _expressions(node, is_returned=function.name in RETURNED):
                for text in _literals(expression, function):
                    yield text, node.lineno  # type: ignore[attr-defined]


def _expressions(node: ast.AST, *, is_returned: bool) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        yield from (node.args[i] for i in ARGUMENTS.get(name, ()) if i < len(node.args))
    elif isinstance(node, ast.Return) and is_returned and node.value is not None:
        yield from node.value.elts if isinstance(node.value, ast.List) else [node.value]


def _literals(expression: ast.expr, function: ast.FunctionDef) -> Iterator[str]:
    """The strings that an expression can be; a name is looked up in its function."""
    match expression:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(value.value if isinstance(value, ast.Constant) else "{}" for value in values)
            for value in values:
                if isinstance(value, ast.FormattedValue) and isinstance(value.value, ast.Name):
                    yield from _literals(value.value, function)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _literals(body, function)
            yield from _literals(orelse, function)
        case ast.Name(id=name):
            for node in ast.walk(function):
                if isinstance(node, ast.Assign):
                    for value in _assigned(name, node):
                        yield from _literals(value, function)


def _assigned(name: str, node: ast.Assign) -> Iterator[ast.expr]:
    for target in node.targets:
        if isinstance(target, ast.Name) and target.id == name:
            yield node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=True)
            yield from (value for part, value in pairs if isinstance(part, ast.Name) and part.id == name)
