"""Colliders: shapes and meshes that deformables do not enter, still or animated."""
from __future__ import annotations

from typing import Any, Optional

from ._arrays import Floats, pointer, points, world_vectors
from ._library import InvalidArgument, Unsupported, documented, ffi, lib, record
from ._part import DefinedPart, vector
from .body import RigidBody
from .callbacks import VertexSource, source_callback
from .mesh import Mesh
from .pose import Pose, PoseLike, Triple, read_pose, triple, turned, write_pose


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

    @documented("pli_collider_get_tracking_error")
    def tracking_error(self) -> dict[str, Any]:
        """How far it is behind where it is led, and the force of deformables on it."""
        found = ffi.new("pli_collider_tracking_error *")
        self._call("pli_collider_get_tracking_error", found)
        return record(found[0])

    @documented("pli_collider_ray")
    def ray(self, origin: Any, direction: Any, reach: float = float("inf")) -> Optional[tuple[float, Triple]]:
        """The distance along a ray at which it first meets the collider [m], and the normal there; None where it does not."""
        distance, normal = ffi.new("float *"), ffi.new("pli_vec3 *")
        start, along = triple(origin, "origin"), triple(direction, "direction")
        if not self._world._view(lambda world: lib.pli_collider_ray(world, self._handle[0], start, along, reach, distance, normal)):
            return None
        return float(distance[0]), vector(normal)

    @documented("pli_shape_distance")
    def distance(self, point: Any) -> tuple[float, Triple]:
        """The signed distance [m] of a point of the world from its surface, and the normal at the nearest point of that.

        Hulls and meshes have none: Unsupported.
        """
        at, found, gradient = self._at(point), ffi.new("float *"), ffi.new("pli_vec3 *")
        if not lib.pli_shape_distance(self._definition(), at, found, gradient):
            raise Unsupported(f"a collider of the shape {self.shape} has no signed distance; cast a ray instead")
        return float(found[0]), turned(self.pose.rotation, vector(gradient))

    def _at(self, point: Any) -> Triple:
        """A point of the world in its frame."""
        where, (position, (x, y, z, w)) = triple(point, "point"), self.pose
        return turned((-x, -y, -z, w), (where[0] - position[0], where[1] - position[1], where[2] - position[2]))

    @property
    def body(self) -> Optional[RigidBody]:
        """The rigid body that carries it."""
        found = self._definition()  # A struct within another does not keep it.
        return RigidBody(self._world, found.body) if found.body.id else None

    @property
    def mesh(self) -> Optional[Mesh]:
        """The faces that collide: of meshes, of hulls, and of what a body carries that is not round; None for others."""
        def take(world: Any) -> Optional[Mesh]:
            found = lib.pli_collider_mesh(world, self._handle[0])
            return Mesh._borrowed(found) if found else None
        with self._world._lock:
            self._definition()
            return self._world._view(take)

    @documented("pli_collider_set_source")
    def set_source(self, source: Optional[VertexSource]) -> None:
        """Takes the vertices of a mesh at the end of each step from source(time) -> rows [m], None from it ends the animation."""
        if source is not None and not callable(source):
            raise InvalidArgument(f"source is {source!r:.80}; it must be a function, or None")
        with self._world._lock:
            count = len(self.vertices)
            callback = source_callback(source, count, self._world._failures) if source is not None else ffi.NULL
            self._world._held.append(callback)
            self._call("pli_collider_set_source", callback, ffi.NULL)

    @documented("pli_collider_teleport_vertices")
    def teleport_vertices(self, vertices: Any) -> None:
        array = points(vertices, "vertices")
        self._call("pli_collider_teleport_vertices", pointer(array), len(array))

    @property
    def vertices(self) -> Floats:
        """Vertices of a mesh in its own frame, read-only and without a copy. Set, they go there during the next step."""
        return self._world._view(lambda world: world_vectors(lib.pli_collider_vertices(world, self._handle[0])))

    @vertices.setter
    def vertices(self, value: Any) -> None:
        array = points(value, "vertices")
        self._call("pli_collider_set_vertices", pointer(array), len(array))
