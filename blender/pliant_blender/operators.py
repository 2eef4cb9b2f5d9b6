"""Buttons: bake, resume, free, check, export, painted rows. What fails is reported as Blender reports errors."""
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
    """What baking and resuming have in common. In a window it goes on beside the user, who may press Escape."""

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
            return self._end(context, {"CANCELLED"}, "Pliant: stopped; Resume goes on from here")
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            if not bake.for_a_moment(self.bake):
                return self._end(context, {"FINISHED"}, self.bake.message)
        except (Error, OSError) as failure:
            self.report({"ERROR"}, str(failure))
            return self._end(context, {"CANCELLED"}, str(failure))
        context.window_manager.progress_update(100 * self.bake.share())
        context.workspace.status_text_set(f"Pliant: {100 * self.bake.share():.0f} %   Escape: stop, and keep what is done")
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
    bl_description = "Simulates all cloths of the scene into the cache beside the file. Escape stops, and keeps what is done"


class PLIANT_OT_resume(_Bakes, bpy.types.Operator):
    bl_idname, bl_label = "pliant.resume", "Resume"
    bl_description = "Goes on with a bake that was stopped, to the same bits"
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
    bl_description = "Says what is wrong with the scene, and how much of the material's stiffness acts, without simulating"

    def execute(self, context):
        try:
            with Exported(context) as path:
                session = Session(path, 1)
        except (Error, OSError) as failure:
            return _refuse(self, failure)
        session.close()
        for each in session.warnings:
            self.report({"WARNING"}, each)
        if not session.warnings:
            self.report({"INFO"}, "Pliant: nothing to say against it")
        return {"FINISHED"}


class Exported:
    """The scene at its first frame as a file in a temporary folder."""

    def __init__(self, context):
        self.context, self.before = context, context.scene.frame_current

    def __enter__(self):
        scene = self.context.scene
        scene.frame_set(scene.frame_start)
        found = sampling.plan(scene, self.context.evaluated_depsgraph_get())
        place = pathlib.Path(bpy.app.tempdir, "pliant-check")
        scene_file.write(place, scene, found, [found.first], max(1, scene.frame_end - scene.frame_start))
        return place / "scene.json"

    def __exit__(self, *_):
        self.context.scene.frame_set(self.before)


class PLIANT_OT_export(bpy.types.Operator, ExportHelper):
    bl_idname, bl_label = "pliant.export", "Export Pliant scene"
    bl_description = "Writes scene.json and its meshes into a folder, for `pliant run`"
    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context):
        scene, moments, found = context.scene, [], None
        live.forget(scene)
        before, place = scene.frame_current, pathlib.Path(self.filepath).parent
        try:
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
        finally:
            scene.frame_set(before)
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
