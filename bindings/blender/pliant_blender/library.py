"""The library: loaded from the add-on's own folder, its messages as exceptions, and what it says about its properties.

Only ctypes and numpy are used, which every build of Blender has. `binding` is made from the headers with the archive.
"""
import ctypes
import functools
import json
import pathlib

import numpy as np

from . import binding as B

FOLDER = pathlib.Path(__file__).resolve().parent / "lib"


class Error(Exception):
    """A call failed: the library's message says what, where and how to fix it."""


@functools.lru_cache(None)
def library():
    """libpliant_scene with the functions of libpliant, which it needs. Raises Error where it cannot be loaded."""
    path = FOLDER / "libpliant_scene.so.0"
    try:
        # The JSON library is opened first, by its place, since no search path of the system leads here.
        for each in sorted(FOLDER.glob("libjansson*")):
            ctypes.CDLL(str(each))
        found = ctypes.CDLL(str(path))
    except OSError as failure:
        raise Error(f"{path.name} of this add-on cannot be loaded here: {failure}. The archive is of another system; "
                    "build it on this one (docs/blender.md)") from None
    for name, (result, arguments) in B.FUNCTIONS.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


def call(name, *arguments):
    """Calls a function whose last argument is a pli_error, and raises what it says."""
    error = B.pli_error()
    if getattr(library(), name)(*arguments, ctypes.byref(error)) != 0:
        raise Error(error.message.decode("utf-8", "replace"))


def definition(name):
    """A definition with its defaults."""
    return getattr(library(), f"{name}_default")()


def _text(address):
    found = json.loads(ctypes.string_at(address))
    library().pli_text_release(ctypes.cast(address, ctypes.c_char_p))
    return found


@functools.lru_cache(None)
def descriptors():
    """What `pliant models --json` prints: groups of properties, constraint types, materials."""
    address = ctypes.c_void_p()
    call("pli_descriptors_json", ctypes.byref(address))
    return _text(address.value)


@functools.lru_cache(None)
def painted():
    """{number: sentence} of what scenes can paint on a deformable."""
    function = ctypes.CFUNCTYPE(ctypes.c_void_p)(("pli_scene_schema", library()))
    schema = _text(function())
    rows = schema["properties"]["deformables"]["items"]["properties"]["painted"]["properties"]
    return {name: row["description"] for name, row in rows.items()}


def group(name):
    """The properties of one group of the descriptors."""
    return next(each for each in descriptors()["groups"] if each["id"] == name)["properties"]


def view(seen):
    """A copy of a pli_view as an array of (n, 3) floats."""
    if seen.count == 0:
        return np.empty((0, 3), np.float32)
    data = (ctypes.c_char * (seen.stride * (seen.count - 1) + 12)).from_address(seen.data)
    return np.ndarray((seen.count, 3), np.float32, data, strides=(seen.stride, 4)).copy()
