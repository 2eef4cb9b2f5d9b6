"""The libraries inside of the package, calls that raise the library's messages, and docstrings from its headers."""
from __future__ import annotations

import inspect
import pathlib
from typing import Any, Callable, TypeVar

from . import _documentation
from ._bindings import ffi as ffi

FOLDER = pathlib.Path(__file__).resolve().parent / "lib"
# libpliant_scene needs libpliant, so that one handle has the functions of both.
lib = ffi.dlopen(str(FOLDER / "libpliant_scene.so.0"))
native = ffi.dlopen(str(FOLDER / "libpliant_python.so"))

Function = TypeVar("Function", bound=Callable[..., Any])


class Error(Exception):
    """A call failed: the message of the library says what, where and how to fix it. What it was called on is unchanged."""

    status = "error"


class InvalidArgument(Error, ValueError):
    """A value out of its range, or values that contradict each other."""


class InvalidMesh(Error, ValueError):
    """The mesh was refused; the message names the element."""


class NotFound(Error, LookupError):
    """No such type, generator, parameter, object or handle."""


class OutOfMemory(Error, MemoryError):
    """There was no memory for it."""


class NonFinite(Error, ArithmeticError):
    """The simulation diverged; the state before the step has been restored."""


class FileError(Error, OSError):
    """A file is missing, or could not be opened, read or written."""


class ParseError(Error, ValueError):
    """A file's content is not what its format demands."""


class Unsupported(Error, RuntimeError):
    """Valid, but not available in this build or for this object."""


class Corrupt(Error, ValueError):
    """A snapshot is damaged, or was made for another world, scene or version."""


class Cancelled(Error):
    """The step was cancelled; the state before it has been restored."""


class Closed(Error, ValueError):
    """The world was closed."""

    status = "closed"


_KINDS = {
    lib.PLI_STATUS_INVALID_ARGUMENT: InvalidArgument, lib.PLI_STATUS_INVALID_MESH: InvalidMesh,
    lib.PLI_STATUS_NOT_FOUND: NotFound, lib.PLI_STATUS_OUT_OF_MEMORY: OutOfMemory,
    lib.PLI_STATUS_NON_FINITE: NonFinite, lib.PLI_STATUS_FILE: FileError, lib.PLI_STATUS_PARSE: ParseError,
    lib.PLI_STATUS_UNSUPPORTED: Unsupported, lib.PLI_STATUS_CORRUPT: Corrupt, lib.PLI_STATUS_CANCELLED: Cancelled,
}


def text(value: Any) -> str:
    """A borrowed text of the library; empty for a null one."""
    return ffi.string(value).decode("utf-8", "replace") if value else ""


for _value_of_status, _kind in _KINDS.items():
    _kind.status = text(lib.pli_status_name(_value_of_status))


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is a pli_error, and raises what it says."""
    error = ffi.new("pli_error *")
    status = function(*arguments, error)
    if status:
        raise _KINDS.get(status, Error)(text(error.message))


def definition(name: str) -> Any:
    """A definition with its defaults."""
    return ffi.new(f"{name} *", getattr(lib, f"{name}_default")())


def encoded(value: Any, what: str) -> bytes:
    """A text for the library. Texts of C end at their first zero."""
    if not isinstance(value, str) or "\0" in value:
        raise InvalidArgument(f"{what} is {value!r}; it must be a text without zeros")
    return value.encode("utf-8")


def choices(listed: str) -> list[str]:
    """The names of an enumeration: "method", "simd", "measure" and so on."""
    found: list[str] = []
    rows = lib.pli_choices_find(listed.encode())
    while rows[len(found)].name:
        found.append(text(rows[len(found)].name))
    return found


def choice(listed: str, name: str, what: str) -> int:
    """The value of an enumeration by its name."""
    value = int(lib.pli_choice_value(listed.encode(), encoded(name, what)))
    if value < 0:
        raise InvalidArgument(f"{what} is {name!r}; it must be one of {', '.join(choices(listed))}")
    return value


def choice_name(listed: str, value: int) -> str:
    return text(lib.pli_choice_name(listed.encode(), value))


def header(name: str) -> str:
    """What the headers of the library say of a function or struct."""
    return _documentation.TEXT[name]


def documented(name: str) -> Callable[[Function], Function]:
    """Appends what the header says of the function of C that a method calls."""

    def append(function: Function) -> Function:
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{name}: {header(name)}".strip()
        return function

    return append


def fields(name: str) -> list[str]:
    """The names that `record` gives for a struct."""
    return [field for field, _ in ffi.typeof(name).fields]


def record(struct: Any) -> dict[str, Any]:
    """A struct of numbers, texts, vectors and arrays as a dictionary."""
    found = {}
    for name, field in ffi.typeof(struct).fields:
        found[name] = _value(getattr(struct, name), field.type)
    return found


def _value(value: Any, kind: Any) -> Any:
    if kind.kind == "array":
        return [_value(item, kind.item) for item in value]
    if kind.kind == "struct":
        return tuple(record(value).values())
    if kind.kind == "pointer":
        return text(value) if kind.item.cname == "char" else None
    return value
