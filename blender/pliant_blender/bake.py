"""Bakes: first the animation is looked at frame by frame and written as a scene, then that scene is simulated."""
import json
import os
import shutil
import time

import bpy

from . import cache, live, sampling, scene_file
from .library import Error
from .session import Session


class Bake:
    """A bake that goes on by small steps, so that an operator can show progress and stop it at any of them."""

    def __init__(self, context, resume=False):
        scene = self.scene = context.scene
        if not bpy.data.filepath:
            raise Error("the cache lies beside the file: save the file first")
        if scene.frame_end <= scene.frame_start:
            raise Error("the frame range has a single frame; set the end of the animation")
        known = cache.baked(scene)
        if known and not resume:
            raise Error("there is a bake already: Resume it, or Free it first")
        if resume and not known:
            raise Error("there is no bake to go on with")
        live.forget(scene)
        self.context, self.resume, self.known = context, resume, known
        self.frames, self.sampled, self.moments = scene.frame_end - scene.frame_start, 0, []
        self.plan = self.session = self.shown = None
        self.hashes, self.before, self.message = [], scene.frame_current, ""

    def share(self):
        """How much of it is done, from 0 to 1. Looking at the animation counts a tenth."""
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
        if self.resume:
            self._compare(place / "again")
        else:
            self.fingerprint = scene_file.write(place, self.scene, self.plan, self.moments, self.frames)
        session = Session(place / "scene.json", self.scene.pliant.threads)
        self.message = session.warnings[0] if session.warnings else ""
        try:
            if self.resume:
                self._go_on(session, place)
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

    def _compare(self, place):
        """Writes the scene as it is now beside the one that was baked, which a refusal must leave as it is."""
        try:
            self.fingerprint = scene_file.write(place, self.scene, self.plan, self.moments, self.frames)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        if self.known.get("fingerprint") != self.fingerprint:
            raise Error("the scene is another than the one that was baked; Free the bake and bake anew")

    def _go_on(self, session, place):
        frame = self.known["frames"]
        session.restore((place / "state").read_bytes(), frame)
        if session.hash() != self.known["hashes"][frame]:
            raise Error("the state of the bake is damaged; Free the bake and bake anew")
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
        """Writes the state, and then that there is one."""
        place = cache.folder(self.scene)
        self._replace(place / "state", self.session.snapshot())
        said = {"frames": self.session.frame, "of": self.frames, "start": self.scene.frame_start,
                "fingerprint": self.fingerprint, "hashes": self.hashes}
        self._replace(place / "bake.json", json.dumps(said).encode())

    @staticmethod
    def _replace(path, content):
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(content)
        os.replace(beside, path)

    def close(self):
        """Ends it, done or not: what is whole is kept, and it can be resumed."""
        if self.session:
            self.keep()
            self.shown.close()
            self.session.close()
            self.session = None
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
    """Goes on for a while; False when all is done."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not bake.advance():
            return False
    return True
