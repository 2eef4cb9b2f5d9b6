"""Guesses whether an object is cloth, a shell or a balloon, and sets the properties that the library computes for it."""
import ctypes
import json

import numpy as np

from . import binding as B
from .library import Error, call, definition, library
from .sampling import PINNED
from .scene_file import rate

PINS = "Pliant pins"
KINDS = ("AUTO", "CLOTH", "SHELL", "BALLOON")


def _mesh(positions, sizes, corners):
    made, found = definition("pli_mesh_def"), ctypes.c_void_p()
    made.positions, made.vertex_count = positions.ctypes.data, len(positions)
    made.face_sizes, made.face_vertices, made.face_count = sizes.ctypes.data, corners.ctypes.data, len(sizes)
    made.policy = 1  # Repaired where it is not manifold.
    call("pli_mesh_create", ctypes.byref(made), ctypes.byref(found))
    return found


def of_arrays(positions, sizes, corners, frame, kind="AUTO", pins=None):
    """(what was found, the scene for it) for a mesh in metres, z up, and frames of so many seconds."""
    mesh = _mesh(*(np.ascontiguousarray(each, of) for each, of in
                   ((positions, np.float32), (sizes, np.int32), (corners, np.int32))))
    try:
        made, found, text = definition("pli_guess_def"), B.pli_guess(), ctypes.c_void_p()
        made.kind, made.unit, made.z_up, made.frame = KINDS.index(kind), 1.0, True, frame
        if pins is not None and len(pins):
            listed = np.ascontiguousarray(pins, np.int32)
            made.pins, made.pin_count = listed.ctypes.data, len(listed)
        call("pli_mesh_guess", mesh, ctypes.byref(made), ctypes.byref(found), ctypes.byref(text))
        scene = json.loads(ctypes.string_at(text.value))
        library().pli_text_release(ctypes.cast(text, ctypes.c_char_p))
        return found, scene
    finally:
        library().pli_mesh_destroy(mesh)


def _arrays(item):
    mesh = item.data
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    sizes, corners = np.empty(len(mesh.polygons), np.int32), np.empty(len(mesh.loops), np.int32)
    mesh.vertices.foreach_get("co", positions)
    mesh.polygons.foreach_get("loop_total", sizes)
    mesh.loops.foreach_get("vertex_index", corners)
    matrix = np.array(item.matrix_world)
    return positions.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3], sizes, corners


def _own_pins(item):
    """Vertices of the group that the user has chosen, or None."""
    name = item.pliant.cloth.pins
    if not name or name == PINS or name not in item.vertex_groups:
        return None
    index = item.vertex_groups[name].index
    return [v.index for v in item.data.vertices for g in v.groups if g.group == index and g.weight > PINNED]


def _set_pins(item, deformable):
    group = item.vertex_groups.get(PINS)
    if group:
        item.vertex_groups.remove(group)
    if item.pliant.cloth.pins == PINS:
        item.pliant.cloth.pins = ""
    listed = [v for each in deformable.get("attachments", ()) for v in each["particles"] if v < len(item.data.vertices)]
    if listed:
        item.vertex_groups.new(name=PINS).add(listed, 1.0, "REPLACE")
        item.pliant.cloth.pins = PINS


def apply(item, scene, kind="AUTO"):
    """Sets the properties of an object, and the substeps of its scene where it needs more. Returns one line about it."""
    metres = scene.unit_settings.scale_length or 1.0
    positions, sizes, corners = _arrays(item)
    if not len(sizes):
        return "no faces: nothing was guessed"
    pins = _own_pins(item)
    found, made = of_arrays(positions * metres, sizes, corners, 1.0 / rate(scene), kind, pins)
    deformable, cloth = made["deformables"][0], item.pliant.cloth
    if pins is None:
        _set_pins(item, deformable)
    solid = found.kind > KINDS.index("CLOTH")
    cloth.inflate = found.kind == KINDS.index("BALLOON")
    cloth.own_density, cloth.density = solid, found.density if solid else cloth.density
    # Cloth keeps its material, which decides how it bends.
    cloth.model = "MATERIAL" if not solid else "PLATE" if found.plate else "dihedral"
    if solid and found.plate:
        cloth.plate.rigidity = found.rigidity
    elif solid:
        cloth.bending.dihedral.rigidity = found.rigidity
    if solid:
        cloth.own_thickness, cloth.thickness = True, found.thickness
    joints = [each["particles"] for each in deformable["constraints"] if each.get("name") == "joints"]
    cloth.joints = json.dumps(joints[0]) if joints else ""
    if solid or cloth.pins == PINS:
        scene.pliant.substeps = max(scene.pliant.substeps, found.substeps)
    if solid:
        scene.pliant.damping = max(scene.pliant.damping, made["settings"]["damping"])
    return found.reason.decode()


def try_apply(item, scene, kind="AUTO"):
    """The same, with what is wrong as the line."""
    try:
        return apply(item, scene, kind)
    except Error as failure:
        return str(failure)
