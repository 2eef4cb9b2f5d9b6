"""Draws the pictures of docs/blender.md: the sheet and the ball, baked and rendered by Blender without a window, and with a window the
panel of the sheet after its bake was made and its material changed.

    blender -b --factory-startup --python bindings/blender/tools/picture.py -- build/blender/pliant-blender.zip docs/pictures/blender.png
    xvfb-run -s '-screen 0 2200x1100x24' blender --factory-startup --window-geometry 0 0 2200 1100 --python bindings/blender/tools/picture.py -- \
        build/blender/pliant-blender.zip docs/pictures/blender-panel.png
"""
import functools
import math
import pathlib
import shutil
import sys
import tempfile

import bpy

ARCHIVE, PICTURE = sys.argv[sys.argv.index("--") + 1:]


def coloured(item, colour):
    item.color = (*colour, 1.0)
    bpy.ops.object.shade_smooth({"object": item, "selected_editable_objects": [item]})


def baked(place, squares, end):
    """The sheet and the ball after a bake."""
    bpy.ops.preferences.addon_install(filepath=ARCHIVE, overwrite=True)
    bpy.ops.preferences.addon_enable(module="pliant_blender")
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    scene = bpy.context.scene
    bpy.ops.wm.save_as_mainfile(filepath=f"{place}/picture.blend")
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.4, segments=48, ring_count=24, location=(0, 0, 0.4))
    ball = bpy.context.object
    ball.pliant.kind = "COLLIDER"
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=squares, y_subdivisions=squares, size=1.6, location=(0, 0, 1))
    sheet = bpy.context.object
    sheet.name = "Sheet"
    sheet.pliant.kind = "CLOTH"
    sheet.pliant.cloth.self_collision = True
    sheet.vertex_groups.new(name="corners").add([0, squares], 1.0, "REPLACE")
    sheet.pliant.cloth.pins = "corners"
    scene.frame_end = end
    from pliant_blender import bake
    scene.pliant.message = bake.run(bpy.context).message
    scene.frame_set(end)
    return scene, sheet, ball


def main(place):
    scene, sheet, ball = baked(place, 60, 60)
    coloured(sheet, (0.7, 0.15, 0.12))
    coloured(ball, (0.6, 0.62, 0.66))
    bpy.ops.object.camera_add(location=(3.2, 3.1, 1.75), rotation=(math.radians(75.5), 0, math.radians(138)))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 52
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    scene.world = bpy.data.worlds.new("Grey")
    scene.world.color = (0.35, 0.38, 0.42)
    shading.light, shading.color_type, shading.show_cavity, shading.show_shadows = "STUDIO", "OBJECT", True, True
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.render.film_transparent = False
    scene.render.filepath = str(pathlib.Path(PICTURE).resolve())
    bpy.ops.render.render(write_still=True)


def panel(place, step=0):
    """Changes the material, and draws the panel once the change is marked."""
    window = bpy.context.window_manager.windows[0]
    area = next(each for each in window.screen.areas if each.type == "PROPERTIES")
    if step == 1:
        area.spaces[0].context = "PHYSICS"
        bpy.data.objects["Sheet"].pliant.cloth.material.preset = "denim"
    if step == 4:
        with bpy.context.temp_override(window=window, area=area):
            bpy.ops.screen.screenshot_area(filepath=str(pathlib.Path(PICTURE).resolve()))
        shutil.rmtree(place)
        bpy.ops.wm.quit_blender()
    area.tag_redraw()
    bpy.app.timers.register(functools.partial(panel, place, step + 1), first_interval=2.0)


if bpy.app.background:
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
else:
    bpy.context.preferences.view.show_splash = False
    window_place = tempfile.mkdtemp()
    baked(window_place, 40, 30)
    panel(window_place)
