"""Caches: animations on disk, as `pliant run` and other programs write them, read and written as arrays."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._arrays import Floats, pointer, points
from ._library import Closed, InvalidArgument, NotFound, call, definition, documented, encoded, ffi, lib, text
from .mesh import Mesh, Path, path_bytes


class CachedObject:
    """One object of a cache: `object[frame]` has its positions, a row for each vertex [m]."""

    def __init__(self, cache: "Cache", number: int):
        self._cache, self._number = cache, number
        found = lib.pli_cache_object_at(cache._open(), number)
        self.name: str = text(found.name)
        self.mesh: Mesh = Mesh._borrowed(found.mesh)  # Of the first frame; faces of later ones are those of `mesh_at`.
        self.colour: tuple[float, float, float] = (found.colour.x, found.colour.y, found.colour.z)

    def __repr__(self) -> str:
        return f"<CachedObject {self.name!r}: {len(self)} frames of {len(self.mesh)} vertices>"

    def __len__(self) -> int:
        return len(self._cache)

    def _frame(self, frame: int) -> int:
        place = frame + len(self) if frame < 0 else frame
        if not 0 <= place < len(self):
            raise IndexError(f"there is no frame {frame}; the cache has {len(self)}")
        return place

    @documented("pli_cache_frame_mesh")
    def mesh_at(self, frame: int) -> Mesh:
        """The mesh of a frame: that of the object, unless it tore."""
        found = ffi.new("pli_mesh const **")
        call(lib.pli_cache_frame_mesh, self._cache._open(), self._number, self._frame(frame), found)
        return Mesh._borrowed(found[0])

    def __getitem__(self, frame: int) -> Floats:
        return self.read(frame)

    def __iter__(self) -> Iterator[Floats]:
        return (self.read(frame) for frame in range(len(self)))

    @documented("pli_cache_read")
    def read(self, frame: int, out: Optional[Floats] = None) -> Floats:
        """The positions of a frame, read into `out` where that is given, so that one array serves all frames."""
        place = self._frame(frame)
        count = len(self.mesh_at(place))
        if out is None:
            out = np.empty((count, 3), np.float32)
        elif out.shape != (count, 3) or out.dtype != np.float32 or not out.flags.c_contiguous or not out.flags.writeable:
            raise InvalidArgument(f"out must be a writeable, packed array of float32 of the shape {(count, 3)}")
        call(lib.pli_cache_read, self._cache._open(), self._number, place, ffi.from_buffer("float[]", out))
        return out

    def positions(self) -> Floats:
        """All frames as one array (frames, vertices, 3) [m], of an object whose vertices stay as many."""
        found = np.empty((len(self), len(self.mesh), 3), np.float32)
        for frame in range(len(self)):
            self.read(frame, found[frame])
        return found


class Cache:
    """A recorded animation: `Cache("out/first")["cloth"][10]` has the positions of frame 10.

    It is used by one thread at a time. `with Cache(path) as cache` closes its files at the end.
    """

    @documented("pli_cache_open")
    def __init__(self, path: Path, mesh: Optional[Path] = None):
        found = ffi.new("pli_cache **")
        call(lib.pli_cache_open, path_bytes(path), ffi.NULL if mesh is None else path_bytes(mesh), found)
        self._pointer: Any = ffi.gc(found[0], lib.pli_cache_close)
        self._count = int(lib.pli_cache_frame_count(found[0]))

    def _open(self) -> Any:
        if self._pointer is None:
            raise Closed("the cache was closed")
        return self._pointer

    def close(self) -> None:
        """Closes its files. Arrays and meshes stay."""
        if self._pointer is not None:
            ffi.release(self._pointer)
            self._pointer = None

    def __enter__(self) -> "Cache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Cache: closed>" if self._pointer is None else f"<Cache: {len(self)} frames of {[each.name for each in self.objects]}>"

    def __len__(self) -> int:
        return self._count

    @property
    def frames_per_second(self) -> float:
        """Frames in a second."""
        return float(lib.pli_cache_frames_per_second(self._open()))

    @property
    def objects(self) -> list[CachedObject]:
        """What is in it, in the order of the files."""
        return [CachedObject(self, i) for i in range(lib.pli_cache_object_count(self._open()))]

    def __getitem__(self, key: Union[str, int]) -> CachedObject:
        """An object by its name, or by its place."""
        every = self.objects
        if isinstance(key, int):
            return every[key]
        for each in every:
            if each.name == key:
                return each
        raise NotFound(f"no object is called {key!r}; there are {[each.name for each in every]}")


class Recorder:
    """Writes an animation frame by frame: `with Recorder("out", {"cloth": mesh}) as recorder: recorder.add([positions])`.

    `folder` must be there. Formats are those of `cache_formats()`. Leaving the block completes the files.
    """

    def __init__(self, folder: Path, objects: Mapping[str, Mesh], *, format: str = "gltf", name: str = "scene",
                 frames_per_second: float = 60.0, frame_count: int = 0):
        if any(not isinstance(mesh, Mesh) for mesh in objects.values()):
            raise InvalidArgument("objects must be meshes by their names")
        self._meshes = list(objects.values())
        made = definition("pli_recorder_def")
        held = [ffi.new("char[]", encoded(each, "a name")) for each in objects]
        listed = ffi.new("pli_cache_object[]", len(objects))
        for row, label, mesh in zip(listed, held, self._meshes):
            row.name, row.mesh, row.colour = label, mesh._pointer, (0.8, 0.8, 0.8)
        words = [ffi.new("char[]", path_bytes(folder)), ffi.new("char[]", encoded(name, "name")), ffi.new("char[]", encoded(format, "format"))]
        made.directory, made.name, made.format = words
        made.objects, made.object_count = listed, len(objects)
        made.frames_per_second, made.frame_count = frames_per_second, frame_count
        found = ffi.new("pli_recorder **")
        call(lib.pli_recorder_open, made, found)
        self._pointer: Any = found[0]
        self._counts = [len(mesh) for mesh in self._meshes]

    def _open(self) -> Any:
        if self._pointer is None:
            raise Closed("the recorder was closed")
        return self._pointer

    @property
    def path(self) -> str:
        """What it writes: the first file of a sequence."""
        return text(lib.pli_recorder_path(self._open()))

    @documented("pli_recorder_add")
    def add(self, positions: Sequence[Any]) -> None:
        """Adds a frame: an array of positions for each object, in their order."""
        arrays = [points(each, "positions") for each in positions]
        if [len(array) for array in arrays] != self._counts:
            raise InvalidArgument(f"positions have {[len(array) for array in arrays]} rows; the objects have {self._counts} vertices")
        held = [pointer(array) for array in arrays]
        views = ffi.new("pli_view[]", len(arrays))
        for view, data, array in zip(views, held, arrays):
            view.data, view.count, view.stride = data, len(array), 12
        call(lib.pli_recorder_add, self._open(), views, ffi.NULL)

    @documented("pli_recorder_set_mesh")
    def set_mesh(self, number: int, mesh: Mesh) -> None:
        """Gives an object other faces and vertices from the next frame on."""
        if not isinstance(mesh, Mesh) or not 0 <= number < len(self._meshes):
            raise InvalidArgument(f"set_mesh takes the place of an object, 0 to {len(self._meshes) - 1}, and a Mesh")
        call(lib.pli_recorder_set_mesh, self._open(), number, mesh._pointer)
        self._meshes[number], self._counts[number] = mesh, len(mesh)

    @documented("pli_recorder_close")
    def close(self) -> None:
        """Completes the files."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            call(lib.pli_recorder_close, pointer)

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            lib.pli_recorder_close(self._pointer, ffi.NULL)


def cache_formats() -> dict[str, bool]:
    """The formats that a Recorder writes, and whether Cache reads them back."""
    rows = [lib.pli_cache_format_at(i) for i in range(lib.pli_cache_format_count())]
    return {text(row.name): bool(row.can_read) for row in rows}
