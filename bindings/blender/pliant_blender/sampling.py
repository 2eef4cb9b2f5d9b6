"""What the simulation takes from Blender: at its start meshes, pins and weights, and at each frame what moves. In metres.

Blender's length unit is `unit_settings.scale_length` metres; z is up in both.
"""
import contextlib
import re
from dataclasses import dataclass, field

import bpy
import numpy as np

from .library import Error
from .properties import short

MODIFIER = "Pliant"
PINNED = 0.5  # Weight above which a vertex is pinned.


@dataclass
class Cloth:
    """A cloth at the start. Positions are in the world."""

    name: str
    file: str
    positions: np.ndarray
    sizes: np.ndarray
    corners: np.ndarray
    pins: np.ndarray
    painted: list = field(default_factory=list)  # (number, weights)
    seams: np.ndarray = field(default_factory=lambda: np.empty((0, 2), np.int32))  # Vertices of the loose edges that are sewn.
    closing: list = field(default_factory=list)  # [[time, slack], [time, slack]] of the tethers that sew them.


@dataclass
class Collider:
    """A collider at the start."""

    name: str
    file: str
    positions: np.ndarray
    sizes: np.ndarray
    corners: np.ndarray


@dataclass
class Moment:
    """What moves, at one frame."""

    wind: np.ndarray
    gusts: float
    gravity: np.ndarray
    pins: list  # of (n, 3) positions, for each cloth
    colliders: list  # of (n, 3) positions, float32
    matrices: list  # for each cloth, from metres in the world to its own units


@dataclass
class Plan:
    """What the world is made of."""

    cloths: list
    colliders: list
    first: Moment
    gust_size: float


def objects(scene, kind):
    """Objects that take part, by name, so that their order is that of every session."""
    return sorted((each for each in scene.objects if each.type == "MESH" and each.pliant.kind == kind), key=lambda o: o.name)


def arrays(item, depsgraph, weights=()):
    """(positions float64, face sizes, corners, weights of the groups named) of the evaluated mesh, in its own units."""
    evaluated = item.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        positions = np.empty(3 * len(mesh.vertices), np.float32)
        sizes, corners = np.empty(len(mesh.polygons), np.int32), np.empty(len(mesh.loops), np.int32)
        mesh.vertices.foreach_get("co", positions)
        mesh.polygons.foreach_get("loop_total", sizes)
        mesh.loops.foreach_get("vertex_index", corners)
        numbers = [item.vertex_groups[name].index for name in weights]
        found = np.zeros((len(numbers), len(mesh.vertices)), np.float32)
        if numbers:
            for vertex in mesh.vertices:
                for entry in vertex.groups:
                    for row, number in enumerate(numbers):
                        if entry.group == number:
                            found[row, vertex.index] = entry.weight
    finally:
        evaluated.to_mesh_clear()
    return positions.reshape(-1, 3).astype(np.float64), sizes, corners, found


def loose_edges(item, depsgraph):
    """Edges without a face between vertices with faces."""
    evaluated = item.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        edges, used = np.empty(2 * len(mesh.edges), np.int32), np.empty(len(mesh.loops), np.int32)
        corners = np.empty(len(mesh.loops), np.int32)
        mesh.edges.foreach_get("vertices", edges)
        mesh.loops.foreach_get("edge_index", used)
        mesh.loops.foreach_get("vertex_index", corners)
    finally:
        evaluated.to_mesh_clear()
    loose = np.delete(edges.reshape(-1, 2), np.unique(used), axis=0)
    found = loose[np.isin(loose, corners).all(axis=1)]
    if not len(found):
        raise Error(f"{item.name}: no edge without a face joins two vertices of faces, so there is nothing to sew; select two vertices in edit "
                    "mode and press F to add one, or turn Sew loose edges off")
    return found


def to_world(item, depsgraph, scene):
    """The matrix from an object's own units to metres in the world."""
    matrix = np.array(item.evaluated_get(depsgraph).matrix_world, np.float64)
    matrix[:3] *= scene.unit_settings.scale_length
    return matrix


def placed(matrix, positions):
    return positions @ matrix[:3, :3].T + matrix[:3, 3]


def deforms(item):
    """Whether anything above Pliant's modifier may move the vertices of a cloth."""
    modifier = item.modifiers.get(MODIFIER)
    above = [each for each in item.modifiers if each != modifier][: item.modifiers.find(MODIFIER) if modifier else None]
    return bool(above) or (item.data.shape_keys is not None)


@contextlib.contextmanager
def inputs(cloths, depsgraph):
    """Within it, cloths are as the modifiers above Pliant have them."""
    switched = []
    for item in cloths:
        at = item.modifiers.find(MODIFIER)
        for each in (each for each in list(item.modifiers)[at:] if at >= 0 and (each.show_viewport or each.show_render)):
            switched.append((each, each.show_viewport, each.show_render))
            each.show_viewport = each.show_render = False
    try:
        if switched:
            depsgraph.update()
        yield
    finally:
        for each, viewport, render in switched:
            each.show_viewport, each.show_render = viewport, render
        if switched:
            depsgraph.update()


def _group(item, name, what):
    if name not in item.vertex_groups:
        raise Error(f"{item.name}: the vertex group '{name}' of {what} does not exist; choose another")
    return name


def _file(number, name):
    return f"{number:02d}-" + (re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40] or "object")


def _cloth(number, item, depsgraph, scene):
    own = item.pliant.cloth
    names = [_group(item, row.vertex_group, f"painted {row.what}") for row in own.painted]
    names += [_group(item, own.pins, "pins")] if own.pins else []
    positions, sizes, corners, weights = arrays(item, depsgraph, names)
    if len(sizes) == 0:
        raise Error(f"{item.name} has no faces; cloth needs some")
    matrix = to_world(item, depsgraph, scene)
    if abs(np.linalg.det(matrix[:3, :3])) < 1e-30:
        raise Error(f"{item.name} has a scale of 0; give it another")
    pins = np.flatnonzero(weights[-1] > PINNED).astype(np.int32) if own.pins else np.empty(0, np.int32)
    if own.pins and len(pins) == 0:
        raise Error(f"{item.name}: no vertex of the group '{own.pins}' has a weight above {PINNED}; assign some, or clear Pins")
    twice = sorted(row.what for row in own.painted)
    for what in twice:
        if twice.count(what) > 1:
            raise Error(f"{item.name}: {what} is painted twice; remove one of them")
    painted = [(row.what, weights[i]) for i, row in enumerate(own.painted)]
    made = Cloth(item.name, _file(number, item.name), placed(matrix, positions).astype(np.float32), sizes, corners, pins, painted)
    if own.sew:
        made.seams = loose_edges(item, depsgraph)
        made.closing = _closing(made, own)
    return made


def _closing(cloth, own):
    """The last slack leaves the gap to the longest of the edges."""
    ends = cloth.positions[cloth.seams]
    longest = max(float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).max()), 1e-9)
    return [[0.0, 1.0], [max(short(own.seam_time), 0.001), max(short(min(1.0, own.seam_gap / longest)), 1e-4)]]


def plan(scene, depsgraph):
    """What the world is made of, at the scene's current frame."""
    cloths = objects(scene, "CLOTH")
    if not cloths:
        raise Error("no mesh object of this scene is cloth; choose Pliant: Cloth in the physics properties of one")
    with inputs(cloths, depsgraph):
        made = [_cloth(i, item, depsgraph, scene) for i, item in enumerate(cloths)]
    colliders = []
    for i, item in enumerate(objects(scene, "COLLIDER")):
        positions, sizes, corners, _ = arrays(item, depsgraph)
        if len(sizes) == 0:
            raise Error(f"the collider {item.name} has no faces; give it some, or choose Pliant: Nothing")
        at = placed(to_world(item, depsgraph, scene), positions).astype(np.float32)
        colliders.append(Collider(item.name, _file(i, item.name), at, sizes, corners))
    found = Plan(made, colliders, None, _gust_size(scene))
    found.first = moment(scene, depsgraph, found)
    return found


def fields(scene, kinds=("WIND", "TURBULENCE")):
    """Force fields that act, by name."""
    return [item for item in sorted(scene.objects, key=lambda o: o.name)
            if item.field and item.field.type in kinds and not item.hide_viewport]


def ignored(scene):
    """Lines about force fields that Blender simulates and Pliant does not, with what to do."""
    lines = []
    for item in scene.objects:
        field = item.field
        if not field or field.type == "NONE" or item.hide_viewport:
            continue
        if field.type not in ("WIND", "TURBULENCE"):
            kind = field.bl_rna.properties["type"].enum_items[field.type].name
            lines.append(f"{item.name}: force fields of the type {kind} are not simulated; use Wind or Turbulence, or disable the object in viewports")
        elif field.falloff_power or field.use_max_distance or field.use_min_distance:
            lines.append(f"{item.name}: its falloff is not simulated; it blows everywhere with the same strength")
    return lines


def _gust_size(scene):
    sizes = [each.field.size * scene.unit_settings.scale_length for each in fields(scene, ("TURBULENCE",)) if each.field.size > 0]
    return max(sizes) if sizes else 0.0


def _wind(scene, depsgraph):
    wind = np.zeros(3)
    for item in fields(scene, ("WIND",)):
        item = item.evaluated_get(depsgraph)
        axis = np.array(item.matrix_world, np.float64)[:3, 2]
        wind += item.field.strength * axis / max(np.linalg.norm(axis), 1e-30)
    return wind


def moment(scene, depsgraph, plan):
    """What moves, now."""
    cloths = [scene.objects.get(each.name) for each in plan.cloths]
    colliders = [scene.objects.get(each.name) for each in plan.colliders]
    for each, item in zip(plan.cloths + plan.colliders, cloths + colliders):
        if item is None:
            raise Error(f"{each.name} is gone or has another name; go back to the first frame")
    matrices = [to_world(item, depsgraph, scene) for item in cloths]
    pins = [np.empty((0, 3))] * len(cloths)
    moving = [item for item, each in zip(cloths, plan.cloths) if len(each.pins) and deforms(item)]
    with inputs(moving, depsgraph):
        for i, (item, each) in enumerate(zip(cloths, plan.cloths)):
            if len(each.pins):
                pins[i] = placed(matrices[i], _pinned(item, each, depsgraph, item in moving))
    meshes = []
    for item, each in zip(colliders, plan.colliders):
        positions = arrays(item, depsgraph)[0]
        if len(positions) != len(each.positions):
            raise Error(f"the collider {each.name} has {len(positions)} vertices at frame {scene.frame_current} and "
                        f"{len(each.positions)} at the first; its modifiers must not change that number")
        meshes.append(placed(to_world(item, depsgraph, scene), positions).astype(np.float32))
    gravity = np.array(scene.gravity, np.float64) * scene.unit_settings.scale_length if scene.use_gravity else np.zeros(3)
    gusts = sum(abs(each.evaluated_get(depsgraph).field.strength) for each in fields(scene, ("TURBULENCE",)))
    return Moment(_wind(scene, depsgraph).astype(np.float32), float(np.float32(gusts)), gravity.astype(np.float32), pins, meshes,
                  [np.linalg.inv(each) for each in matrices])


def _pinned(item, cloth, depsgraph, evaluated):
    """Where its pinned vertices are, in its own units, without the simulation."""
    if evaluated:
        found = arrays(item, depsgraph)[0]
        if len(found) != len(cloth.positions):
            raise Error(f"{item.name} has {len(found)} vertices above Pliant's modifier and had {len(cloth.positions)} at the "
                        "first frame; modifiers must not change that number")
        return found[cloth.pins]
    return np.array([item.data.vertices[int(i)].co for i in cloth.pins], np.float64)
