"""Buttons: bake, resume, free, check, export, painted rows. Failures are reported as Blender reports errors."""
import contextlib
import pathlib

import bpy
from bpy.props import IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import bake, cache, live, sampling, scene_file
from .library import Error
from .session import Session


def _refuse(operator, failure):
    operator.report({"ERROR"}, str(failure))
    return {"CANCELLED"}


class _Bakes:
    """Shared by baking and resuming. In a window, the bake runs while the user works, who may press Escape."""

    resume = False

    def execute(self, context):
        try:
            done = bake.run(context, self.resume)
        except (Error, OSError) as failure:
            return _refuse(self, failure)
        context.scene.pliant.message = done.message
        return {"FINISHED"}

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.bake = bake.Bake(context, self.resume)
        except (Error, OSError) as failure:
            return _refuse(self, failure)
        self.timer = context.window_manager.event_timer_add(0.02, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            return self._end(context, {"CANCELLED"}, "Stopped; Resume continues from here")
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            if not bake.for_a_moment(self.bake):
                return self._end(context, {"FINISHED"}, self.bake.message)
        except (Error, OSError) as failure:
            self.report({"ERROR"}, str(failure))
            return self._end(context, {"CANCELLED"}, str(failure))
        context.window_manager.progress_update(100 * self.bake.fraction())
        context.workspace.status_text_set(f"Pliant: {100 * self.bake.fraction():.0f} %   Escape: stop, and keep the frames so far")
        return {"RUNNING_MODAL"}

    def _end(self, context, result, message):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        try:
            self.bake.close()
        except (Error, OSError) as failure:
            self.report({"ERROR"}, str(failure))
        context.scene.pliant.message = message
        return result


class PLIANT_OT_bake(_Bakes, bpy.types.Operator):
    bl_idname, bl_label = "pliant.bake", "Bake"
    bl_description = "Simulates all cloths of the scene into the cache next to the file, in the place of an older bake. Escape stops, and keeps the frames so far"


class PLIANT_OT_resume(_Bakes, bpy.types.Operator):
    bl_idname, bl_label = "pliant.resume", "Resume"
    bl_description = "Continues a bake that was stopped; the result is bit-identical"
    resume = True


class PLIANT_OT_free(bpy.types.Operator):
    bl_idname, bl_label = "pliant.free", "Free"
    bl_description = "Removes the cache of this scene"

    def execute(self, context):
        live.forget(context.scene)
        cache.free(context.scene)
        context.scene.pliant.message = ""
        return {"FINISHED"}


class PLIANT_OT_check(bpy.types.Operator):
    bl_idname, bl_label = "pliant.check", "Check"
    bl_description = "Reports problems of the scene, and the effective stiffness of each cloth beside the requested one, without simulating"

    def execute(self, context):
        scene, place = context.scene, pathlib.Path(bpy.app.tempdir, "pliant-check")
        try:
            with sampled(scene):
                scene.frame_set(scene.frame_start)
                found = sampling.plan(scene, context.evaluated_depsgraph_get())
                scene_file.write(place, scene, found, [found.first], max(1, scene.frame_end - scene.frame_start))
            session = Session(place / "scene.json", 1)
        except (Error, OSError) as failure:
            return _refuse(self, failure)
        try:
            stiffness = session.stiffness()
        finally:
            session.close()
        warnings = session.warnings + sampling.ignored(scene)
        for each in warnings:
            self.report({"WARNING"}, each)
        for each in stiffness:
            self.report({"INFO"}, each)
        if not warnings:
            self.report({"INFO"}, "Pliant: no problem found")
        scene.pliant.message = "\n".join(warnings + stiffness + ([] if warnings else ["No problem found"]))
        return {"FINISHED"}


@contextlib.contextmanager
def sampled(scene):
    """Within it, frames are sampled and not played; the current frame is restored afterwards."""
    before = scene.frame_current
    live.suspend(scene)
    try:
        yield
    finally:
        scene.frame_set(before)
        live.restore(scene)


class PLIANT_OT_export(bpy.types.Operator, ExportHelper):
    bl_idname, bl_label = "pliant.export", "Export Pliant scene"
    bl_description = "Writes scene.json and its meshes into a folder, for `pliant run`"
    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context):
        scene, moments, found = context.scene, [], None
        place = pathlib.Path(self.filepath).parent
        try:
            with sampled(scene):
                for frame in range(scene.frame_start, scene.frame_end + 1):
                    scene.frame_set(frame)
                    depsgraph = context.evaluated_depsgraph_get()
                    found = found or sampling.plan(scene, depsgraph)
                    moments.append(sampling.moment(scene, depsgraph, found) if moments else found.first)
                scene_file.write(place, scene, found, moments, len(moments) - 1)
            written = place / "scene.json"
            if written != pathlib.Path(self.filepath):
                written.replace(self.filepath)
        except (Error, OSError) as failure:
            return _refuse(self, failure)
        return {"FINISHED"}


class PLIANT_OT_paint_add(bpy.types.Operator):
    bl_idname, bl_label, bl_options = "pliant.paint_add", "Add", {"UNDO"}
    bl_description = "A number that a vertex group paints"

    def execute(self, context):
        context.object.pliant.cloth.painted.add()
        return {"FINISHED"}


class PLIANT_OT_paint_remove(bpy.types.Operator):
    bl_idname, bl_label, bl_options = "pliant.paint_remove", "Remove", {"UNDO"}
    bl_description = "Takes the row away"
    index: IntProperty()

    def execute(self, context):
        context.object.pliant.cloth.painted.remove(self.index)
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory([
    PLIANT_OT_bake, PLIANT_OT_resume, PLIANT_OT_free, PLIANT_OT_check, PLIANT_OT_export, PLIANT_OT_paint_add, PLIANT_OT_paint_remove])
