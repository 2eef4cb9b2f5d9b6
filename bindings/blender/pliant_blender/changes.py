"""Tells whether a bake is out of date. A bake stores digests of everything that it was made from, by object and kind; the current digests
are compared with them. They do not depend on the current frame: of an animated value, the digest has the keyframes, not the value."""
import functools
import hashlib
import json
import time

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import cache, sampling, scene_file

# Properties of Blender that no simulation depends on.
UNUSED = {"rna_type", "name", "name_full", "location_3d", "show_expanded", "show_in_editmode", "show_on_cage", "show_render", "is_active", "active",
          "error_location", "error_rotation", "execution_time", "library", "asset_data", "tag", "use_fake_user", "preview", "animation_data",
          "view_center", "width", "height", "width_hidden", "color", "use_custom_color", "select", "hide", "dimensions", "particles", "child_particles",
          "point_cache"}
TRANSFORM = ("location", "rotation_mode", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale", "delta_location",
             "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale", "matrix_parent_inverse", "parent_type", "parent_bone")
DEPTH = 6


def _digest(rows):
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def _numbers(collection, attribute, width, kind=np.float32):
    values = np.empty(width * len(collection), kind)
    collection.foreach_get(attribute, values)
    return hashlib.sha256(values.tobytes()).hexdigest()[:16]


def _plain(value):
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "to_dict"):
        return sorted((key, _plain(each)) for key, each in value.items())
    return [_plain(each) for each in value] if hasattr(value, "__len__") and not isinstance(value, str) else value


class _Reader:
    """Digests of datablocks and of those that they depend on."""

    def __init__(self):
        self.known = {}

    def of(self, block):
        """The digest of a datablock; a block that depends on itself counts once."""
        key = (type(block).__name__, block.name_full)
        if key not in self.known:
            self.known[key] = ""
            self.known[key] = _digest(sorted(self.kinds(block).items()) if isinstance(block, bpy.types.Object) else self.data(block))
        return self.known[key]

    def kinds(self, item, until=None):
        """{kind: digest} of an object; modifiers as far as the one called `until`."""
        animated = self.animated(item)
        modifiers = [each for each in item.modifiers if each.name != sampling.MODIFIER]
        if until and until in item.modifiers:
            modifiers = list(item.modifiers)[:item.modifiers.find(until)]
        weights = [(group.name, group.index) for group in item.vertex_groups]
        if weights and item.type == "MESH":
            weights += [[(entry.group, round(entry.weight, 7)) for entry in vertex.groups] for vertex in item.data.vertices]
        return {"mesh": _digest([item.data and self.of(item.data), weights]),
                "modifiers": _digest([(each.type, self.values(each, animated)) for each in modifiers]),
                "motion": _digest(self.motion(item, animated))}

    def motion(self, item, animated):
        rows = [_plain(getattr(item, name)) for name in TRANSFORM if name not in animated]
        rows += [item.parent and self.of(item.parent), self.animation(item)]
        rows += [(each.type, self.values(each, animated)) for each in item.constraints]
        for bone in item.pose.bones if item.pose else ():
            rows += [bone.name, [(each.type, self.values(each, animated)) for each in bone.constraints]]
            rows += [_plain(getattr(bone, name)) for name in TRANSFORM[:6] if bone.path_from_id(name) not in animated]
        return rows + self.custom(item, {f"None{path}" for path in animated if path.startswith("[")})

    def data(self, block):
        if isinstance(block, bpy.types.Mesh):
            rows = [_numbers(block.vertices, "co", 3), _numbers(block.edges, "vertices", 2, np.int32),
                    _numbers(block.polygons, "loop_total", 1, np.int32), _numbers(block.loops, "vertex_index", 1, np.int32)]
            rows += [_numbers(block.edges, "crease", 1)] if hasattr(bpy.types.MeshEdge, "crease") else []
            return rows + [block.shape_keys and self.of(block.shape_keys)]
        if isinstance(block, bpy.types.Key):
            animated = self.animated(block)
            rows = [(key.name, _numbers(key.data, "co", 3), key.mute, key.relative_key.name, key.vertex_group,
                     None if key.path_from_id("value") in animated else key.value) for key in block.key_blocks]
            return rows + self.animation(block)
        if isinstance(block, bpy.types.Armature):
            return [(bone.name, bone.parent and bone.parent.name, _plain(bone.matrix_local), bone.length, bone.use_deform, bone.inherit_scale,
                     bone.use_inherit_rotation) for bone in block.bones]
        return self.values(block, self.animated(block)) + self.animation(block) + self.custom(block)

    def values(self, owner, animated, depth=0):
        """All properties of a struct that can be set, and those of what is in it."""
        rows = self.custom(owner, animated) if isinstance(owner, bpy.types.Modifier) else []
        for prop in owner.bl_rna.properties:
            name = prop.identifier
            if name in UNUSED or (name == "location" and isinstance(owner, bpy.types.Node)):
                continue
            if prop.type == "POINTER":
                rows.append((name, self.pointer(getattr(owner, name), animated, depth)))
            elif prop.type == "COLLECTION":
                rows.append((name, [self.pointer(each, animated, depth) for each in getattr(owner, name)]))
            elif not prop.is_readonly and self.path(owner, name) not in animated:
                rows.append((name, _plain(getattr(owner, name))))
        return rows

    def pointer(self, value, animated, depth):
        if isinstance(value, (bpy.types.Material, bpy.types.Scene, bpy.types.Image)):
            return value.name_full
        if isinstance(value, bpy.types.ID):
            return self.of(value)
        return self.values(value, animated, depth + 1) if value is not None and depth < DEPTH else None

    @staticmethod
    def path(owner, *name):
        try:
            return owner.path_from_id(*name)
        except ValueError:
            return None

    def custom(self, owner, animated=()):
        """Properties that a user adds, and the inputs of a group of nodes."""
        try:
            rows = sorted(owner.items(), key=lambda row: row[0])
        except TypeError:
            return []
        return [(key, value.name_full if isinstance(value, bpy.types.ID) else _plain(value)) for key, value in rows
                if key not in ("pliant", "cycles", "_RNA_UI") and f'{self.path(owner)}["{key}"]' not in animated]

    @staticmethod
    def curves(block):
        data = block.animation_data
        actions = [data.action] if data and data.action else []
        actions += [strip.action for track in (data.nla_tracks if data else ()) for strip in track.strips if strip.action]
        return [curve for action in actions for curve in action.fcurves]

    def animated(self, block):
        drivers = block.animation_data.drivers if block.animation_data else []
        return {curve.data_path for curve in [*self.curves(block), *drivers]}

    def animation(self, block):
        """Keyframes and drivers."""
        data = block.animation_data
        if not data:
            return []
        rows = [(curve.data_path, curve.array_index, curve.extrapolation, curve.mute, [key.interpolation for key in curve.keyframe_points],
                 *(_numbers(curve.keyframe_points, each, 2) for each in ("co", "handle_left", "handle_right")),
                 [self.values(each, ()) for each in curve.modifiers]) for curve in self.curves(block)]
        rows += [(track.mute, [self.strip(each) for each in track.strips]) for track in data.nla_tracks]
        for curve in data.drivers:
            targets = [[(each.id and (each.id.name_full if isinstance(each.id, bpy.types.Scene) else self.of(each.id)), each.data_path, each.bone_target,
                         each.transform_type, each.transform_space) for each in variable.targets] for variable in curve.driver.variables]
            rows.append((curve.data_path, curve.array_index, curve.driver.type, curve.driver.expression, targets))
        return rows

    @staticmethod
    def strip(strip):
        return [_plain(getattr(strip, name)) for name in ("frame_start", "frame_end", "action_frame_start", "action_frame_end", "scale", "repeat",
                                                          "blend_type", "extrapolation", "mute", "use_reverse", "influence")]


def _cloth(own):
    """Settings of a cloth, with the names of its groups."""
    seam = [own.seam_time, own.seam_gap, own.seam_compliance] if own.sew else []
    return [scene_file.sheet(own), own.pins, own.joints, [row.vertex_group for row in own.painted], seam]


def current(scene):
    """{what: digest} of everything that a bake of the scene depends on."""
    reader = _Reader()
    found = {"scene/settings": _digest(json.dumps([scene_file.solver(scene.pliant), scene.pliant.ccd])),
             "scene/frame range": _digest([scene.frame_start, scene.frame_end, scene_file.rate(scene)]),
             "scene/gravity and units": _digest([scene.use_gravity, "gravity" not in reader.animated(scene) and _plain(scene.gravity),
                                                scene.unit_settings.scale_length, reader.animation(scene)])}
    for item in sampling.objects(scene, "CLOTH"):
        found |= {f"{item.name}/{kind}": digest for kind, digest in reader.kinds(item, sampling.MODIFIER).items()}
        found[f"{item.name}/cloth settings"] = _digest(json.dumps(_cloth(item.pliant.cloth)))
    for item in sampling.objects(scene, "COLLIDER"):
        found |= {f"{item.name}/{kind}": digest for kind, digest in reader.kinds(item).items()}
        found[f"{item.name}/collider settings"] = _digest(json.dumps(scene_file.colliding(item.pliant.collider)))
    for item in sampling.fields(scene):
        own = [_plain(getattr(item.field, each)) for each in ("type", "strength", "size") if f"field.{each}" not in reader.animated(item)]
        found[f"{item.name}/force field"] = _digest([own, reader.kinds(item)["motion"]])
    return found


def words(before, now):
    """What differs, as "Flag: cloth settings, motion", a line for each object."""
    lines = {}
    for key in sorted(before.keys() | now.keys()):
        name, kind = key.rsplit("/", 1)
        if before.get(key) != now.get(key):
            lines.setdefault(name, []).append(kind)
    made, gone = ({key.rsplit("/", 1)[0] for key in each} for each in (now, before))
    return [f"{name}: {'added' if name not in gone else 'removed' if name not in made else ', '.join(kinds)}" for name, kinds in lines.items()]


_seen = {}  # {name of a scene: (lines, time of the next comparison)}
_waiting = set()  # Names of scenes for which a comparison is scheduled.


def _compare(scene):
    """Comparisons take at most a twentieth of the time of the window."""
    begun = time.monotonic()
    known = cache.baked(scene)
    lines = words(known["inputs"], current(scene)) if known and "inputs" in known else []
    ended = time.monotonic()
    _seen[scene.name] = (lines, ended + max(0.25, 20.0 * (ended - begun)))
    return lines


def of(scene):
    """Lines that say what has changed since the bake; none where the bake is up to date, or where there is none. In a window it is the
    last comparison, and another one follows."""
    if bpy.app.background or scene.name not in _seen:
        return _compare(scene)
    lines, due = _seen[scene.name]
    if scene.name not in _waiting:
        _waiting.add(scene.name)
        bpy.app.timers.register(functools.partial(_compare_again, scene.name), first_interval=max(0.05, due - time.monotonic()))
    return lines


def _compare_again(name):
    """Redraws where something else is found than is shown."""
    _waiting.discard(name)
    scene, shown = bpy.data.scenes.get(name), _seen.get(name, (None,))[0]
    if scene and _compare(scene) != shown:
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                area.tag_redraw()


@persistent
def forget(*_):
    """Compares again at the next drawing. Loading a file removes timers."""
    _seen.clear()
    _waiting.clear()


def header(self, context):
    """A note and the cure in the header of 3D views."""
    lines = of(context.scene)
    if lines:
        row = self.layout.row(align=True)
        row.alert = True
        row.label(text="Settings have changed since the bake", icon="ERROR")
        row.operator("pliant.bake", text="Update", icon="FILE_REFRESH")


HANDLERS = ("undo_post", "redo_post", "load_post")


def register():
    for name in HANDLERS:
        getattr(bpy.app.handlers, name).append(forget)
    bpy.types.VIEW3D_HT_header.append(header)


def unregister():
    bpy.types.VIEW3D_HT_header.remove(header)
    for name in HANDLERS:
        if forget in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(forget)
    forget()
