"""Attributes: the values that vary over a deformable, by their rows in the library."""
from __future__ import annotations

from typing import Any

from ._library import InvalidArgument, NotFound, lib, text


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
        for row in rows():
            if text(row.name) == name and row.element == element_number(element):
                return row
    known = [text(row.name) for row in rows() if text(lib.pli_element_name(row.element)) in elements]
    raise NotFound(f"'{name}' is no attribute here; there are {', '.join(known)}")
