"""Attributes: the values that vary over a deformable, by their rows in the library."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Floats, floats, pointer
from ._library import InvalidArgument, NotFound, encoded, ffi, lib, text
from ._part import Part


def element_number(element: str) -> int:
    """The number of "vertex", "face", "triangle" or "constraint"."""
    names = [text(lib.pli_element_name(i)) for i in range(lib.PLI_ELEMENT_CONSTRAINT + 1)]
    if element not in names:
        raise InvalidArgument(f"'{element}' is no element; there are {', '.join(names)}")
    return names.index(element)


def rows() -> list[Any]:
    """The rows of the library's table."""
    return [lib.pli_attribute_at(i) for i in range(lib.pli_attribute_count())]


def row_named(name: str, *elements: str) -> Any:
    """The row of a name, for the first of the elements that has one."""
    for element in elements:
        row = lib.pli_attribute_find(encoded(name, "attribute"), element_number(element))
        if row:
            return row
    known = [text(row.name) for row in rows() if text(lib.pli_element_name(row.element)) in elements]
    raise NotFound(f"'{name}' is no attribute here; there are {', '.join(known)}")


class Painted(Part):
    """A part whose attributes are painted and read by name."""

    def _paint(self, name: str, values: Any, element: str) -> None:
        array = None if values is None else floats(values, name).reshape(-1)
        self._call(f"pli_{self._kind}_paint", encoded(name, "attribute"), element_number(element),
                   ffi.NULL if array is None else pointer(array), 0 if array is None else len(array))

    def _painted_values(self, name: str, shape: Any) -> Floats:
        found = np.zeros(shape, np.float32)
        self._call(f"pli_{self._kind}_get_attribute", encoded(name, "attribute"), ffi.from_buffer("float[]", found), found.size)
        return found
