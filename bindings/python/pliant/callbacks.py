"""What worlds ask of the user in the midst of a step: constraint types, and the air. Functions of Python, or compiled ones."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats, integers, pointer
from ._library import InvalidArgument, call, choice, encoded, ffi, lib, text
from .mesh import Mesh

Doubles = NDArray[np.float64]
Evaluate = Callable[[Doubles, Floats, Optional[Doubles]], Any]
Rest = Callable[[Doubles], Any]
AirField = Callable[[float, Floats], Any]
VertexSource = Callable[[float], Any]
Generate = Callable[[Mesh], Any]


class ContactSide(NamedTuple):
    """One side of a pair that may touch."""

    part: Any  # A Deformable, or a Collider.
    vertices: tuple[int, ...]  # Of its mesh: a vertex, edge or triangle; none of smooth shapes.


ContactFilter = Callable[[ContactSide, ContactSide], Any]

_SIGNATURES = {name: field.type for name, field in ffi.typeof("pli_constraint_type").fields}


@dataclass(frozen=True)
class ConstraintType:
    """A constraint C(x) of your own, for World.register_type; then `add_constraints(name)` makes sets of it.

    `evaluate(positions, rest, gradients)` returns C, a number, or three where `values` is 3. positions has a row for each particle,
    rest the rest values, and gradients (values, particles, 3) zeros to be filled with dC/dx, or is None where it is not asked for.
    `rest(positions)` returns `rest_values` numbers, or None for a degenerate stencil. Both must give the same for the same and
    change nothing else. A function that raises ends the step: the world is as before.

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
    """Memory of the library, for this module alone: what the user gets is copied, since arrays may outlive the call."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), kind).reshape(shape) if size else np.zeros(shape, kind)


def _evaluate(type: ConstraintType, function: Evaluate, failures: Failures) -> Any:
    shape = (type.values, type.particles, 3)

    def evaluate(stencil: Any, values: Any, gradients: Any) -> None:
        found = _rows(values, np.float64, type.values)
        found[:] = np.nan  # What is not finite undoes the step, should the function raise.
        slopes = np.zeros(shape) if gradients else None
        positions = _rows(stencil.positions, np.float64, type.particles, 3).copy()
        found[:] = function(positions, _rows(stencil.rest, np.float32, type.rest_values).copy(), slopes)
        if slopes is not None:
            _rows(gradients, np.float64, *shape)[:] = slopes

    return ffi.callback(_SIGNATURES["evaluate"], evaluate, onerror=failures.keep)


def _rest(type: ConstraintType, function: Rest, failures: Failures) -> Any:
    def rest(stencil: Any, values: Any) -> bool:
        found = function(_rows(stencil.positions, np.float64, type.particles, 3).copy())
        if found is None:
            return False
        _rows(values, np.float32, type.rest_values)[:] = found
        return True

    return ffi.callback(_SIGNATURES["rest"], rest, error=False, onerror=failures.keep)


def constraint_row(type: ConstraintType, failures: Failures) -> tuple[Any, list[Any]]:
    """The row of a type for the library, and what must live as long as its world."""
    sense, row = choice("sense", type.sense, "sense"), ffi.new("pli_constraint_type *")
    for name in ("particles", "values", "rest_values"):
        if not isinstance(getattr(type, name), int):
            raise InvalidArgument(f"{name} is {getattr(type, name)!r}; it must be a whole number")
    held = [ffi.new("char[]", encoded(word, "a text of the type")) for word in (type.name, type.unit, type.generator or "")]
    held += [ffi.new("char[]", b"A type of Python."), ffi.new("char[]", b"C = f(x)")]
    row.name, row.unit, row.summary = held[0], held[1], held[3]
    row.formula, row.source, row.generator = held[4], held[3], held[2] if type.generator else ffi.NULL
    row.cardinality, row.dimension, row.rest_count = type.particles, type.values, type.rest_values
    row.world_anchored, row.sense = type.particles == 1, sense
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
        where = _rows(points, np.float32, count, 3).copy()
        _rows(velocities, np.float32, count, 3)[:] = field(time, where)
        return True

    return ffi.callback("pli_air_field", blow, error=False, onerror=failures.keep)


def source_callback(source: VertexSource, count: int, failures: Failures) -> Any:
    """A source of the vertices of a collider for the library."""

    def read(_user: Any, time: float, positions: Any) -> bool:
        room = _rows(positions, np.float32, count, 3)
        room[:] = np.nan  # What is not finite undoes the step, should the function raise.
        found = source(time)
        if found is None:
            return False
        room[:] = found
        return True

    return ffi.callback("pli_vertex_source", read, error=True, onerror=failures.keep)


def filter_callback(accept: ContactFilter, part_of: Callable[[Any], Any], failures: Failures) -> Any:
    """A contact filter for the library."""

    def side(each: Any) -> ContactSide:
        return ContactSide(part_of(each), tuple(each.vertices[i] for i in range(each.vertex_count)))

    def ask(_user: Any, a: Any, b: Any) -> bool:
        return bool(accept(side(a), side(b)))

    return ffi.callback("pli_contact_filter", ask, error=True, onerror=failures.keep)


@dataclass(frozen=True)
class Generator:
    """Finds the stencils of constraints in a mesh, for World.register_generator.

    `generate(mesh)` returns a row of `particles` vertices for each constraint. It is called on the thread that adds the constraints,
    and must give the same for the same mesh.
    """

    name: str
    particles: int
    generate: Generate


def generator_row(generator: Generator, failures: Failures) -> tuple[Any, list[Any]]:
    """The row of a generator for the library, and what must live as long as its world."""
    if not callable(generator.generate) or not isinstance(generator.particles, int):
        raise InvalidArgument("a Generator has a number of particles and a function of a mesh")

    def generate(mesh: Any, stencils: Any, _error: Any) -> int:
        array = integers(generator.generate(Mesh._borrowed(mesh)), "stencils")
        if len(array) % generator.particles:
            raise InvalidArgument(f"{generator.name} returned {len(array)} indices; it must be rows of {generator.particles}")
        call(lib.pli_stencils_fill, stencils, generator.particles, pointer(array), ffi.NULL, len(array) // generator.particles)
        return 0

    kinds = dict(ffi.typeof("pli_generator").fields)
    row = ffi.new("pli_generator *")
    made = ffi.callback(kinds["generate"].type, generate, error=int(lib.PLI_STATUS_CANCELLED), onerror=failures.keep)
    held = [row, made, ffi.new("char[]", encoded(generator.name, "name")), ffi.new("char[]", b"A generator of Python.")]
    row.name, row.summary, row.source, row.cardinality, row.generate = held[2], held[3], held[3], generator.particles, made
    return row, held
