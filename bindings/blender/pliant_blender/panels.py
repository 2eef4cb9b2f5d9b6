"""Panels in the physics properties of objects and in the properties of scenes. Rows come from the descriptors."""
import textwrap

import bpy

from . import cache, changes, live
from .library import group
from .properties import BENDING, CLOTH, COLLIDER, MEMBRANE, SETTINGS, VOLUME

OWN = {"density", "thickness", "friction"}


def column(layout):
    layout.use_property_split, layout.use_property_decorate = True, False
    return layout.column()


def rows(layout, owner, listed, sections=None):
    for row in listed:
        if sections is None or row["section"] in sections:
            layout.prop(owner, row["name"])


class _OfObject:
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"
    kind = None

    @classmethod
    def poll(cls, context):
        item = context.object
        return item is not None and item.type == "MESH" and cls.kind in (None, item.pliant.kind)


class PLIANT_PT_object(_OfObject, bpy.types.Panel):
    bl_label = "Pliant"

    def draw(self, context):
        layout, item = column(self.layout), context.object
        layout.prop(item.pliant, "kind")
        if item.pliant.kind == "COLLIDER":
            rows(layout, item.pliant.collider, COLLIDER)
        elif item.pliant.kind == "CLOTH":
            layout.prop(item.pliant.cloth, "taken_for")
            text(self.layout, context, item.pliant.cloth.reason)
            layout.prop_search(item.pliant.cloth, "pins", item, "vertex_groups")
            buttons(self.layout, context)


class PLIANT_PT_material(_OfObject, bpy.types.Panel):
    bl_label, bl_parent_id, kind = "Material", "PLIANT_PT_object", "CLOTH"

    def draw(self, context):
        layout, cloth = column(self.layout), context.object.pliant.cloth
        layout.prop(cloth.material, "preset")
        if cloth.material.preset == "OWN":
            rows(layout, cloth.material, group("material"))
        for name in ("density", "thickness", "friction"):
            layout.prop(cloth, f"own_{name}")
            if getattr(cloth, f"own_{name}"):
                layout.prop(cloth, name)


class PLIANT_PT_model(_OfObject, bpy.types.Panel):
    bl_label, bl_parent_id, kind = "Model", "PLIANT_PT_object", "CLOTH"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, cloth = column(self.layout), context.object.pliant.cloth
        layout.prop(cloth, "model")
        if cloth.model == "PLATE":
            rows(layout, cloth.plate, group("plate"))
        for row in BENDING:
            if row["name"] == cloth.model:
                rows(layout, getattr(cloth.bending, row["name"]), row["parameters"])
        if cloth.model != "MATERIAL":
            layout.prop(cloth, "stretch_model")
            if cloth.stretch_model == "membrane":
                rows(layout, cloth.membrane, MEMBRANE["parameters"])
        layout.prop(cloth, "inflate")
        if cloth.inflate:
            rows(layout, cloth.volume, VOLUME["parameters"])
        rows(layout, cloth, [row for row in CLOTH if row["name"] == "stretch"])


class PLIANT_PT_contact(_OfObject, bpy.types.Panel):
    bl_label, bl_parent_id, kind = "Contact and air", "PLIANT_PT_object", "CLOTH"

    def draw(self, context):
        rows(column(self.layout), context.object.pliant.cloth, [row for row in CLOTH if row["name"] not in (*OWN, "stretch")])


class PLIANT_PT_sewing(_OfObject, bpy.types.Panel):
    bl_label, bl_parent_id, kind = "Sewing", "PLIANT_PT_object", "CLOTH"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, cloth = column(self.layout), context.object.pliant.cloth
        layout.prop(cloth, "sew")
        if cloth.sew:
            for name in ("seam_time", "seam_gap", "seam_compliance"):
                layout.prop(cloth, name)


class PLIANT_PT_painted(_OfObject, bpy.types.Panel):
    bl_label, bl_parent_id, kind = "Painted", "PLIANT_PT_object", "CLOTH"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        item = context.object
        for i, each in enumerate(item.pliant.cloth.painted):
            box = self.layout.box()
            line = box.row()
            line.prop(each, "what", text="")
            line.prop_search(each, "vertex_group", item, "vertex_groups", text="")
            line.operator("pliant.paint_remove", text="", icon="X").index = i
            line = box.row()
            line.prop(each, "low")
            line.prop(each, "high")
        self.layout.operator("pliant.paint_add", icon="ADD")


class PLIANT_PT_scene(bpy.types.Panel):
    bl_label = "Pliant"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        buttons(self.layout, context)
        layout, world = column(self.layout), context.scene.pliant
        layout.prop(world, "ccd")
        layout.prop(world, "air_density")
        rows(layout, world, SETTINGS)
        layout.prop(world, "threads")
        layout.prop(world, "checkpoint")
        layout.operator("pliant.export")


def text(layout, context, content, icon="NONE"):
    """Wraps text at the width of the panel, where Blender would cut it."""
    scale = context.preferences.system.ui_scale
    width = max(20, int((context.region.width / scale - 70) / 6.3))
    column = layout.column(align=True)
    column.scale_y = 0.8
    for each in content.split("\n") if content else ():
        for i, line in enumerate(textwrap.wrap(each, width)):
            column.label(text=line, icon=icon if i == 0 else "BLANK1" if icon != "NONE" else "NONE")


def buttons(layout, context):
    """Live, bake and messages."""
    scene = context.scene
    known = cache.baked(scene)
    changed = changes.of(scene)
    layout.prop(scene.pliant, "live", toggle=True, icon="PLAY")
    line = layout.row(align=True)
    line.operator("pliant.bake", text="Update" if known else "Bake", icon="FILE_REFRESH" if known else "PHYSICS")
    if known and known["frames"] < known["of"] and not changed:
        line.operator("pliant.resume", icon="PLAY")
    line.operator("pliant.check", icon="CHECKMARK")
    if known:
        line.operator("pliant.free", text="", icon="TRASH")
        layout.label(text=f"Baked to frame {known['start'] + known['frames']} of {known['start'] + known['of']}", icon="FILE_TICK")
    elif live.running(scene):
        layout.label(text=f"Live: {live.running(scene).session.frame} frames", icon="REC")
    if changed:
        box = layout.box()
        box.alert = True
        text(box, context, "Settings have changed since the bake", "ERROR")
        text(box, context, "\n".join(changed), "DOT")
    text(layout, context, scene.pliant.message, "INFO")


register, unregister = bpy.utils.register_classes_factory([
    PLIANT_PT_object, PLIANT_PT_material, PLIANT_PT_model, PLIANT_PT_contact, PLIANT_PT_sewing, PLIANT_PT_painted, PLIANT_PT_scene])
