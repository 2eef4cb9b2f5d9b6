"""What deformables, constraint sets, attachments and colliders have in common: a handle in a world."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from ._library import ffi, lib
from ._properties import Described, Group

if TYPE_CHECKING:
    from .world import World


def vector(value: Any) -> tuple[float, float, float]:
    """A vector of the library."""
    return value.x, value.y, value.z


class Part(Described):
    """An object of a world, by its handle. Two are equal when they stand for the same object."""

    _kind = ""  # Of the functions of C: pli_KIND_destroy and so on.

    def __init__(self, world: "World", handle: Any):
        self._world = world
        self._handle = ffi.new(f"pli_{self._kind} *", handle)

    @property
    def world(self) -> "World":
        """The world that it is in."""
        return self._world

    def _call(self, name: str, *arguments: Any) -> None:
        self._world._call(getattr(lib, name), self._handle[0], *arguments)

    def destroy(self) -> None:
        """Takes it out of its world. Later calls on it raise NotFound."""
        self._call(f"pli_{self._kind}_destroy")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[str, int, int]:
        return self._kind, self._handle.world, self._handle.id


class DefinedPart(Part):
    """A part whose definition can be read and set while it lives."""

    _groups: tuple[str, ...] = ()
    _inside: tuple[str, ...] = ()

    @classmethod
    def _group(cls) -> Group:
        return Group.of(*cls._groups, inside=cls._inside)

    def _names(self) -> Iterable[str]:
        return self._group()

    def _definition(self) -> Any:
        name = f"pli_{self._kind}_def"
        made = ffi.new(f"{name} *")
        self._call(f"pli_{self._kind}_get_def", made)
        return made

    def _read(self, name: str) -> Any:
        return self._group().read(self._definition(), name)

    def _write(self, values: dict[str, Any]) -> None:
        with self._world._lock:  # What the definition borrows is there until it is set.
            made = self._definition()
            self._group().write(made, values)
            self._call(f"pli_{self._kind}_set_def", made)
