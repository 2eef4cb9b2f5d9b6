"""Runs inside of Blender: installs the archive as a user does, and writes what it finds as JSON. test_addon.py judges."""
import json
import math
import os
import shutil
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
    from pliant_blender import bake, live as module
    made = bake.Bake(bpy.context)
    fractions, played = [], False
    for _ in range(advances):
        made.advance()
        fractions.append(made.fraction())
        played = played or module.running(bpy.context.scene) is not None
    made.close()
    return {"frames": known()["frames"], "fractions": fractions, "played": played}


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


def changed():
    from pliant_blender import changes
    return changes.of(bpy.context.scene)


def edits():
    """The walk's bake beside edits, each of which is undone: {edit: [lines with it, lines without it]}."""
    scene, objects = bpy.context.scene, bpy.data.objects
    rig = objects["Armature"]
    turn = [curve for curve in rig.animation_data.action.fcurves if curve.array_index == 2][0].keyframe_points[1]
    blow = objects["Wind"].animation_data.action.fcurves[0].keyframe_points[1]
    bpy.ops.object.light_add()
    rows = {"material": (objects["Flag"].pliant.cloth.material, "preset", "denim"), "friction": (objects["Arm"].pliant.collider, "friction", 0.3),
            "vertex": (objects["Cloth"].data.vertices[3], "co", (0.1, 0.2, 0.3)), "collider": (objects["Arm"].data.vertices[0], "co", (0, 0, 0)),
            "bone": (turn, "co", (END, 0.5)), "wind": (blow, "co", (END, 5.0)), "level": (objects["Arm"].modifiers["finer"], "levels", 2),
            "parent": (objects["Cloth"], "parent", rig), "end": (scene, "frame_end", END + 5), "rate": (scene.render, "fps", 30),
            "substeps": (scene.pliant, "substeps", 33), "gravity": (scene, "gravity", (0, 0, -1)), "pins": (objects["Flag"].pliant.cloth, "pins", ""),
            "threads": (scene.pliant, "threads", 7), "lamp": (objects["Point"], "location", (9, 9, 9)), "colour": (objects["Flag"], "color", (1, 0, 0, 1))}
    seen = {}
    for name, (owner, key, value) in rows.items():
        before = getattr(owner, key)
        before = tuple(before) if hasattr(before, "__len__") and not isinstance(before, str) else before
        setattr(owner, key, value)
        lines = changed()
        setattr(owner, key, before)
        seen[name] = [lines, changed()]
    group = objects["Flag"].vertex_groups["pole"]
    group.add([40], 1.0, "REPLACE")
    seen["weights"] = [changed()]
    group.add([40], 0.0, "REPLACE")
    seen["weights"].append(changed())
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.pliant.kind = "COLLIDER"
    seen["added"] = [changed()]
    bpy.data.objects.remove(bpy.context.object)
    seen["added"].append(changed())
    bpy.data.objects.remove(objects["Point"])
    return seen


def updates():
    """Baking again after a change of a number, of the mesh, and one that is refused."""
    sheet = bpy.data.objects["Cloth"]
    bpy.ops.pliant.bake()
    seen = {"first": known()["hashes"][-1], "first_changed": changed()}
    sheet.pliant.cloth.pins = "none"
    seen["refused"] = [refused(bpy.ops.pliant.bake), known()["hashes"][-1], changed()]
    sheet.pliant.cloth.pins = ""
    painted = sheet.pliant.cloth.painted.add()
    painted.vertex_group, painted.what, painted.low = group(sheet, "some", lambda co: 0.0), "density", -1.0
    seen["rejected"] = [refused(bpy.ops.pliant.bake), known()["hashes"][-1], len(playback(["Cloth"], [END])["Cloth"][0])]
    sheet.pliant.cloth.painted.remove(0)
    bpy.context.view_layer.objects.active = sheet
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    seen["subdivided"] = changed()
    bpy.ops.pliant.bake()
    bpy.context.scene.frame_set(END)
    return seen | {"second": known()["hashes"][-1], "second_changed": changed(), "vertices": len(evaluated("Cloth"))}


def checked():
    """Check of cotton as it is by default, of a membrane of leather and of edges that are swept, beside the scenes that it checks."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_end = 3
    for name, x in (("Default", 0), ("Leather", 3), ("Swept", 6)):
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, size=2, location=(x, 0, 1))
        item = bpy.context.object
        item.name, item.pliant.kind = name, "CLOTH"
    bpy.data.objects["Leather"].pliant.cloth.material.preset = "leather"
    swept = bpy.data.objects["Swept"].pliant.cloth
    swept.model, swept.bending.dihedral.rigidity = "dihedral", 1e-3
    seen = {}
    for keep in (["Default"], ["Default", "Leather", "Swept"]):
        for item in bpy.data.objects:
            item.pliant.kind = "CLOTH" if item.name in keep else "NONE"
        bpy.ops.pliant.check()
        bpy.ops.pliant.export(filepath=os.path.join(OUT, f"checked{len(keep)}", "scene.json"))
        seen[len(keep)] = bpy.context.scene.pliant.message.split("\n")
    return seen


def sewn():
    """Two panels whose upper and side borders are joined by loose edges, live and baked; what is said without such edges; force fields."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(OUT, "sewn.blend"))
    scene, squares = bpy.context.scene, 8
    scene.frame_end, scene.gravity = END, (0, 0, 0)
    at = [(0.4 * i / squares - 0.2, y, 0.4 * j / squares) for y in (-0.06, 0.06) for j in range(squares + 1) for i in range(squares + 1)]
    row, whole = squares + 1, (squares + 1) ** 2
    faces = [(o + j * row + i, o + j * row + i + 1, o + (j + 1) * row + i + 1, o + (j + 1) * row + i)
             for o in (0, whole) for j in range(squares) for i in range(squares)]
    border = [j * row + i for j in range(row) for i in range(row) if i in (0, squares) or j == squares]
    mesh = bpy.data.meshes.new("Bag")
    mesh.from_pydata(at, [(v, v + whole) for v in border], faces)
    bag = bpy.data.objects.new("Bag", mesh)
    scene.collection.objects.link(bag)
    bag.pliant.cloth.taken_for = "CLOTH"
    bag.pliant.kind, bag.pliant.cloth.self_collision, bag.pliant.cloth.sew = "CLOTH", True, True
    bag.pliant.cloth.pins, bag.pliant.cloth.seam_time = "", 0.5
    seen = {"live": live(FRAMES)}
    bpy.ops.pliant.free()
    bpy.ops.pliant.bake()
    seen["hashes"] = known()["hashes"]
    gap = lambda positions: max(math.dist(positions[v], positions[v + whole]) for v in border)
    played = playback(["Bag"], (1, 7, END))["Bag"]
    seen["gaps"] = [gap(each) for each in played]
    bag.pliant.cloth.seam_gap = 0.01
    seen["changed"] = changed()
    sheet("Sheet", 0.5, 4, 2).pliant.cloth.sew = True
    seen["no edges"] = refused(bpy.ops.pliant.check)
    bpy.data.objects.remove(bpy.data.objects["Sheet"])
    for kind in ("VORTEX", "WIND"):
        bpy.ops.object.effector_add(type=kind)
        bpy.context.object.name = kind
    bpy.context.object.field.falloff_power = 2.0
    bpy.ops.pliant.check()
    seen["fields"] = scene.pliant.message
    bpy.data.objects["VORTEX"].hide_viewport = True
    bpy.ops.pliant.check()
    seen["hidden"] = scene.pliant.message
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
shutil.copytree(os.path.join(OUT, "pliant_cache/walk/Scene"), os.path.join(OUT, "baked"))
found["playback"] = playback(NAMES, FRAMES)
bpy.ops.pliant.export(filepath=os.path.join(OUT, "exported", "walk.json"))
bpy.ops.wm.save_mainfile()
bpy.ops.wm.open_mainfile(filepath=FILE)
found["reloaded"] = playback(NAMES, reversed(FRAMES))
found["up_to_date"] = [changed() for frame in (1, 9, END) if bpy.context.scene.frame_set(frame) is None]
found["edits"] = edits()
bpy.ops.pliant.free()
found["live_reloaded"] = live(FRAMES)
found["stopped"] = stopped(END + 1 + 13)
bpy.ops.pliant.resume()
found["resumed"] = known()
bpy.data.objects["Arm"].pliant.collider.friction = 0.1
found["changed"] = refused(bpy.ops.pliant.resume)
bpy.ops.preferences.addon_disable(module="pliant_blender")
found["without"] = playback(NAMES, FRAMES)
bpy.ops.preferences.addon_enable(module="pliant_blender")
found["updates"] = updates()
found["checked"] = checked()
found["sewn"] = sewn()
found["falling"] = falling()
found["guessed"] = guessed()
found["mistakes"] = mistakes()
json.dump(found, open(os.path.join(OUT, "found.json"), "w"))
