"""What worlds ask of the user in the midst of a step: constraint types, and the air. Functions of Python, or compiled ones."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats
from ._library import InvalidArgument, encoded, ffi, lib, text

Doubles = NDArray[np.float64]
Evaluate = Callable[[Doubles, Floats, Optional[Doubles]], Any]
Rest = Callable[[Doubles], Any]
AirField = Callable[[float, Floats], Any]

_SIGNATURES = {name: field.type for name, field in ffi.typeof("pli_constraint_type").fields}


@dataclass(frozen=True)
class ConstraintType:
    """A constraint C(x) of your own, for World.register_type; then `add_constraints(name)` makes sets of it.

    `evaluate(positions, rest, gradients)` returns C, a number, or three where `values` is 3. positions has a row for each particle,
    rest the rest values, and gradients (values, particles, 3) zeros to be filled with dC/dx, or is None where it is not asked for.
    `rest(positions)` returns `rest_values` numbers, or None for a degenerate stencil. Both must give the same for the same and
    change nothing else; arrays are only valid during the call. A function that raises ends the step: the world is as before.

    Compiled functions are given by their address (an int: of ctypes, of cffi, `address` of numba's cfunc). They have the
    signatures of pli_constraint_type, are called without Python's lock, and are as fast as types of C.
    """

    name: str
    particles: int
    evaluate: Union[Evaluate, int]
    rest: Union[Rest, int, None] = None
    rest_values: int = 0
    values: int = 1
    generator: Optional[str] = None  # Finds the stencils where a set gives no particles, such as "edges".
    unit: str = "m"  # Of C.
    sense: str = "equal"  # When it acts: always, while C > 0 ("at_most"), or while C < 0 ("at_least").


class Failures:
    """What functions of Python have raised within the library, to be raised when the call is over."""

    def __init__(self) -> None:
        self._found: list[BaseException] = []

    def keep(self, _kind: Any, value: BaseException, _trace: Any) -> None:
        self._found.append(value)

    def take(self) -> list[BaseException]:
        found, self._found = self._found, []
        return found

    def check(self) -> None:
        found = self.take()
        if found:
            raise found[0]


def _rows(pointer: Any, kind: type, *shape: int) -> NDArray[Any]:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), kind).reshape(shape) if size else np.zeros(shape, kind)


def _evaluate(type: ConstraintType, function: Evaluate, failures: Failures) -> Any:
    shape = (type.values, type.particles, 3)

    def evaluate(stencil: Any, values: Any, gradients: Any) -> None:
        found = _rows(values, np.float64, type.values)
        found[:] = np.nan  # What is not finite undoes the step, should the function raise.
        slopes = _rows(gradients, np.float64, *shape) if gradients else None
        if slopes is not None:
            slopes[:] = 0.0
        positions = _rows(stencil.positions, np.float64, type.particles, 3)
        positions.flags.writeable = False
        found[:] = function(positions, _rows(stencil.rest, np.float32, type.rest_values), slopes)

    return ffi.callback(_SIGNATURES["evaluate"], evaluate, onerror=failures.keep)


def _rest(type: ConstraintType, function: Rest, failures: Failures) -> Any:
    def rest(stencil: Any, values: Any) -> bool:
        found = function(_rows(stencil.positions, np.float64, type.particles, 3))
        if found is None:
            return False
        _rows(values, np.float32, type.rest_values)[:] = found
        return True

    return ffi.callback(_SIGNATURES["rest"], rest, error=False, onerror=failures.keep)


def constraint_row(type: ConstraintType, failures: Failures) -> tuple[Any, list[Any]]:
    """The row of a type for the library, and what must live as long as its world."""
    sense, row = ffi.new("pli_sense *"), ffi.new("pli_constraint_type *")
    if not lib.pli_sense_from_name(encoded(type.sense, "sense"), sense):
        raise InvalidArgument(f"sense is {type.sense!r}; it must be one of {', '.join(text(lib.pli_sense_name(i)) for i in range(3))}")
    for name in ("particles", "values", "rest_values"):
        if not isinstance(getattr(type, name), int):
            raise InvalidArgument(f"{name} is {getattr(type, name)!r}; it must be a whole number")
    held = [ffi.new("char[]", encoded(word, "a text of the type")) for word in (type.name, type.unit, type.generator or "")]
    held += [ffi.new("char[]", b"A type of Python."), ffi.new("char[]", b"C = f(x)")]
    row.size, row.name, row.unit, row.summary = ffi.sizeof("pli_constraint_type"), held[0], held[1], held[3]
    row.formula, row.source, row.generator = held[4], held[3], held[2] if type.generator else ffi.NULL
    row.cardinality, row.dimension, row.rest_count = type.particles, type.values, type.rest_values
    row.world_anchored, row.sense = type.particles == 1, sense[0]
    makers: tuple[tuple[str, Any], ...] = (("evaluate", _evaluate), ("rest", _rest))
    for name, made in makers:
        function: Any = getattr(type, name)
        if isinstance(function, int):
            setattr(row, name, ffi.cast(_SIGNATURES[name], function))
        elif callable(function):
            held.append(made(type, function, failures))
            setattr(row, name, held[-1])
        elif name == "evaluate" or function is not None:
            raise InvalidArgument(f"{name} is {function!r}; it must be a function, or the address of a compiled one")
    return row, held


def air_callback(field: AirField, failures: Failures) -> Any:
    """A field of the air for the library."""

    def blow(_user: Any, time: float, points: Any, velocities: Any, count: int) -> bool:
        where = _rows(points, np.float32, count, 3)
        where.flags.writeable = False
        _rows(velocities, np.float32, count, 3)[:] = field(time, where)
        return True

    return ffi.callback("pli_air_field", blow, error=False, onerror=failures.keep)
