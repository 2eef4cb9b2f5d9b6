"""Constraint sets: constraints of one type on one deformable, tuned together."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable

from ._arrays import Floats
from ._attributes import Painted
from ._library import NotFound, documented, ffi, lib, text
from ._properties import described, numbers, unknown

if TYPE_CHECKING:
    from .deformable import Deformable


@dataclass(frozen=True)
class Residual:
    """Violation of the constraints of a set, in the unit of C."""

    rms: float
    max: float
    count: int
    worst: int  # Index of the constraint with the largest, -1 if none.


def parameter_rows(row: Any) -> dict[str, Any]:
    """The parameters of a constraint type by their names; empty without a type."""
    found, i = {}, 0
    while row and (parameter := lib.pli_constraint_type_parameter(row, i)):
        found[text(parameter.name)] = parameter
        i += 1
    return found


class ConstraintSet(Painted):
    """Constraints of one type. Parameters are attributes, by the names of their type: `set.compliance = 1e-6`."""

    _kind = "constraints"

    def _info(self) -> Any:
        info = ffi.new("pli_constraints_info *")
        self._call("pli_constraints_get_info", info)
        return info

    def _names(self) -> Iterable[str]:
        return parameter_rows(self._info().type)

    def _read(self, name: str) -> float:
        found = ffi.new("double *")
        self._call("pli_constraints_get_parameter", name.encode(), found)
        return float(found[0])

    def _write(self, values: dict[str, Any]) -> None:
        rows = parameter_rows(self._info().type)
        for name in values:
            if name not in rows:
                raise NotFound(unknown(name, self.type, rows))
        before = {name: self._read(name) for name in values}
        try:
            for name, value in values.items():
                self._call("pli_constraints_set_parameter", name.encode(), numbers(rows[name], value)[0])
        except Exception:
            for name, value in before.items():
                self._call("pli_constraints_set_parameter", name.encode(), value)
            raise

    def __repr__(self) -> str:
        return f"<ConstraintSet {self.name!r} of {len(self)} {self.type} constraints>"

    def __len__(self) -> int:
        return int(self._info().constraint_count)

    @property
    def name(self) -> str:
        """Its name, for messages and scenes."""
        return text(self._info().name)

    @property
    def type(self) -> str:
        """The name of its constraint type."""
        return text(self._info().type.name)

    @property
    def deformable(self) -> "Deformable":
        """The deformable that it acts on."""
        from .deformable import Deformable
        info = self._info()  # A struct within another does not keep it.
        return Deformable(self._world, info.deformable)

    @property
    def help(self) -> dict[str, str]:
        """Meaning, unit and range of each parameter."""
        return {name: described(row) for name, row in parameter_rows(self._info().type).items()}

    @documented("pli_residual")
    def residual(self) -> Residual:
        """How far the constraints are from being satisfied."""
        found = ffi.new("pli_residual *")
        self._call("pli_constraints_get_residual", found)
        return Residual(found.rms, found.max, found.count, found.worst)

    def energy(self) -> float:
        """Elastic energy at the current positions [J]; 0 of what is rigid."""
        self._info()  # It raises NotFound for a set that is gone.
        return float(self._world._view(lambda world: lib.pli_constraints_energy(world, self._handle[0])))

    @documented("pli_constraints_paint")
    def paint(self, name: str, values: Any, element: str = "vertex") -> None:
        """Values of an attribute for each "vertex", "face", "triangle" or "constraint"; None clears them."""
        self._paint(name, values, element)

    @documented("pli_constraints_get_attribute")
    def attribute(self, name: str) -> Floats:
        """Values of an attribute for each constraint, as float32."""
        return self._painted_values(name, len(self))
