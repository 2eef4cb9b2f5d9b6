"""Worlds: settings, the step, what is in them, snapshots and statistics."""
from __future__ import annotations

import contextlib
import os
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, NamedTuple, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import layout, pointer, points
from ._library import (Closed, InvalidArgument, call, choice, choice_name, choices, definition, documented, encoded, ffi, fields, lib, native, record,
                       text)
from ._properties import Described, Group
from .attachment import Attachment
from ._part import Part
from .body import RigidBody, body_handle, inertia_numbers, write_state
from .callbacks import (AirField, ConstraintType, ContactFilter, Failures, Generator, air_callback, constraint_row, filter_callback,
                        generator_row)
from .collider import Collider
from .constraint_set import ConstraintSet
from .deformable import Deformable, apply_material
from .mesh import Mesh
from .plugin import Plugin
from .pose import Pose, PoseLike, triple, write_pose

Result = TypeVar("Result")


class Snapshot(NamedTuple):
    """What World.snapshot took: bytes that may be pickled and stored, and are safe to read from anywhere."""

    frame: int  # Frames of the scene done, 0 for a world of no scene.
    data: bytes


class World(Described):
    """Deformables, constraint sets, attachments and colliders, which advance together.

    Settings are attributes (`world.substeps = 20`, `world.gravity = 0, -1.6, 0`) and arguments; `properties` has all of them.
    A world may be used from any thread, by one at a time: others wait. Steps release the GIL, so that worlds run side by side
    in threads. `with World() as world` closes it at the end; otherwise it goes when nothing refers to it or its parts.
    """

    def __init__(
        self, *, threads: int = 1, order: str = "coloured", simd: str = "auto", gust_length: float = 2.0, gust_seed: int = 0, **settings: Any
    ):
        made = definition("pli_world_def")
        made.hooks = native.pli_python_hooks()
        made.simd = choice("simd", simd, "simd")
        Group.of("world").write(made, {"threads": threads, "order": order, "gust_length": gust_length, "gust_seed": gust_seed})
        self._group().write(ffi.addressof(made, "settings"), settings)
        found = ffi.new("pli_world **")
        call(lib.pli_world_create_version, lib.PLI_VERSION_NUMBER, made, found)
        self._adopt(found[0])

    def _adopt(self, world: Any, scene: Any = None) -> None:
        self._lock = threading.RLock()
        self._cancelling = threading.Lock()  # Cancelling may not wait for the step that it is to end.
        self._failures = Failures()
        self._types: dict[str, Any] = {}  # Rows of the user's constraint types.
        held: list[Any] = []  # What the library may call or read as long as the world is there.
        self._held = held

        def destroy(pointer: Any) -> None:
            lib.pli_world_destroy(pointer)
            held.clear()

        self._pointer: Any = ffi.gc(world, destroy)
        self._scene = scene
        self._has_ode = False  # See pliant.Ode.
        self._frame = 0

    @classmethod
    def _of_scene(cls, world: Any, scene: Any) -> "World":
        made = cls.__new__(cls)
        made._adopt(world, scene)
        return made

    # ---- how every call goes: one at a time, on a world that is open

    def _open(self) -> Any:
        if self._pointer is None:
            raise Closed("the world was closed")
        return self._pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            try:
                call(function, self._open(), *arguments)
            finally:
                self._failures.check()

    def _view(self, take: Callable[[Any], Result]) -> Result:
        with self._lock:
            return take(self._open())

    def close(self) -> None:
        """Destroys the world and what is in it. Arrays stay as they are; every later call on it raises Closed."""
        with self._lock, self._cancelling:
            if self._pointer is not None:
                if lib.pli_world_is_in_call(self._pointer):
                    raise InvalidArgument("a callback cannot close its world; close it after the call")
                ffi.release(self._pointer)
                self._pointer = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._pointer is None:
            return "<World: closed>"
        counts = ((len(self.deformables), "deformable"), (len(self.colliders), "collider"))
        parts = ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)
        return f"<World: {parts}, {self.time:.4g} s>"

    # ---- settings

    @staticmethod
    def _group() -> Group:
        return Group.of("settings", "contact")

    def _names(self) -> Iterable[str]:
        return self._group()

    def _measured(self) -> dict[str, Iterable[str]]:
        return {"statistics()['{}']": fields("pli_statistics")}

    def _settings(self) -> Any:
        return ffi.new("pli_settings *", self._view(lib.pli_world_settings))

    def _read(self, name: str) -> Any:
        return self._group().read(self._settings(), name)

    def _write(self, values: dict[str, Any]) -> None:
        with self._lock:
            found = self._settings()
            self._group().write(found, values)
            self._call(lib.pli_world_set_settings, found)

    @property
    def threads(self) -> int:
        """Threads that share the work of a step; the state does not depend on them."""
        return int(self._view(lib.pli_world_thread_count))

    @property
    def simd(self) -> str:
        """The instructions in use; the state does not depend on them."""
        return choice_name("simd", self._view(lib.pli_world_simd))

    # ---- steps

    @documented("pli_world_step")
    def step(self, dt: Optional[float] = None) -> None:
        """Advances by dt seconds. Without dt, a scene's world advances by a frame, with the scene's motions."""
        with self._lock:
            if dt is not None:
                self._call(lib.pli_world_step, dt)
            elif self._scene is None:
                raise InvalidArgument("dt is missing; only the world of a scene knows how long its frames are")
            else:
                try:
                    call(lib.pli_scene_step, self._scene._pointer, self._open(), self._frame)
                finally:
                    self._failures.check()
                self._frame += 1

    @property
    def frame(self) -> int:
        """Frames of the scene done by `step()`."""
        return self._frame

    @documented("pli_world_cancel")
    def cancel(self) -> None:
        """Ends the step that another thread is in, which then raises Cancelled."""
        with self._cancelling:
            lib.pli_world_cancel(self._open())

    @property
    def time(self) -> float:
        """Time simulated [s]."""
        return float(self._view(lib.pli_world_time))

    @property
    def step_count(self) -> int:
        """Steps done."""
        return int(self._view(lib.pli_world_step_count))

    @property
    def hash(self) -> int:
        """64-bit hash of all positions and velocities, bit by bit; `pliant run` prints the same."""
        return int(self._view(lib.pli_world_hash))

    # ---- what it asks of the user

    @documented("pli_world_register_type")
    def register_type(self, type: ConstraintType) -> None:
        """Makes a constraint type of yours known to this world."""
        if not isinstance(type, ConstraintType):
            raise InvalidArgument(f"type is {type!r:.80}; it must be a ConstraintType")
        with self._lock:
            row, held = constraint_row(type, self._failures)
            self._held += held
            self._call(lib.pli_world_register_type, row)
            self._types[type.name] = row

    @documented("pli_world_set_air_field")
    def set_air_field(self, field: Optional[AirField]) -> None:
        """Takes velocities of the air from field(time, points) -> rows [m/s], for points that are rows [m]; None for wind alone."""
        if field is not None and not callable(field):
            raise InvalidArgument(f"field is {field!r:.80}; it must be a function, or None")
        with self._lock:
            callback = air_callback(field, self._failures) if field is not None else ffi.NULL
            self._view(lambda world: lib.pli_world_set_air_field(world, callback, ffi.NULL))
            self._held.append(callback)

    @documented("pli_world_set_contact_filter")
    def set_contact_filter(self, accept: Optional[ContactFilter]) -> None:
        """Asks accept(a, b) of each pair that may touch, two ContactSide; False ignores it. None accepts every pair.

        What it raises is raised when the step is over, which counts the pair as accepted.
        """
        if accept is not None and not callable(accept):
            raise InvalidArgument(f"accept is {accept!r:.80}; it must be a function, or None")
        found = weakref.ref(self)  # What the world holds must not hold the world.

        def part_of(side: Any) -> Any:
            world = found()
            return Deformable(world, side.deformable) if side.deformable.id else Collider(world, side.collider)  # type: ignore[arg-type]

        with self._lock:
            callback = filter_callback(accept, part_of, self._failures) if accept is not None else ffi.NULL
            self._view(lambda world: lib.pli_world_set_contact_filter(world, callback, ffi.NULL))
            self._held.append(callback)

    @documented("pli_world_register_generator")
    def register_generator(self, generator: Generator) -> None:
        """Makes a generator of yours known to this world, for `add_constraints(type, generator.name)`."""
        if not isinstance(generator, Generator):
            raise InvalidArgument(f"generator is {generator!r:.80}; it must be a Generator")
        with self._lock:
            row, held = generator_row(generator, self._failures)
            self._held += held
            self._call(lib.pli_world_register_generator, row)

    def register_plugin(self, plugin: Plugin) -> None:
        """Makes the constraint types and generators of a plugin known to this world."""
        if not isinstance(plugin, Plugin):
            raise InvalidArgument(f"plugin is {plugin!r:.80}; it must be a Plugin")
        with self._lock:
            table = plugin._table
            for i in range(table.type_count):
                self._call(lib.pli_world_register_type, table.types[i])
                self._types[text(table.types[i].name)] = table.types[i]
            for i in range(table.generator_count):
                self._call(lib.pli_world_register_generator, table.generators[i])

    # ---- what is in it

    @documented("pli_deformable_create")
    def add_deformable(self, mesh: Mesh, *, name: Optional[str] = None, pose: PoseLike = Pose(),
                       positions: Optional[Any] = None, material: Optional[str] = None, keep_previous: bool = False,
                       **values: Any) -> Deformable:
        """Adds a surface with the rest shape of a mesh.

        `material` is a preset, such as "denim" (`materials()` has all), which also gives it a membrane, which resists stretching as the material does. Other
        constraints are yours to add: Deformable.add_constraints, Deformable.add_bending. `values` are its properties: density, thickness, self_collision and so on.
        """
        if not isinstance(mesh, Mesh):
            raise InvalidArgument(f"mesh is {mesh!r:.80}; it must be a Mesh")
        made, held = definition("pli_deformable_def"), []
        made.mesh, made.keep_previous = mesh._pointer, keep_previous
        preset = apply_material(made, material) if material is not None else None
        Deformable._group().write(made, values)
        write_pose(made.pose, pose)
        if name is not None:
            held.append(ffi.new("char[]", encoded(name, "name")))
            made.name = held[-1]
        if positions is not None:
            array = points(positions, "positions")
            if len(array) != len(mesh):
                raise InvalidArgument(f"positions has {len(array)} rows; the mesh has {len(mesh)} vertices")
            held.append(pointer(array))
            made.positions = held[-1]
        handle = ffi.new("pli_deformable *")
        with self._lock:
            self._call(lib.pli_deformable_create, made, handle)
            found = Deformable(self, handle[0])
            if preset:
                sets = ffi.new("pli_constraints *")
                self._call(lib.pli_material_create_constraints, handle[0], ffi.addressof(preset[0], "def"), sets)
        return found

    @documented("pli_collider_create")
    def add_collider(self, shape: str = "plane", *, mesh: Optional[Mesh] = None, pose: PoseLike = Pose(),
                     body: Optional[RigidBody] = None, **values: Any) -> Collider:
        """Adds a shape: "plane", "sphere", "capsule", "box", "hull", "mesh" and others, with its sizes by name.

        `body` carries it, at `pose` in the body's frame.
        """
        made = definition("pli_collider_def")
        Collider._group().write(made, {"shape": shape, **values})
        if mesh is not None:
            if not isinstance(mesh, Mesh):
                raise InvalidArgument(f"mesh is {mesh!r:.80}; it must be a Mesh")
            made.mesh = mesh._pointer
        write_pose(made.pose, pose)
        if body is not None:
            made.body = body_handle(body)
        handle = ffi.new("pli_collider *")
        self._call(lib.pli_collider_create, made, handle)
        return Collider(self, handle[0])

    @documented("pli_rigid_body_create")
    def add_body(self, *, name: Optional[str] = None, pose: PoseLike = Pose(), velocity: Any = (0, 0, 0), angular_velocity: Any = (0, 0, 0),
                 acceleration: Any = (0, 0, 0), inverse_mass: float = 1.0, inverse_inertia: Any = 1.0,
                 centre_of_mass: Any = (0, 0, 0), mass_scale: float = 1.0, respects_sleep: bool = False) -> RigidBody:
        """Adds the proxy of a body that an engine of yours moves. RigidBody.add_collider gives it shapes."""
        made = definition("pli_rigid_body_def")
        write_state(made.state, pose, velocity=velocity, angular_velocity=angular_velocity, acceleration=acceleration)
        made.inverse_mass, made.inverse_inertia = inverse_mass, inertia_numbers(inverse_inertia, "inverse_inertia")
        made.centre_of_mass, made.mass_scale = triple(centre_of_mass, "centre_of_mass"), mass_scale
        made.respects_sleep = respects_sleep
        word = ffi.new("char[]", encoded(name, "name")) if name is not None else ffi.NULL
        made.name = word
        handle = ffi.new("pli_rigid_body *")
        self._call(lib.pli_rigid_body_create, made, handle)
        return RigidBody(self, handle[0])

    def _parts(self, kind: type[Any]) -> list[Any]:
        count, at = getattr(lib, f"pli_world_{kind._kind}_count"), getattr(lib, f"pli_world_{kind._kind}_at")
        return self._view(lambda world: [kind(self, at(world, i)) for i in range(count(world))])

    @property
    def deformables(self) -> list[Deformable]:
        """The deformables in the order in which they were made."""
        return self._parts(Deformable)

    @property
    def constraint_sets(self) -> list[ConstraintSet]:
        """The constraint sets of all deformables in the order in which they were made."""
        return self._parts(ConstraintSet)

    @property
    def attachments(self) -> list[Attachment]:
        """The attachments that are left, in the order in which they were made."""
        return self._parts(Attachment)

    @property
    def colliders(self) -> list[Collider]:
        """The colliders that are left, in the order in which they were made."""
        return self._parts(Collider)

    @property
    def bodies(self) -> list[RigidBody]:
        """The rigid bodies that are left, in the order in which they were made; those of a scene too."""
        return self._parts(RigidBody)

    def __getitem__(self, name: str) -> Deformable:
        """The first deformable of that name."""
        found = self._view(lambda world: lib.pli_world_deformable_find(world, encoded(name, "name")))
        if found.id == 0:
            raise KeyError(f"no deformable is called {name!r}; there are {[each.name for each in self.deformables]}")
        return Deformable(self, found)

    # ---- state and measures

    def snapshot(self) -> Snapshot:
        """Everything that the run depends on, for `restore` of this world or of one made the same way."""
        with self._lock:
            data = bytearray(lib.pli_world_snapshot_size(self._open()))
            self._call(lib.pli_world_snapshot_write, ffi.from_buffer(data), len(data))
            return Snapshot(self._frame, bytes(data))

    @documented("pli_world_snapshot_read")
    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot; the run then continues bit for bit."""
        if not isinstance(snapshot, Snapshot) or not isinstance(snapshot.data, bytes) or not isinstance(snapshot.frame, int):
            raise InvalidArgument("snapshot must be what World.snapshot has given")
        with self._lock:
            self._call(lib.pli_world_snapshot_read, ffi.from_buffer(snapshot.data), len(snapshot.data))
            self._frame = snapshot.frame

    def cooked(self) -> bytes:
        """Schedules, orders and rest values of all constraint sets, for `set_cooked` of a world that makes the same ones."""
        with self._lock:
            data = bytearray(lib.pli_world_cooked_size(self._open()))
            self._call(lib.pli_world_cooked_write, ffi.from_buffer(data), len(data))
            return bytes(data)

    @documented("pli_world_set_cooked")
    def set_cooked(self, data: Optional[bytes]) -> None:
        """Takes the constraint sets that are made from now on from `data`, in their order; None cooks them again."""
        if data is not None and not isinstance(data, bytes):
            raise InvalidArgument("data must be bytes of World.cooked, or None")
        with self._lock:
            held = ffi.from_buffer(data) if data is not None else ffi.NULL
            self._held.append(held)
            self._call(lib.pli_world_set_cooked, held, len(data or b""))

    @documented("pli_world_teleport")
    def teleport(self, start: PoseLike, end: PoseLike, parts: Optional[Iterable[Part]] = None, keep_velocities: bool = True) -> None:
        """Moves parts (deformables, colliders, bodies), or everything, at once: what was at `start` is at `end`."""
        made = definition("pli_teleport_def")
        write_pose(getattr(made, "from"), start)
        write_pose(made.to, end)
        made.keep_velocities, made.everything = keep_velocities, parts is None
        every, held = list(parts or ()), []
        kinds: tuple[tuple[str, type[Part]], ...] = (("deformable", Deformable), ("collider", Collider), ("rigid_body", RigidBody))
        if not all(isinstance(each, (Deformable, Collider, RigidBody)) for each in every):
            raise InvalidArgument("parts must be deformables, colliders and rigid bodies")
        for name, kind in kinds:
            handles = [each._handle[0] for each in every if isinstance(each, kind)]
            held.append(ffi.new(f"pli_{name}[]", handles))
            setattr(made, "rigid_bodies" if name == "rigid_body" else f"{name}s", held[-1])
            setattr(made, f"{name}_count", len(handles))
        self._call(lib.pli_world_teleport, made)

    @property
    def origin(self) -> tuple[float, ...]:
        """The point that positions are relative to inside of the world [m]. Set, it goes to whole metres near there."""
        found = ffi.new("double[3]")
        self._view(lambda world: lib.pli_world_get_origin(world, found))
        return tuple(found)

    @origin.setter
    def origin(self, value: Any) -> None:
        self._call(lib.pli_world_set_origin, ffi.new("double[3]", triple(value, "origin")))

    @documented("pli_world_shift")
    def shift(self, offset: Any) -> None:
        """Moves everything by an offset [m], with the origin."""
        self._call(lib.pli_world_shift, ffi.new("double[3]", triple(offset, "offset")))

    @documented("pli_world_set_time_limit")
    def set_time_limit(self, seconds: float = float("inf")) -> None:
        """Steps that take longer [s] raise Cancelled, and leave the world as it was."""
        self._call(lib.pli_world_set_time_limit, seconds)

    @documented("pli_world_check")
    def check(self, dt: float = 1.0 / 60.0) -> list[dict[str, Any]]:
        """What is worth knowing before stepping by dt seconds: records of kind, text, deformable, collider, vertex, value and so on."""
        count, found = ffi.new("int32_t *"), []
        with self._lock:
            self._call(lib.pli_world_check, dt, count)
            for i in range(count[0]):
                finding = lib.pli_world_finding_at(self._open(), i)[0]
                values = record(finding)
                values["kind"], values["text"] = choice_name("finding", finding.kind), text(finding.text)
                for name, kind in (("deformable", Deformable), ("other", Deformable), ("collider", Collider)):
                    handle = getattr(finding, name)
                    values[name] = kind(self, handle) if handle.id else None
                found.append(values)
        return found

    @documented("pli_world_set_advice")
    def set_advice(self, advice: bool) -> None:
        """Whether the first step logs the first finding of a check."""
        self._view(lambda world: lib.pli_world_set_advice(world, advice))

    @documented("pli_world_settle")
    def settle(self, speed: float = 0.01, dt: float = 1.0 / 60.0, max_steps: int = 10000) -> dict[str, Any]:
        """Brings the world to rest: settled, steps, speed of the fastest particle, and kinetic energy, as far as it came."""
        found = ffi.new("pli_settled *")
        with self._lock:
            self._call(lib.pli_world_settle, dt, speed, max_steps, found)
        return record(found[0])

    def support_contacts(self) -> NDArray[Any]:
        """Where bodies bear on other colliders through cloth: records of collider, support, position, normal, distance and so on."""
        kind, count = ffi.typeof("pli_support_contact"), ffi.new("int32_t *")
        with self._lock:
            self._call(lib.pli_world_support_contacts, ffi.NULL, 0, count)
            found = np.zeros(count[0], layout(kind))
            self._call(lib.pli_world_support_contacts, ffi.from_buffer("pli_support_contact[]", found), len(found), count)
        return found

    def statistics(self) -> dict[str, Any]:
        """Energy, momenta, stretch, contacts, intersections, times of stages and memory."""
        found = ffi.new("pli_statistics *")
        self._view(lambda world: lib.pli_world_get_statistics(world, found))
        values = record(found[0])
        values["stage_seconds"] = dict(zip(choices("stage"), values["stage_seconds"]))
        return values

    def contacts(self) -> NDArray[Any]:
        """The contacts of the last substep as an array of records: a, b, position, normal, impulse and so on."""
        kind, count = ffi.typeof("pli_contact_point"), ffi.new("int32_t *")
        with self._lock:
            self._call(lib.pli_world_contacts, ffi.NULL, 0, count)
            found = np.zeros(count[0], layout(kind))
            room = ffi.from_buffer("pli_contact_point[]", found)
            self._call(lib.pli_world_contacts, room, len(found), count)
        return found

    def ray(self, origin: Any, direction: Any, reach: float = float("inf")) -> Optional[dict[str, Any]]:
        """The nearest point of a deformable on a ray, or None."""
        hit = ffi.new("pli_ray_hit *")
        start, along = triple(origin, "origin"), triple(direction, "direction")
        if not self._view(lambda world: lib.pli_world_ray(world, start, along, reach, 2**32 - 1, hit)):
            return None
        return {**record(hit[0]), "deformable": Deformable(self, hit.deformable)}


@documented("pli_worlds_step")
def step_all(worlds: Iterable[World], dt: Optional[float] = None, threads: Optional[int] = None) -> None:
    """Steps many worlds side by side, by one call on `threads` threads: as many as processors, unless said.

    The GIL is released meanwhile. All of them are stepped also when one fails; then the first failure is raised, with the place of
    its world in the list. Without dt, each goes on by a frame of its scene, on threads of Python.
    """
    every = list(worlds)
    if any(not isinstance(world, World) for world in every):
        raise InvalidArgument("worlds must be a list of World")
    count = threads if threads is not None else os.cpu_count() or 1
    if dt is None:
        _step_frames(every, count)
        return
    with contextlib.ExitStack() as held:
        for world in sorted(every, key=id):  # In one order everywhere, so that two calls never wait for each other.
            held.enter_context(world._lock)
        listed = ffi.new("pli_world *[]", [world._open() for world in every])
        failed: list[BaseException] = []
        try:
            call(lib.pli_worlds_step, listed, len(every), dt, count, ffi.NULL)
        finally:
            for world in every:
                failed += world._failures.take()
            if failed:
                raise failed[0]


def _step_frames(worlds: list[World], threads: int) -> None:
    if threads < 1:
        raise InvalidArgument(f"threads is {threads}; it must be at least 1")
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(world.step) for world in worlds]
    for each in waiting:
        each.result()
