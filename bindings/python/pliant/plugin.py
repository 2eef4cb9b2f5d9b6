"""Plugins: constraint types and generators of yours, compiled into a shared object."""
from __future__ import annotations

import os

from ._library import call, documented, ffi, lib, text
from .mesh import Path, path_bytes


class Plugin:
    """A shared object with constraint types and generators: for `World.register_plugin`, and `Scene.load(path, plugins=[...])`.

    It is code, and runs with your rights. It stays loaded until the process ends.
    """

    @documented("pli_plugin_open")
    def __init__(self, path: Path):
        found = ffi.new("pli_plugin_table const **")
        call(lib.pli_plugin_open, path_bytes(os.fspath(path)), found)
        self._table = found[0]

    def __repr__(self) -> str:
        return f"<Plugin {self.name!r}: {', '.join([*self.types, *self.generators])}>"

    @property
    def name(self) -> str:
        """Its name, as it says."""
        return text(self._table.name)

    @property
    def types(self) -> list[str]:
        """The constraint types that it brings."""
        return [text(self._table.types[i].name) for i in range(self._table.type_count)]

    @property
    def generators(self) -> list[str]:
        """The generators that it brings."""
        return [text(self._table.generators[i].name) for i in range(self._table.generator_count)]
