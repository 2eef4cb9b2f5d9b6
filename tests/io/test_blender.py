"""Blender imports PLY, OBJ, glTF and GLB and plays PC2 and MDD through its Mesh Cache modifier."""
import json
import os
import subprocess

import numpy as np

from recording import FRAMES, check, folder, record

INSIDE = r'''
import json, sys
import numpy
numpy.bool, numpy.int, numpy.float = bool, int, float  # Blender 3.4's glTF importer needs them.
import bpy

out, frames = sys.argv[sys.argv.index("--") + 1], int(sys.argv[sys.argv.index("--") + 2])
found = {}


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 60


def positions(item):
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [list(evaluated.matrix_world @ v.co) for v in evaluated.data.vertices]


clear()
bpy.ops.import_mesh.ply(filepath=f"{out}/first_{frames:04d}.ply")
found["ply"] = positions(bpy.context.selected_objects[0])
clear()
bpy.ops.wm.obj_import(filepath=f"{out}/first_{frames:04d}.obj", forward_axis="Y", up_axis="Z")
found["obj"] = positions(bpy.context.selected_objects[0])
for kind in ("pc2", "mdd"):
    clear()
    bpy.ops.wm.obj_import(filepath=f"{out}/first.obj", forward_axis="Y", up_axis="Z")
    item = bpy.context.selected_objects[0]
    cache = item.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind.upper()
    cache.filepath = f"{out}/first.{kind}"
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    cache.frame_start = 0
    found[kind] = []
    for frame in range(frames + 1):
        bpy.context.scene.frame_set(frame)
        found[kind].append(positions(item))
# As docs/tutorials/to-blender.md has it: all axes stay as they are.
clear()
bpy.ops.wm.obj_import(filepath=f"{out}/first.obj")
item = bpy.context.selected_objects[0]
cache = item.modifiers.new("cache", "MESH_CACHE")
cache.cache_format, cache.filepath = "PC2", f"{out}/first.pc2"
found["untouched"] = []
for frame in range(frames + 1):
    bpy.context.scene.frame_set(frame)
    found["untouched"].append(positions(item))
for kind in ("gltf", "glb"):
    clear()
    bpy.ops.import_scene.gltf(filepath=f"{out}/first.{kind}")
    item = [o for o in bpy.context.scene.objects if o.type == "MESH"][0]
    found[kind] = []
    for frame in range(frames + 1):
        bpy.context.scene.frame_set(frame)
        found[kind].append(positions(item))
json.dump(found, open(f"{out}/blender.json", "w"))
'''

with folder() as out:
    expected = record(out)
    open(f"{out}/inside.py", "w").write(INSIDE)
    result = subprocess.run(["blender", "--background", "--factory-startup", "--python-exit-code", "3", "--python",
                             f"{out}/inside.py", "--", out, str(FRAMES)], capture_output=True, text=True,
                            env=dict(os.environ, HOME=out))
    if result.returncode != 0:
        raise SystemExit(result.stdout[-3000:] + result.stderr[-3000:])
    found = json.load(open(f"{out}/blender.json"))
    check("Blender, ply", found["ply"], expected[FRAMES])
    check("Blender, obj", found["obj"], expected[FRAMES])
    check("Blender, pc2", found["pc2"], expected)
    check("Blender, mdd", found["mdd"], expected)
    # Importers turn y up into Blender's z up.
    turned = np.stack([expected[:, :, 0], -expected[:, :, 2], expected[:, :, 1]], -1)
    check("Blender, pc2 with all axes as they are", found["untouched"], turned)
    check("Blender, gltf", found["gltf"], turned)
    check("Blender, glb", found["glb"], turned)
