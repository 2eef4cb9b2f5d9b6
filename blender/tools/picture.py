"""Draws docs/pictures/blender.png: the sheet and the ball of docs/blender.md, baked and rendered by Blender without a window.

    blender -b --factory-startup --python blender/tools/picture.py -- build/blender/pliant-blender.zip docs/pictures/blender.png
"""
import math
import pathlib
import sys
import tempfile

import bpy

ARCHIVE, PICTURE = sys.argv[sys.argv.index("--") + 1:]


def coloured(item, colour):
    item.color = (*colour, 1.0)
    bpy.ops.object.shade_smooth({"object": item, "selected_editable_objects": [item]})


def main(place):
    bpy.ops.preferences.addon_install(filepath=ARCHIVE, overwrite=True)
    bpy.ops.preferences.addon_enable(module="pliant_blender")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    bpy.ops.wm.save_as_mainfile(filepath=f"{place}/picture.blend")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=60, y_subdivisions=60, size=1.6, location=(0, 0, 1))
    sheet = bpy.context.object
    sheet.pliant.kind = "CLOTH"
    sheet.pliant.cloth.self_collision = True
    corners = sheet.vertex_groups.new(name="corners")
    corners.add([0, 60], 1.0, "REPLACE")
    sheet.pliant.cloth.pins = "corners"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.4, segments=48, ring_count=24, location=(0, 0, 0.4))
    ball = bpy.context.object
    ball.pliant.kind = "COLLIDER"
    coloured(sheet, (0.7, 0.15, 0.12))
    coloured(ball, (0.6, 0.62, 0.66))
    scene.frame_end = 60
    bpy.ops.pliant.bake()
    scene.frame_set(60)
    bpy.ops.object.camera_add(location=(3.6, -3.9, 1.9), rotation=(math.radians(76), 0, math.radians(43)))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 62
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    scene.world = bpy.data.worlds.new("Grey")
    scene.world.color = (0.35, 0.38, 0.42)
    shading.light, shading.color_type, shading.show_cavity, shading.show_shadows = "STUDIO", "OBJECT", True, True
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.render.film_transparent = False
    scene.render.filepath = str(pathlib.Path(PICTURE).resolve())
    bpy.ops.render.render(write_still=True)


with tempfile.TemporaryDirectory() as folder:
    main(folder)
