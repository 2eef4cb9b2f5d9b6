"""Properties as the library describes them: a row of a table says name, kind, range, meaning; no name is written here."""
from __future__ import annotations

import difflib
import functools
from typing import Any, Iterable, Iterator

import numpy as np

from ._library import InvalidArgument, NotFound, call, ffi, lib, text

_LAYERS = 32


def _refuse(row: Any, value: Any, expected: str) -> InvalidArgument:
    return InvalidArgument(f"{text(row.name)} is {value!r}; it must be {expected}")


def _choices(row: Any) -> list[str]:
    names, i = [], 0
    while row.choices[i].name:
        names.append(text(row.choices[i].name))
        i += 1
    return names


def _number(row: Any, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise _refuse(row, value, "a number") from None


def _layer_bit(row: Any, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _LAYERS:
        raise _refuse(row, value, "the number of a layer, 0 to 31")
    return 1 << value


def numbers(row: Any, value: Any) -> list[float]:
    """The numbers of a value: three of a vector, else one."""
    kind = row.kind
    if kind == lib.PLI_PROPERTY_VECTOR:
        try:
            return [float(item) for item in value] if len(value) == 3 else [][0]
        except (TypeError, ValueError, IndexError, OverflowError):
            raise _refuse(row, value, "three numbers") from None
    if kind == lib.PLI_PROPERTY_BOOLEAN:
        if not isinstance(value, bool) and type(value).__name__ != "bool_":
            raise _refuse(row, value, "True or False")
        return [float(value)]
    if kind == lib.PLI_PROPERTY_CHOICE:
        names = _choices(row)
        if not isinstance(value, str) or value not in names:
            raise _refuse(row, value, f"one of {', '.join(names)}")
        return [float(names.index(value))]
    if kind == lib.PLI_PROPERTY_LAYER:
        return [float(_layer_bit(row, value))]
    if kind == lib.PLI_PROPERTY_LAYERS:
        if value is None:
            return [float(2 ** _LAYERS - 1)]
        if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
            raise _refuse(row, value, "a list of layers, or None for all")
        bits = 0
        for layer in value:
            bits |= _layer_bit(row, layer)
        return [float(bits)]
    return [_number(row, value)]


def _as_written(row: Any, number: float) -> float:
    """0.2 for what a float has as 0.20000000298."""
    return float(str(np.float32(number))) if row.size in (4, 12) else number


def value_of(row: Any, found: Any) -> Any:
    """The value of a property's numbers."""
    kind, first = row.kind, found[0]
    if kind == lib.PLI_PROPERTY_VECTOR:
        return tuple(_as_written(row, number) for number in found)
    if kind == lib.PLI_PROPERTY_BOOLEAN:
        return bool(first)
    if kind == lib.PLI_PROPERTY_CHOICE:
        return _choices(row)[int(first)]
    if kind == lib.PLI_PROPERTY_LAYER:
        return int(first).bit_length() - 1
    if kind == lib.PLI_PROPERTY_LAYERS:
        return [layer for layer in range(_LAYERS) if int(first) >> layer & 1]
    if kind == lib.PLI_PROPERTY_INTEGER:
        return int(first)
    return _as_written(row, first)


def described(row: Any) -> str:
    """Meaning, unit and range of a property in one line."""
    unit = f" [{text(row.unit)}]" if text(row.unit) else ""
    limits = f", {row.minimum:g} to {row.maximum:g}" if row.kind in (lib.PLI_PROPERTY_NUMBER, lib.PLI_PROPERTY_INTEGER) else ""
    summary = text(row.summary)
    return f"{summary.removesuffix('.') if unit or limits else summary}{unit}{limits}"


def unknown(name: str, where: str, known: Iterable[str]) -> str:
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(names)}"
    return f"'{name}' is no property of {where}; {hint}"


class Group:
    """The properties of a definition, of one or several groups of the library's table, and of groups within."""

    def __init__(self, *ids: str, inside: Iterable[str] = ()):
        self.where = ids[0]
        self.rows: dict[str, Any] = {}
        for identity in ids:
            group = lib.pli_descriptor_group_find(identity.encode())
            for i in range(group.property_count):
                self.rows[text(group.properties[i].name)] = group.properties + i
        self.inside = {identity: Group(identity) for identity in inside}

    def __iter__(self) -> Iterator[str]:
        yield from self.rows
        yield from self.inside

    def __contains__(self, name: object) -> bool:
        return name in self.rows or name in self.inside

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def of(*ids: str, inside: tuple[str, ...] = ()) -> "Group":
        """The properties of these groups, made once."""
        return Group(*ids, inside=inside)

    def read(self, made: Any, name: str) -> Any:
        if name in self.inside:
            group = self.inside[name]
            return {each: group.read(ffi.addressof(made, name), each) for each in group}
        found = ffi.new("double[3]")
        lib.pli_property_read(self.rows[name], made, found)
        return value_of(self.rows[name], found)

    def write(self, made: Any, values: dict[str, Any]) -> None:
        """Writes values into a definition, and refuses what is not in the table or out of its range."""
        for name, value in values.items():
            if name in self.inside:
                if not isinstance(value, dict):
                    raise InvalidArgument(f"{name} is {value!r}; it must be a dictionary of {', '.join(self.inside[name])}")
                self.inside[name].write(ffi.addressof(made, name), value)
            elif name in self.rows:
                row = self.rows[name]
                three = ffi.new("double[3]", numbers(row, value))
                call(lib.pli_property_write, row, made, three)
            else:
                raise NotFound(unknown(name, self.where, self))


class Described:
    """An object with properties of the table as attributes. Names that are not there are refused, with the nearest."""

    def _names(self) -> Iterable[str]:
        raise NotImplementedError

    def _read(self, name: str) -> Any:
        raise NotImplementedError

    def _measured(self) -> dict[str, Iterable[str]]:
        """Names that belong to what a call measures, by the call: they are looked for as attributes."""
        return {}

    def _write(self, values: dict[str, Any]) -> None:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._names():
            where = type(self).__name__
            for how, measured in self._measured().items():
                if name in measured:
                    raise AttributeError(f"'{name}' is no property of {where}; {how.format(name)} has it")
            raise AttributeError(unknown(name, where, [each for each in dir(self) if each[0] != "_"]))
        return self._read(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif name in self._names():
            self._write({name: value})
        else:
            raise AttributeError(unknown(name, type(self).__name__, [each for each in dir(self) if each[0] != "_"]))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names()]

    def set(self, **values: Any) -> None:
        """Sets several properties at once: all of them, or with an exception none."""
        self._write(values)

    @property
    def properties(self) -> dict[str, Any]:
        """All properties of the table with their values."""
        return {name: self._read(name) for name in self._names()}
