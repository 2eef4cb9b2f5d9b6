"""A world that an exported scene made: steps, positions, hash, snapshots."""
import ctypes

import numpy as np

from . import binding as B
from .library import Error, call, definition, library, view


class Session:
    """Steps by the scene's own animation (a bake), or by what is handed to each step (live); both with the same calls."""

    def __init__(self, path, threads):
        self.frame, self.scene, self.world, self.held = 0, None, None, None
        room, count = (B.pli_scene_diagnostic * 32)(), ctypes.c_int32()
        made, found = definition("pli_scene_load_def"), ctypes.c_void_p()
        name = ctypes.create_string_buffer(str(path).encode())
        made.path = ctypes.cast(name, ctypes.c_char_p)
        made.diagnostics, made.diagnostic_capacity = ctypes.addressof(room), len(room)
        made.diagnostic_size, made.diagnostic_count = ctypes.sizeof(B.pli_scene_diagnostic), ctypes.addressof(count)
        call("pli_scene_load", ctypes.byref(made), ctypes.byref(found))
        self.scene = found.value
        self.warnings = [f"{each.path.decode()}: {each.text.decode()}" for each in room[:min(count.value, len(room))]]
        world_def, found = definition("pli_scene_world_def"), ctypes.c_void_p()
        world_def.thread_count = threads
        try:
            call("pli_scene_create_world", self.scene, ctypes.byref(world_def), ctypes.byref(found))
        except Error:
            self.close()
            raise
        self.world = found.value
        self.warnings += self.findings()

    def findings(self):
        """What the library's check of the world says, each with its cure."""
        count = ctypes.c_int32()
        call("pli_world_check", self.world, 1.0 / library().pli_scene_frames_per_second(self.scene), ctypes.byref(count))
        places = (library().pli_world_finding_at(self.world, i) for i in range(count.value))
        return [B.pli_finding.from_address(place).text.decode("utf-8", "replace") for place in places]

    def close(self):
        """Gives back the world and the scene."""
        if self.world:
            library().pli_world_destroy(self.world)
        if self.scene:
            library().pli_scene_destroy(self.scene)
        self.world = self.scene = None

    def step(self):
        """A frame, with what the scene's file says that moves."""
        call("pli_scene_step", self.scene, self.world, self.frame)
        self.frame += 1

    def step_towards(self, plan, before, moment, rate):
        """A frame towards `moment`, from the one `before`: what pli_scene_step does with animations and keyframes."""
        settings = B.pli_settings()
        library().pli_world_get_settings(self.world, ctypes.byref(settings))
        settings.wind, settings.gust_strength = B.pli_vec3(*map(float, before.wind)), before.gusts
        settings.gravity = B.pli_vec3(*map(float, before.gravity))
        call("pli_world_set_settings", self.world, ctypes.byref(settings))
        held = 0
        for cloth, start, now in zip(plan.cloths, plan.first.pins, moment.pins):
            centres = start.astype(np.float32)
            placed = centres + (now.astype(np.float32) - centres)
            for row in placed:
                handle = library().pli_world_attachment_at(self.world, held)
                pose = B.pli_transform(B.pli_vec3(*map(float, row)), B.pli_quat(0, 0, 0, 1))
                call("pli_attachment_set_pose", self.world, handle, pose)
                held += 1
        for i, positions in enumerate(moment.colliders):
            shown = between(before.colliders[i], positions, self.frame, rate)
            handle = library().pli_world_collider_at(self.world, i)
            call("pli_collider_set_vertices", self.world, handle, shown.ctypes.data, len(shown))
        call("pli_world_step", self.world, 1.0 / rate)
        self.frame += 1

    def positions(self, i):
        """Positions of cloth i [m], a copy."""
        handle = library().pli_world_deformable_at(self.world, i)
        return view(library().pli_deformable_positions(self.world, handle))

    def hash(self):
        """The hash of all positions and velocities, as `pliant run` prints it."""
        return f"{library().pli_world_hash(self.world):016x}"

    def snapshot(self):
        """Everything that the run depends on, as bytes."""
        size = library().pli_world_snapshot_size(self.world)
        room = ctypes.create_string_buffer(size)
        call("pli_world_snapshot_write", self.world, room, size)
        return room.raw

    def restore(self, snapshot, frame):
        """Goes to where a snapshot of `frame` was taken."""
        call("pli_scene_seek", self.scene, self.world, frame)
        call("pli_world_snapshot_read", self.world, snapshot, len(snapshot))
        self.frame = frame


def between(before, now, frame, rate):
    """Vertices at the end of the step of `frame` as the scene library reads them from a cache of 60 frames a second that is played
    at `rate`: where the times of frames round, that is a shade before the frame."""
    at = (frame + 1) / rate * (60.0 * (rate / 60.0))
    if int(at) > frame:
        return np.ascontiguousarray(now, np.float32)
    part = np.float32(at - int(at))
    return np.ascontiguousarray(before + (now - before) * part, np.float32)
