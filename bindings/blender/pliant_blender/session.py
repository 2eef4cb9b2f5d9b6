"""A world that an exported scene made: steps, positions, hash, snapshots."""
import ctypes

import numpy as np

from . import binding as B
from .library import Error, call, definition, library, view


class Session:
    """Steps by the scene's own animation (a bake), or by the moving objects that the caller gives to each step (live); both with the same calls."""

    def __init__(self, path, threads):
        self.frame, self.scene, self.world = 0, None, None
        room, count = (B.pli_scene_diagnostic * 32)(), ctypes.c_int32()
        made, found = definition("pli_scene_load_def"), ctypes.c_void_p()
        name = ctypes.create_string_buffer(str(path).encode())
        made.path = ctypes.cast(name, ctypes.c_char_p)
        made.diagnostics, made.diagnostic_capacity = ctypes.addressof(room), len(room)
        made.diagnostic_count = ctypes.addressof(count)
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

    def frame_time(self):
        return 1.0 / library().pli_scene_frames_per_second(self.scene)

    def findings(self):
        """Findings of the library's check of the world, each with its remedy."""
        count = ctypes.c_int32()
        call("pli_world_check", self.world, self.frame_time(), ctypes.byref(count))
        places = (library().pli_world_finding_at(self.world, i) for i in range(count.value))
        return [B.pli_finding.from_address(place).text.decode("utf-8", "replace") for place in places]

    def stiffness(self):
        """A line for each cloth with its effective and its requested stiffness, as `pliant check` prints it."""
        lines, found = [], B.pli_effective_stiffness()
        for i in range(library().pli_world_deformable_count(self.world)):
            handle = library().pli_world_deformable_at(self.world, i)
            call("pli_deformable_get_effective_stiffness", self.world, handle, self.frame_time(), ctypes.byref(found))
            parts = _stiffness(found)
            if parts:
                lines.append(f"{library().pli_deformable_name(self.world, handle).decode()}: {', '.join(parts)}")
        return lines

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
        settings = library().pli_world_settings(self.world)
        settings.wind, settings.gust_strength = B.pli_vec3(*map(float, before.wind)), before.gusts
        settings.gravity = B.pli_vec3(*map(float, before.gravity))
        call("pli_world_set_settings", self.world, ctypes.byref(settings))
        pinned = 0
        for cloth, start, now in zip(plan.cloths, plan.first.pins, moment.pins):
            centres = start.astype(np.float32)
            placed = centres + (now.astype(np.float32) - centres)
            for row in placed:
                handle = library().pli_world_attachment_at(self.world, pinned)
                pose = B.pli_transform(B.pli_vec3(*map(float, row)), B.pli_quat(0, 0, 0, 1))
                call("pli_attachment_set_pose", self.world, handle, pose)
                pinned += 1
        for i, each in enumerate(plan.cloths):
            if len(each.seams):
                sewn = library().pli_world_constraints_find(self.world, f"sewing {i}".encode())
                call("pli_constraints_set_parameter", self.world, sewn, b"slack", _slack(each.closing, self.frame / rate))
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


def _of(name, acting, asked, unit, how):
    wanted = "where rigid was requested" if asked == float("inf") else None
    return f"{name} {acting:.3g} {unit} {wanted}{how}" if wanted else f"{name} {acting:.3g} of {asked:.3g} {unit}{how}"


def _stiffness(found):
    """Phrases about a pli_effective_stiffness."""
    parts, of = [], found
    if of.rigidity_requested > 0:
        parts.append(_of("effective rigidity", of.rigidity_effective, of.rigidity_requested, "N m", " (plate)" if of.has_plate else ""))
    if of.tensile_requested > 0:
        swept = of.tensile_effective <= of.tensile_limit
        solved = not swept or of.tensile_effective >= of.tensile_requested
        text = _of("effective stretch stiffness", of.tensile_effective, of.tensile_requested, "N/m", " (solved)" if solved else " (sweeps alone)")
        if 0 < of.warp_requested and of.warp_requested + of.weft_requested + of.shear_requested < float("inf"):
            effective = f", of which {100 * of.tensile_effective / of.tensile_requested:.3g} % is effective" if swept else ""
            text += f" (requested: warp {of.warp_requested:.3g}, weft {of.weft_requested:.3g}, shear {of.shear_requested:.3g}{effective})"
        parts.append(text)
    if getattr(of, "yield") > 0:
        parts.append(f"keeps bends beyond {getattr(of, 'yield'):.3g} 1/m")
    if of.has_compliant_bending:
        parts.append("bends by a compliance, whose rigidity depends on the mesh")
    return parts


def _slack(keys, time):
    """Value of two keyframes at a time, in the arithmetic of the scene library."""
    (start, first), (end, last) = keys
    if time <= start or time > end:
        return first if time <= start else last
    return first + (last - first) * min(1.0, (time - start) / (end - start))


def between(before, now, frame, rate):
    """Vertices at the end of the step of `frame` as the scene library reads them from a cache of 60 frames a second that is played
    at `rate`: where the times of frames round, that is a shade before the frame."""
    at = (frame + 1) / rate * (60.0 * (rate / 60.0))
    if int(at) > frame:
        return np.ascontiguousarray(now, np.float32)
    part = np.float32(at - int(at))
    return np.ascontiguousarray(before + (now - before) * part, np.float32)
