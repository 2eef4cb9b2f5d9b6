"""Runs inside of Blender: installs the archive as a user does, and writes what it finds as JSON. test_addon.py judges."""
import json
import math
import os
import sys

import bpy

ARCHIVE, OUT = sys.argv[sys.argv.index("--") + 1:]
sys.modules["cffi"] = None  # As in the builds of blender.org, which have no cffi.
found = {}
END = 25


def evaluated(name):
    item = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [list(item.matrix_world @ vertex.co) for vertex in item.data.vertices]


def playback(names, frames):
    seen = {name: [] for name in names}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for name in names:
            seen[name].append(evaluated(name))
    return seen


def refused(operator, **options):
    """What Blender shows when an operator reports an error."""
    try:
        operator(**options)
    except RuntimeError as failure:
        return str(failure)
    return ""


def sheet(name, size, squares, height):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=squares, y_subdivisions=squares, size=size, location=(0, 0, height))
    item = bpy.context.object
    item.name = name
    item.pliant.kind = "CLOTH"
    item.pliant.cloth.self_collision = True
    return item


def group(item, name, weight):
    made = item.vertex_groups.new(name=name)
    for vertex in item.data.vertices:
        made.add([vertex.index], max(0.0, min(1.0, weight(vertex.co))), "REPLACE")
    return name


def skeleton():
    """Two bones in a row along x; the second turns."""
    bpy.ops.object.armature_add(location=(-0.5, 0, 0.4))
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    first = rig.data.edit_bones[0]
    first.name, first.head, first.tail = "upper", (0, 0, 0), (0.5, 0, 0)
    second = rig.data.edit_bones.new("lower")
    second.head, second.tail, second.parent = (0.5, 0, 0), (1.0, 0, 0), first
    bpy.ops.object.mode_set(mode="OBJECT")
    bone = rig.pose.bones["lower"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (END, 70.0)):
        bone.rotation_euler = (0, 0, math.radians(angle))
        bone.keyframe_insert("rotation_euler", frame=frame)
    return rig


def follow(item, rig, bend):
    """Binds an object to the bones: what is beyond `bend` follows the second."""
    group(item, "upper", lambda co: float(co.x <= bend))
    group(item, "lower", lambda co: float(co.x > bend))
    item.modifiers.new("bones", "ARMATURE").object = rig


def character():
    """A cloth over an arm that an armature moves, a cape whose pins it moves too, a flag on a pole that moves, and wind."""
    scene = bpy.context.scene
    scene.frame_end, scene.pliant.checkpoint = END, 10
    rig = skeleton()
    bpy.ops.mesh.primitive_cube_add(size=0.12, location=(0, 0, 0.4))
    arm = bpy.context.object
    arm.name, arm.scale = "Arm", (8, 1, 1)
    bpy.ops.object.transform_apply(location=False, scale=True)
    arm.modifiers.new("finer", "SUBSURF").subdivision_type = "SIMPLE"
    arm.modifiers["finer"].levels = 3
    follow(arm, rig, 0.02)
    arm.pliant.kind = "COLLIDER"
    arm.pliant.collider.friction = 0.6
    sheet("Cloth", 0.5, 14, 0.52)
    cape = sheet("Cape", 0.4, 8, 0.9)
    follow(cape, rig, 0.0)
    bpy.ops.object.modifier_move_to_index(modifier="bones", index=0)  # Above Pliant.
    cape.pliant.cloth.pins = group(cape, "pins", lambda co: float(co.x > 0.19))
    cape.pliant.cloth.model = "isometric"
    cape.pliant.cloth.bending.isometric.rigidity = 1e-4
    flag = sheet("Flag", 0.4, 8, 1.5)
    flag.rotation_euler = (math.radians(90), 0, 0)
    flag.pliant.cloth.pins = group(flag, "pole", lambda co: float(co.x < -0.19))
    flag.pliant.cloth.material.preset = "silk"
    painted = flag.pliant.cloth.painted.add()
    painted.what, painted.low, painted.high = "density", 0.1, 0.3
    painted.vertex_group = group(flag, "weight", lambda co: co.x + 0.5)
    for frame, x in ((1, 0.0), (END, 0.3)):
        flag.location.x = x
        flag.keyframe_insert("location", frame=frame)
    bpy.ops.object.effector_add(type="WIND", location=(-2, 0, 1), rotation=(0, math.radians(90), 0))
    bpy.context.object.name = "Wind"
    bpy.context.object.field.strength = 3.0
    bpy.context.object.field.keyframe_insert("strength", frame=1)
    bpy.context.object.field.strength = 6.0
    bpy.context.object.field.keyframe_insert("strength", frame=END)


def binding():
    from pliant_blender import binding as B
    import ctypes
    kinds = {name: kind for name, kind in vars(B).items() if isinstance(kind, type) and issubclass(kind, ctypes.Structure)}
    return {name: {"size": ctypes.sizeof(kind), "fields": {row[0]: getattr(kind, row[0]).offset for row in kind._fields_}}
            for name, kind in kinds.items() if name.startswith("pli_")}


def known():
    from pliant_blender import cache
    return cache.baked(bpy.context.scene)


def live(frames):
    """Hashes of playback without a bake."""
    from pliant_blender import live as module
    hashes = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        session = module.running(bpy.context.scene)
        hashes.append(session.session.hash() if session else bpy.context.scene.pliant.message)
    return hashes


def stopped(advances):
    """A bake that is stopped after some of its steps, then resumed."""
    from pliant_blender import bake
    made = bake.Bake(bpy.context)
    shares = []
    for _ in range(advances):
        made.advance()
        shares.append(made.share())
    made.close()
    return {"frames": known()["frames"], "shares": shares}


def falling():
    """Sheets that fall free: in metres, and in a file whose unit is a centimetre, along gravity that points elsewhere."""
    rows = []
    for scale, gravity in ((1.0, (0, 0, -9.81)), (0.01, (0, 0, -981.0)), (1.0, (3.0, 0, 0))):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        scene = bpy.context.scene
        scene.unit_settings.scale_length, scene.gravity, scene.pliant.air_density = scale, gravity, 0.0
        sheet("Sheet", 0.5 / scale, 4, 2.0 / scale)
        before = evaluated("Sheet")
        after = playback(["Sheet"], range(1, 14))["Sheet"][-1]
        moved = [[b - a for a, b in zip(x, y)] for x, y in zip(before, after)]
        rows.append({"scale": scale, "gravity": gravity, "seconds": 0.5, "moved": moved})
    return rows


def guessed():
    """The monkey, a ball and a tube without a number of theirs: kind, pins, and heights at the start and after two seconds."""
    seen = {}
    for name, add in (("Monkey", lambda: bpy.ops.mesh.primitive_monkey_add(size=1, location=(0, 0, 1))),
                      ("Ball", lambda: bpy.ops.mesh.primitive_uv_sphere_add(segments=20, ring_count=12, radius=0.4, location=(0, 0, 1))),
                      ("Tube", lambda: bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.3, depth=1, end_fill_type="NOTHING", location=(0, 0, 1)))):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        add()
        item, scene = bpy.context.object, bpy.context.scene
        item.name = name
        if name == "Tube":
            item.modifiers.new("finer", "SUBSURF").subdivision_type = "SIMPLE"
            item.modifiers["finer"].levels = 2
        bpy.context.view_layer.update()
        low = min((item.matrix_world @ v.co).z for v in item.data.vertices)
        item.pliant.kind = "CLOTH"
        bpy.ops.mesh.primitive_plane_add(size=8, location=(0, 0, low - 0.03))
        bpy.context.object.pliant.kind = "COLLIDER"
        frames = playback([name], range(1, 50))[name]
        height = lambda at: max(p[2] for p in at) - min(p[2] for p in at)
        cloth = item.pliant.cloth
        seen[name] = {"reason": cloth.reason, "pins": cloth.pins, "joints": len(cloth.joints), "model": cloth.model, "inflate": cloth.inflate,
                      "substeps": scene.pliant.substeps, "message": scene.pliant.message, "kept": height(frames[-1]) / height(frames[0])}
    cloth.taken_for = "SHELL"
    seen["Tube"]["changed"] = [cloth.reason, cloth.pins, cloth.model]
    cloth.taken_for = "BALLOON"
    seen["Tube"]["refused"] = cloth.reason
    return seen


def mistakes():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    said = {"unsaved": refused(bpy.ops.pliant.bake)}
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(OUT, "mistakes.blend"))
    said["nothing"] = refused(bpy.ops.pliant.bake)
    item = sheet("Sheet", 1, 4, 1)
    said["resume"] = refused(bpy.ops.pliant.resume)
    item.pliant.cloth.pins = "none"
    said["group"] = refused(bpy.ops.pliant.bake)
    item.vertex_groups.new(name="none")
    said["empty"] = refused(bpy.ops.pliant.check)
    item.pliant.cloth.pins = ""
    painted = item.pliant.cloth.painted.add()
    painted.vertex_group, painted.what, painted.low = "none", "density", -1.0
    said["value"] = refused(bpy.ops.pliant.bake)
    bpy.context.scene.frame_set(1)
    said["live"] = bpy.context.scene.pliant.message
    return said


bpy.ops.preferences.addon_install(filepath=ARCHIVE, overwrite=True)
bpy.ops.preferences.addon_enable(module="pliant_blender")
found["binding"] = binding()
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
character()
FILE = os.path.join(OUT, "walk.blend")
bpy.ops.wm.save_as_mainfile(filepath=FILE)
FRAMES, NAMES = range(1, END + 1), ["Cape", "Cloth", "Flag"]
found["live"] = live(FRAMES)
found["shown_live"] = playback(NAMES, FRAMES)
bpy.ops.pliant.free()
bpy.ops.pliant.bake()
found["baked"] = known()
found["playback"] = playback(NAMES, FRAMES)
bpy.ops.pliant.export(filepath=os.path.join(OUT, "exported", "walk.json"))
bpy.ops.wm.save_mainfile()
bpy.ops.wm.open_mainfile(filepath=FILE)
found["reloaded"] = playback(NAMES, reversed(FRAMES))
bpy.ops.pliant.free()
found["live_reloaded"] = live(FRAMES)
found["stopped"] = stopped(END + 1 + 13)
bpy.ops.pliant.resume()
found["resumed"] = known()
bpy.data.objects["Arm"].pliant.collider.friction = 0.1
found["changed"] = refused(bpy.ops.pliant.resume)
found["again"] = refused(bpy.ops.pliant.bake)
bpy.ops.preferences.addon_disable(module="pliant_blender")
found["without"] = playback(NAMES, FRAMES)
bpy.ops.preferences.addon_enable(module="pliant_blender")
found["falling"] = falling()
found["guessed"] = guessed()
found["mistakes"] = mistakes()
json.dump(found, open(os.path.join(OUT, "found.json"), "w"))
