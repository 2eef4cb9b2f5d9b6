"""Colliders: shapes and meshes that deformables do not enter, still or animated."""
from __future__ import annotations

from typing import Any

from ._arrays import Floats, pointer, points, world_vectors
from ._library import documented, ffi, lib
from ._part import DefinedPart
from .pose import Pose, PoseLike, read_pose, write_pose


class Collider(DefinedPart):
    """A shape. Set `pose`, or of meshes `vertices`, before a step: it moves there during the step."""

    _kind = "collider"
    _groups = ("collider",)

    def __repr__(self) -> str:
        return f"<Collider: {self.shape}>"

    @property
    def pose(self) -> Pose:
        """Where it is. Set, it goes there during the next step and carries what it touches."""
        found = ffi.new("pli_transform *")
        self._call("pli_collider_pose", found)
        return read_pose(found)

    @pose.setter
    def pose(self, value: PoseLike) -> None:
        transform = ffi.new("pli_transform *")
        write_pose(transform, value)
        self._call("pli_collider_set_pose", transform[0])

    @documented("pli_collider_teleport")
    def teleport(self, pose: PoseLike) -> None:
        transform = ffi.new("pli_transform *")
        write_pose(transform, pose)
        self._call("pli_collider_teleport", transform[0])

    @property
    def vertices(self) -> Floats:
        """Vertices of a mesh in its own frame, read-only and without a copy. Set, they go there during the next step."""
        return self._world._view(lambda world: world_vectors(lib.pli_collider_vertices(world, self._handle[0])))

    @vertices.setter
    def vertices(self, value: Any) -> None:
        array = points(value, "vertices")
        self._call("pli_collider_set_vertices", pointer(array), len(array))
