"""Meshes: polygons, their neighbourhood, ready-made shapes and files."""
from __future__ import annotations

import os
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._arrays import Floats, Integers, integers, packed, pointer, points
from ._library import InvalidArgument, call, choice, choice_name, definition, documented, encoded, ffi, lib, native, record, text

Path = Union[str, "os.PathLike[str]"]
_HOOKS = ffi.new("pli_hooks *", native.pli_python_hooks())  # Arrays of a mesh keep its memory, as those of a world do.


def path_bytes(path: Path) -> bytes:
    found = os.fsencode(path)
    if b"\0" in found:
        raise InvalidArgument(f"path is {path!r}; it must be a text without zeros")
    return found


class Mesh:
    """A polygon mesh. It never changes, and any number of worlds and threads may share it.

    `positions` are rows of three numbers [m]; `faces` an array with a row for each triangle or quad, or a list of lists of
    vertices, counter-clockwise seen from the front. With `repair`, a mesh that is no manifold is split where it must be.
    """

    __slots__ = ("_pointer", "_topology", "__weakref__")

    def __init__(self, positions: Any, faces: Any, repair: bool = False):
        made = definition("pli_mesh_def")
        vertices = points(positions, "positions")
        flat, sizes = _corners(faces)
        held = [pointer(vertices), pointer(flat), pointer(sizes)]
        made.positions, made.vertex_count = held[0], len(vertices)
        made.face_vertices, made.face_sizes, made.face_count = held[1], held[2], len(sizes)
        made.policy = lib.PLI_MESH_REPAIR if repair else lib.PLI_MESH_REFUSE
        made.hooks = _HOOKS[0]
        self._make(lib.pli_mesh_create, made)

    def _make(self, function: Any, *arguments: Any) -> None:
        found = ffi.new("pli_mesh **")
        call(function, *arguments, found)
        self._own(found[0])

    def _own(self, mesh: Any) -> None:
        self._pointer = ffi.gc(mesh, lib.pli_mesh_destroy)
        self._topology = lib.pli_mesh_topology(mesh)

    @classmethod
    def _of(cls, function: Any, *arguments: Any) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._make(function, *arguments)
        return mesh

    @classmethod
    def _borrowed(cls, found: Any) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._own(ffi.cast("pli_mesh *", lib.pli_mesh_retain(found)))
        return mesh

    @classmethod
    @documented("pli_mesh_create_grid_with")
    def grid(cls, columns: int, rows: int, width: float, depth: float, pattern: str = "alternating") -> "Mesh":
        """A flat rectangle, as `mesh.grid` of scenes; `pattern` is "quads", "diagonal", "alternating" or "crossed"."""
        return cls._of(lib.pli_mesh_create_grid_with, _HOOKS, columns, rows, width, depth, choice("grid_pattern", pattern, "pattern"))

    @classmethod
    @documented("pli_mesh_create_sphere_with")
    def sphere(cls, subdivisions: int, radius: float) -> "Mesh":
        return cls._of(lib.pli_mesh_create_sphere_with, _HOOKS, subdivisions, radius)

    @classmethod
    @documented("pli_mesh_create_box_with")
    def box(cls, size: Sequence[float]) -> "Mesh":
        return cls._of(lib.pli_mesh_create_box_with, _HOOKS, tuple(size))

    @classmethod
    @documented("pli_mesh_create_hull_with")
    def hull(cls, positions: Any) -> "Mesh":
        cloud = points(positions, "positions")
        return cls._of(lib.pli_mesh_create_hull_with, _HOOKS, pointer(cloud), len(cloud))

    @classmethod
    @documented("pli_mesh_create_tube_with")
    def tube(cls, around: int, along: int, radius: float, length: float, capped: bool = False,
             pattern: str = "alternating") -> "Mesh":
        return cls._of(lib.pli_mesh_create_tube_with, _HOOKS, around, along, radius, length, capped, choice("grid_pattern", pattern, "pattern"))

    @classmethod
    @documented("pli_mesh_read")
    def load(cls, path: Path, repair: bool = False, weld: bool = False, scale: float = 1.0) -> "Mesh":
        made = definition("pli_mesh_import_def")
        made.policy = lib.PLI_MESH_REPAIR if repair else lib.PLI_MESH_REFUSE
        made.hooks = _HOOKS[0]
        made.weld, made.scale = weld, scale
        mesh, found = cls.__new__(cls), ffi.new("pli_mesh **")
        call(lib.pli_mesh_read, path_bytes(path), made, found, ffi.NULL)
        mesh._own(found[0])
        return mesh

    @documented("pli_mesh_guess")
    def guess(self, kind: str = "auto", file: Optional[str] = None, name: str = "mesh", unit: float = 0.0, z_up: bool = False,
              ground: bool = True, pins: Optional[Any] = None, scale: float = 1.0, weld: bool = False,
              repair: bool = False) -> dict[str, Any]:
        """What the mesh is taken for ("kind" and "reason"), what was measured and computed, and the "scene", a text for `Scene`."""
        made, found, chosen = definition("pli_guess_def"), ffi.new("pli_guess *"), choice("guess", kind, "kind")
        held = [ffi.new("char[]", encoded(name, "name"))]
        made.kind, made.unit, made.z_up, made.ground, made.name = chosen, unit, z_up, ground, held[0]
        made.scale, made.weld, made.repair = scale, weld, repair
        if file is not None:
            held.append(ffi.new("char[]", encoded(file, "file")))
            made.file = held[-1]
        if pins is not None:
            listed = integers(pins, "pins")
            held += [listed, pointer(listed)]
            made.pins, made.pin_count = held[-1], len(listed)
        scene = ffi.new("char **")
        call(lib.pli_mesh_guess, self._pointer, made, found, scene)
        values = record(found[0])
        values["kind"], values["reason"] = choice_name("guess", found.kind), text(found.reason)
        values["scene"] = text(scene[0])
        lib.pli_text_release(scene[0])
        return values

    @documented("pli_mesh_write")
    def save(self, path: Path, positions: Optional[Any] = None) -> None:
        """Writes OBJ, PLY, STL or glTF, by the path's ending; at `positions`, where they are given."""
        place, empty = ffi.new("pli_view *"), ffi.new("pli_view *")
        held = None
        if positions is not None:
            vertices = points(positions, "positions")
            if len(vertices) != len(self.positions):
                raise InvalidArgument(f"positions has {len(vertices)} rows; the mesh has {len(self.positions)} vertices")
            held = pointer(vertices)
            place.data, place.count, place.stride = held, len(vertices), 12
        call(lib.pli_mesh_write, path_bytes(path), self._pointer, place[0], empty[0])

    def __repr__(self) -> str:
        return f"<Mesh: {self._topology.vertex_count} vertices, {self._topology.face_count} faces>"

    def __len__(self) -> int:
        return int(self._topology.vertex_count)

    @property
    def positions(self) -> Floats:
        """Rest positions [m]; read-only, without a copy."""
        return packed(self._topology.positions, np.float32, self._topology.vertex_count, 3)

    @property
    def triangles(self) -> Integers:
        """The faces as triangles, three vertices each; read-only, without a copy."""
        return packed(self._topology.triangles, np.int32, self._topology.triangle_count, 3)

    @property
    def edges(self) -> Integers:
        """Two vertices each, the lower first, sorted; read-only, without a copy."""
        return packed(self._topology.edges, np.int32, self._topology.edge_count, 2)

    @property
    def hinges(self) -> Integers:
        """Interior edges p1 p2 with the next vertices p3 p4 of their two faces; read-only, without a copy."""
        return packed(self._topology.hinges, np.int32, self._topology.hinge_count, 4)

    @property
    def vertex_areas(self) -> Floats:
        """A third of the area of each triangle around a vertex [m2]; read-only, without a copy."""
        return packed(self._topology.vertex_areas, np.float32, self._topology.vertex_count)

    @property
    def faces(self) -> list[list[int]]:
        """The vertices of each face, as lists."""
        offsets = packed(self._topology.face_offsets, np.int32, self._topology.face_count + 1)
        corners = packed(self._topology.face_vertices, np.int32, self._topology.corner_count)
        return [corners[first:last].tolist() for first, last in zip(offsets[:-1], offsets[1:])]

    @property
    def report(self) -> dict[str, Any]:
        """Counts, defects, edge lengths, area, volume and bounds of the mesh."""
        return record(lib.pli_mesh_get_report(self._pointer)[0])


def _corners(faces: Any) -> tuple[Integers, Integers]:
    """The vertices of all faces, one face after the other, and the number of each."""
    if isinstance(faces, np.ndarray) and faces.ndim == 2:
        return integers(faces, "faces"), np.full(faces.shape[0], faces.shape[1], np.int32)
    try:
        rows = [list(face) for face in faces]
    except TypeError:
        raise InvalidArgument("faces must be rows of vertices") from None
    return integers([corner for row in rows for corner in row], "faces"), np.array([len(row) for row in rows], np.int32)
