"""numpy arrays over the library's memory. An array keeps the memory that it shows, whatever becomes of the world."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._library import InvalidArgument, OutOfMemory, ffi, native

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]


class _Memory:
    """Memory of the library for numpy, which asks its owner before it makes an array writable; this one has no buffer to write."""

    def __init__(self, keeper: Any, kind: type, shape: tuple[int, ...], strides: tuple[int, ...]):
        self._keeper = keeper
        self.__array_interface__ = {"version": 3, "typestr": np.dtype(kind).str, "shape": shape, "strides": strides,
                                    "data": (int(ffi.cast("uintptr_t", keeper)), True)}


def _over(keeper: Any, kind: type, shape: tuple[int, ...], strides: tuple[int, ...]) -> NDArray[Any]:
    return np.asarray(_Memory(keeper, kind, shape, strides))


def kept(data: Any) -> Any:
    """A pointer that keeps a world's memory. The caller has the world for itself."""
    if not native.pli_python_keep(data):
        raise OutOfMemory("out of memory for an array")
    return ffi.gc(ffi.cast("char *", data), native.pli_python_drop)


def world_vectors(view: Any) -> Floats:
    """Vectors of a world, read-only and without a copy."""
    if view.count == 0:
        return np.zeros((0, 3), np.float32)
    return _over(kept(view.data), np.float32, (view.count, 3), (view.stride, 4))


def world_numbers(data: Any, count: int, stride: int) -> Floats:
    """Numbers of a world, read-only and without a copy."""
    if count == 0 or not data:
        return np.zeros(0, np.float32)
    return _over(kept(data), np.float32, (count,), (stride,))


def packed(data: Any, kind: type, *shape: int) -> NDArray[Any]:
    """A packed array of a mesh or world, read-only and without a copy."""
    if not data or 0 in shape:
        return np.zeros(shape, kind)
    strides = (4,) if len(shape) == 1 else (4 * shape[1], 4)
    return _over(kept(data), kind, shape, strides)


def floats(values: Any, what: str, shape: Optional[tuple[int, ...]] = None) -> Floats:
    """Packed floats for the library; with a shape, one value may stand for all."""
    try:
        if np.iscomplexobj(values):
            raise TypeError
        with np.errstate(over="ignore"):
            array = np.asarray(values, np.float32)
        if shape is not None:
            array = np.broadcast_to(array, shape)
    except (TypeError, ValueError):
        got = f"of shape {np.shape(values)}" if hasattr(values, "shape") else f"{values!r:.80}"
        wanted = f"numbers of shape {shape}" if shape is not None else "numbers"
        raise InvalidArgument(f"{what} is {got}; it must be {wanted}") from None
    return np.ascontiguousarray(array)


def points(values: Any, what: str) -> Floats:
    """Rows of three floats."""
    array = floats(values, what)
    if array.ndim != 2 or array.shape[1] != 3:
        raise InvalidArgument(f"{what} has the shape {array.shape}; it must be rows of three numbers")
    return array


def integers(values: Any, what: str) -> Integers:
    """A list of indices. Numbers that are none, and those beyond 32 bits, are refused."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument(f"{what} must be a list of integers") from None
    if array.size and (array.dtype.kind not in "iu" or array.min() < -2**31 or array.max() >= 2**31):
        raise InvalidArgument(f"{what} must be integers of 32 bits")
    return np.ascontiguousarray(array.reshape(-1), np.int32)


def pointer(array: NDArray[Any]) -> Any:
    """The array's memory, for a call; valid as long as the result lives."""
    return ffi.from_buffer("float[]" if array.dtype == np.float32 else "int32_t[]", array)


def layout(ctype: Any) -> Any:
    """The numpy type of a struct, so that arrays of structs come without copies of each field."""
    if ctype.kind == "struct":
        fields = ctype.fields
        return np.dtype({"names": [name for name, _ in fields], "formats": [layout(field.type) for _, field in fields],
                         "offsets": [field.offset for _, field in fields], "itemsize": ffi.sizeof(ctype)})
    if ctype.kind == "array":
        return np.dtype((layout(ctype.item), (ctype.length,)))
    names = {"float": "f4", "double": "f8", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8", "int": "i4",
             "unsigned int": "u4", "long": "i8", "unsigned long": "u8", "_Bool": "?"}
    return np.dtype(names[ctype.cname])
