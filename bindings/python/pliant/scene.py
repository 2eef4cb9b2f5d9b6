"""Scenes: JSON files that say everything about a simulation."""
from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional, Sequence

from ._library import Error, InvalidArgument, call, choice, definition, documented, encoded, ffi, lib, native, text
from .mesh import Mesh, Path, path_bytes
from .plugin import Plugin
from .world import World


class Diagnostic(NamedTuple):
    """A finding of the check, with its place in the file."""

    line: int
    column: int
    warning: bool
    path: str
    text: str


def overrides(values: dict[str, Any]) -> list[bytes]:
    """"path=value" of keyword arguments: `settings__substeps=20`, `settings={"substeps": 20}`, or names with dots and brackets."""
    found = []
    for name, value in values.items():
        path = name.replace("__", ".")
        if isinstance(value, dict):
            found += overrides({f"{path}.{key}": inner for key, inner in value.items()})
            continue
        try:
            found.append(f"{path}={json.dumps(value, allow_nan=False)}".encode())
        except (TypeError, ValueError):
            raise InvalidArgument(f"{path} is {value!r:.80}; it must be what JSON can have") from None
    return found


class Scene:
    """A scene that was read and checked. `create_world` makes its world at its start, as often as you like."""

    def __init__(self, text: str, folder: Optional[Path] = None, plugins: Sequence[Plugin] = (), **values: Any):
        """Reads a scene from a text; files that it names are in `folder`."""
        held = ffi.new("char[]", encoded(text, "text"))
        self._load(None if folder is None else path_bytes(folder) + b"/scene.json", values, held, False, plugins)

    @classmethod
    @documented("pli_scene_load")
    def load(cls, path: Path, allow_outside: bool = False, plugins: Sequence[Plugin] = (), **values: Any) -> "Scene":
        """Reads a scene file. Keyword arguments override what it says: `settings__substeps=20` is `settings.substeps`."""
        scene = cls.__new__(cls)
        scene._load(path_bytes(path), values, None, allow_outside, plugins)
        return scene

    def _load(self, path: Optional[bytes], values: dict[str, Any], source: Any, allow_outside: bool,
              plugins: Sequence[Plugin]) -> None:
        if not all(isinstance(each, Plugin) for each in plugins):
            raise InvalidArgument("plugins must be a list of Plugin")
        made = definition("pli_scene_load_def")
        given = [ffi.new("char[]", each) for each in overrides(values)]
        listed, room, count = ffi.new("char const *[]", given), ffi.new("pli_scene_diagnostic[64]"), ffi.new("int32_t *")
        named = ffi.NULL if path is None else ffi.new("char[]", path)
        made.path, made.overrides, made.override_count, made.allow_outside = named, listed, len(given), allow_outside
        made.diagnostics, made.diagnostic_capacity, made.diagnostic_count = room, len(room), count
        made.hooks = native.pli_python_hooks()
        tables = ffi.new("pli_plugin_table const *[]", [each._table for each in plugins])
        made.plugins, made.plugin_count = tables, len(tables)
        if source is not None:
            made.text, made.text_size = source, len(source) - 1
        found = ffi.new("pli_scene **")
        try:
            call(lib.pli_scene_load, made, found)
        except Error as failure:
            failure.diagnostics = _diagnostics(room, count[0])  # type: ignore[attr-defined]
            raise
        self._pointer = ffi.gc(found[0], lib.pli_scene_destroy)
        self.diagnostics = _diagnostics(room, count[0])

    @documented("pli_scene_create_world")
    def create_world(self, threads: int = 0, simd: str = "auto") -> World:
        """The world of the scene at its start. `World.step()` without dt then advances by a frame."""
        made, found = definition("pli_scene_world_def"), ffi.new("pli_world **")
        made.thread_count, made.simd, made.hooks = threads, choice("simd", simd, "simd"), native.pli_python_hooks()
        call(lib.pli_scene_create_world, self._pointer, made, found)
        return World._of_scene(found[0], self)

    def __repr__(self) -> str:
        return f"<Scene {self.title!r}: {self.frame_count} frames>"

    @property
    def title(self) -> str:
        """Its title."""
        return text(lib.pli_scene_title(self._pointer))

    @property
    def frame_count(self) -> int:
        """Frames that it asks for."""
        return int(lib.pli_scene_frame_count(self._pointer))

    @property
    def frames_per_second(self) -> float:
        """Frames in a second."""
        return float(lib.pli_scene_frames_per_second(self._pointer))

    @property
    def hash(self) -> int:
        """64-bit hash of its content with its settings and meshes."""
        return int(lib.pli_scene_hash(self._pointer))

    def mesh(self, deformable: int = 0) -> Mesh:
        """The mesh of a deformable, by its place in the scene."""
        found = lib.pli_scene_mesh(self._pointer, deformable)
        if not found:
            raise IndexError(f"the scene has no deformable {deformable}")
        return Mesh._borrowed(found)


def _diagnostics(room: Any, count: int) -> list[Diagnostic]:
    return [Diagnostic(each.line, each.column, each.warning, text(each.path), text(each.text))
            for each in room[0:min(count, len(room))]]
