"""Bakes: first the animation is sampled frame by frame and written as a scene, then that scene is simulated."""
import json
import os
import shutil
import time

import bpy

from . import cache, changes, live, sampling, scene_file
from .library import Error
from .session import Session


class Bake:
    """A bake in small steps, so that an operator can show progress and stop it after any of them. A new bake replaces an older one once
    its scene is valid."""

    def __init__(self, context, resume=False):
        scene = self.scene = context.scene
        if not bpy.data.filepath:
            raise Error("the cache is a folder next to the file; save the file first (File > Save)")
        if scene.frame_end <= scene.frame_start:
            raise Error(f"{scene.name}: the frame range has a single frame; set End in the output properties to a later frame")
        known = cache.baked(scene)
        if resume and not known:
            raise Error("there is no bake to resume; press Bake")
        self.context, self.resume, self.known = context, resume, known
        self.frames, self.sampled, self.moments = scene.frame_end - scene.frame_start, 0, []
        self.plan = self.session = self.shown = None
        self.hashes, self.before, self.message = [], scene.frame_current, ""
        self.inputs = changes.current(scene)
        live.forget(scene)
        live.suspend(scene)

    def fraction(self):
        """The fraction that is done. Sampling the animation counts a tenth."""
        done = self.session.frame / self.frames if self.session else 0.0
        return 0.1 * self.sampled / (self.frames + 1) + 0.9 * done

    def advance(self):
        """Does a frame; False when all is done."""
        if self.sampled <= self.frames:
            self._sample()
        elif self.session is None:
            self._begin()
        elif self.session.frame < self.frames:
            self._step()
        else:
            return False
        return True

    def _sample(self):
        self.scene.frame_set(self.scene.frame_start + self.sampled)
        depsgraph = self.context.evaluated_depsgraph_get()
        if self.plan is None:
            self.plan = sampling.plan(self.scene, depsgraph)
            self.moments.append(self.plan.first)
        else:
            self.moments.append(sampling.moment(self.scene, depsgraph, self.plan))
        self.sampled += 1

    def _begin(self):
        place = cache.folder(self.scene)
        beside = place.with_name(place.name + ".new")
        try:
            fresh = self.known and not self.resume
            self.fingerprint = scene_file.write(beside if self.known else place, self.scene, self.plan, self.moments, self.frames)
            if self.resume and self.known.get("fingerprint") != self.fingerprint:
                raise Error("settings have changed since the bake; press Update to bake again")
            if fresh:
                Session(beside / "scene.json", 1).close()
                cache.free(self.scene)
                beside.rename(place)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        session = Session(place / "scene.json", self.scene.pliant.threads)
        self.message = "\n".join((session.warnings + sampling.ignored(self.scene))[:3])
        try:
            if self.resume:
                self._continue(session, place)
            else:
                self.hashes = [session.hash()]
            self.shown = cache.Shown(self.scene, self.plan)
        except Exception:
            session.close()
            raise
        self.session = session
        if not self.resume:
            self._show()
            self.keep()

    def _continue(self, session, place):
        frame = self.known["frames"]
        session.restore((place / "state").read_bytes(), frame)
        if session.hash() != self.known["hashes"][frame]:
            raise Error("the state of the bake is damaged; press Update to bake again")
        self.hashes = self.known["hashes"][:frame + 1]

    def _show(self):
        positions = [self.session.positions(i) for i in range(len(self.plan.cloths))]
        self.shown.put(self.session.frame, positions, self.moments[self.session.frame])

    def _step(self):
        self.session.step()
        self.hashes.append(self.session.hash())
        self._show()
        if self.session.frame % self.scene.pliant.checkpoint == 0 or self.session.frame == self.frames:
            self.keep()

    def keep(self):
        """Writes the state first, then bake.json, which names it."""
        place = cache.folder(self.scene)
        self._replace(place / "state", self.session.snapshot())
        content = {"frames": self.session.frame, "of": self.frames, "start": self.scene.frame_start,
                "fingerprint": self.fingerprint, "inputs": self.inputs, "hashes": self.hashes}
        self._replace(place / "bake.json", json.dumps(content).encode())

    @staticmethod
    def _replace(path, content):
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(content)
        os.replace(beside, path)

    def close(self):
        """Ends the bake, complete or not; the frames so far are kept and can be resumed."""
        if self.session:
            self.keep()
            self.shown.close()
            self.session.close()
            self.session = None
        changes.forget()
        live.restore(self.scene)
        self.scene.frame_set(self.before)


def run(context, resume=False):
    """A whole bake at once."""
    bake = Bake(context, resume)
    try:
        while bake.advance():
            pass
    finally:
        bake.close()
    return bake


def for_a_moment(bake, seconds=0.1):
    """Continues for a while; False when all is done."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not bake.advance():
            return False
    return True
