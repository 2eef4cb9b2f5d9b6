"""Playback forwards simulates, where nothing is baked. Simulated frames can be scrubbed, since they are in the cache."""
import bpy
from bpy.app.handlers import persistent

from . import cache, sampling, scene_file
from .library import Error
from .session import Session

_running = {}  # {name of a scene: Live}
_suspended = set()  # Names of scenes whose frames are sampled, not played.


class Live:
    """A session that gets the moving objects at each frame."""

    def __init__(self, scene, depsgraph):
        self.plan = sampling.plan(scene, depsgraph)
        self.moment = self.plan.first
        place = cache.folder(scene)
        place.mkdir(parents=True, exist_ok=True)
        scene_file.write(place, scene, self.plan, [self.moment], scene.frame_end - scene.frame_start)
        self.session = Session(place / "scene.json", scene.pliant.threads)
        self.shown = cache.Shown(scene, self.plan)
        self.warnings = self.session.warnings + sampling.ignored(scene)
        self.show(scene)

    def show(self, scene):
        positions = [self.session.positions(i) for i in range(len(self.plan.cloths))]
        self.shown.put(self.session.frame, positions, self.moment)
        for each in self.plan.cloths:
            scene.objects[each.name].update_tag()

    def advance(self, scene, depsgraph):
        now = sampling.moment(scene, depsgraph, self.plan)
        self.session.step_towards(self.plan, self.moment, now, scene_file.rate(scene))
        self.moment = now
        self.show(scene)

    def close(self):
        self.shown.close()
        self.session.close()


def running(scene):
    """The live session of a scene, or None."""
    return _running.get(scene.name)


def forget(scene):
    """Ends the live session of a scene; its cache stays."""
    found = _running.pop(scene.name, None)
    if found:
        found.close()


def suspend(scene):
    """Simulates no frames until `restore`."""
    _suspended.add(scene.name)


def restore(scene):
    _suspended.discard(scene.name)


@persistent
def on_frame(scene, depsgraph=None):
    """After a frame was evaluated: a step, if playback has advanced by one frame."""
    if scene.name in _suspended or not scene.pliant.live or not sampling.objects(scene, "CLOTH") or cache.baked(scene):
        return
    depsgraph = depsgraph or bpy.context.evaluated_depsgraph_get()
    found, at = _running.get(scene.name), scene.frame_current - scene.frame_start
    try:
        if at == 0:
            forget(scene)
            _running[scene.name] = Live(scene, depsgraph)
            scene.pliant.message = "\n".join(_running[scene.name].warnings[:3])
        elif found and at == found.session.frame + 1:
            found.advance(scene, depsgraph)
    except Error as failure:
        forget(scene)
        scene.pliant.message = str(failure)


@persistent
def on_load(*_):
    """Another file: sessions of the one before end."""
    for each in list(_running.values()):
        each.close()
    _running.clear()
    _suspended.clear()


HANDLERS = (("frame_change_post", on_frame), ("load_pre", on_load))


def register():
    for name, function in HANDLERS:
        getattr(bpy.app.handlers, name).append(function)


def unregister():
    on_load()
    for name, function in HANDLERS:
        if function in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(function)
