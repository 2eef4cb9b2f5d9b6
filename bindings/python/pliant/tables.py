"""What the library knows by name: constraint types, which bend or stretch, and materials."""
from __future__ import annotations

from typing import Any

from ._attributes import rows
from ._library import lib, text
from ._properties import described
from .constraint_set import parameter_rows


def constraint_types() -> dict[str, dict[str, Any]]:
    """The types that `add_constraints` takes, by name, as `pliant models` prints them.

    Each has its `summary`, `formula`, `source`, the `unit` of C, the number of `particles` (0: any), whether it is a `bending`
    model, the `generator` that makes its constraints, and its `parameters` with their meaning.
    """
    rows = [lib.pli_constraint_type_at(i) for i in range(lib.pli_constraint_type_count())]
    return {text(row.name): {
        "summary": text(row.summary), "formula": text(row.formula), "source": text(row.source), "unit": text(row.unit),
        "particles": row.cardinality, "bending": bool(row.bending), "generator": text(row.generator),
        "parameters": {name: described(each) for name, each in parameter_rows(row).items()}} for row in rows}


def materials() -> dict[str, dict[str, str]]:
    """The materials that `add_deformable` takes, by name, each with its `summary` and the `source` of its figures."""
    rows = [lib.pli_material_at(i) for i in range(lib.pli_material_count())]
    return {text(row.name): {"summary": text(row.summary), "source": text(row.source)} for row in rows}


def attributes() -> list[dict[str, Any]]:
    """The attributes of vertices, triangles and constraints: `name`, `element`, `unit`, `summary`, range, and whether each can be painted."""
    return [{"name": text(row.name), "element": text(lib.pli_element_name(row.element)), "unit": text(row.unit),
             "summary": text(row.summary), "components": row.components, "painted": bool(row.painted),
             "minimum": row.minimum, "maximum": row.maximum, "initial": row.initial} for row in rows()]
