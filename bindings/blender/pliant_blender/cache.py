"""The cache beside the file: //pliant_cache/FILE/SCENE/ with a PC2 for each cloth, which a Mesh Cache modifier plays without the add-on.

    scene.json, meshes/   what was simulated, for `pliant run` too
    NN-CLOTH.pc2          positions at each frame, in the cloth's own units
    bake.json             frames that are whole, their hashes, the fingerprint of the scene
    state                 from which the bake is resumed
"""
import json
import pathlib
import re
import shutil
import struct

import bpy
import numpy as np

from .sampling import MODIFIER

HEADER = struct.Struct("<12siiffi")


class Writer:
    """A PC2 file that grows by a frame, readable after each."""

    def __init__(self, path, points, start):
        self.points, self.start = points, start
        self.file = open(path, "r+b" if path.exists() else "w+b")
        self.file.seek(0)
        head = self.file.read(HEADER.size)
        self.frames = HEADER.unpack(head)[5] if len(head) == HEADER.size and HEADER.unpack(head)[2] == points else 0
        self.header()

    def header(self):
        self.file.seek(0)
        self.file.write(HEADER.pack(b"POINTCACHE2\0", 1, self.points, float(self.start), 1.0, self.frames))

    def put(self, frame, positions):
        """Writes a frame, after which the file ends."""
        data = np.ascontiguousarray(positions, "<f4").tobytes()
        self.file.seek(HEADER.size + frame * len(data))
        self.file.write(data)
        self.file.truncate()
        self.frames = frame + 1
        self.header()
        self.file.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def name(scene):
    stem = pathlib.Path(bpy.data.filepath).stem or "unsaved"
    return "/".join(re.sub(r"[^A-Za-z0-9_-]+", "_", each) for each in (stem, scene.name))


def relative(scene):
    """The folder as Blender writes it; that of a file which was never saved is temporary."""
    if bpy.data.filepath:
        return f"//pliant_cache/{name(scene)}/"
    return f"{bpy.app.tempdir}pliant_cache/{name(scene)}/"


def folder(scene):
    return pathlib.Path(bpy.path.abspath(relative(scene)))


def fit_modifier(item):
    """Gives cloth the modifier that plays the cache, and takes it from what is none."""
    modifier = item.modifiers.get(MODIFIER)
    if item.type == "MESH" and item.pliant.kind == "CLOTH":
        if modifier is None:
            modifier = item.modifiers.new(MODIFIER, "MESH_CACHE")
            modifier.show_expanded = modifier.show_viewport = modifier.show_render = False
        return modifier
    if modifier is not None:
        item.modifiers.remove(modifier)
    return None


def play(item, scene, file):
    """Lets the modifier of a cloth play its cache, when every row of it differs no more from what it should be."""
    modifier = fit_modifier(item)
    wanted = {"cache_format": "PC2", "filepath": f"{relative(scene)}{file}.pc2", "frame_start": float(scene.frame_start),
              "forward_axis": "POS_Y", "up_axis": "POS_Z", "play_mode": "SCENE", "deform_mode": "OVERWRITE",
              "show_viewport": True, "show_render": True}
    for key, value in wanted.items():
        if getattr(modifier, key) != value:
            setattr(modifier, key, value)


def silence(scene):
    """Shows cloths as they are without the simulation."""
    for item in scene.objects:
        modifier = item.modifiers.get(MODIFIER)
        if modifier is not None:
            modifier.show_viewport = modifier.show_render = False


def baked(scene):
    """bake.json, or None where nothing is baked."""
    try:
        found = json.loads((folder(scene) / "bake.json").read_text())
        return found if found["frames"] >= 0 else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def free(scene):
    """Removes the cache."""
    silence(scene)
    shutil.rmtree(folder(scene), ignore_errors=True)


class Shown:
    """The files that modifiers play, for all cloths of a plan."""

    def __init__(self, scene, plan):
        self.writers = []
        place = folder(scene)
        for each in plan.cloths:
            self.writers.append(Writer(place / f"{each.file}.pc2", len(each.positions), 0))
            play(scene.objects[each.name], scene, each.file)

    def put(self, frame, positions, moment):
        """Writes a frame of all cloths, from metres in the world to their own units."""
        for writer, seen, matrix in zip(self.writers, positions, moment.matrices):
            writer.put(frame, seen.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3])

    def close(self):
        for writer in self.writers:
            writer.file.close()
