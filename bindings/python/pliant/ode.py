"""Rigid bodies that Open Dynamics Engine moves beside a world. Needs ODE on the system (Debian: libode8)."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Union

from ._library import FOLDER, InvalidArgument, Unsupported, call, choice, documented, encoded, ffi, lib, record, text
from .body import RigidBody, body_handle
from .collider import Collider
from .mesh import Mesh
from .pose import Pose, PoseLike, triple, write_pose
from .world import World

Shape = Mapping[str, Any]


@functools.lru_cache(maxsize=None)
def _library() -> Any:
    try:
        return ffi.dlopen(str(FOLDER / "libpliant_ode.so.0"))
    except OSError as failure:
        raise Unsupported(f"bodies need the library ODE (Debian: libode8), and a wheel that was built with it: {failure}") from None


def _definition(name: str) -> Any:
    return ffi.new(f"{name} *", getattr(_library(), f"{name}_default")())


def _shape(made: Any, shape: Shape, held: list[Any]) -> None:
    if not isinstance(shape, Mapping):
        raise InvalidArgument(f"a shape is {shape!r:.80}; it must be a dictionary, such as {{'shape': 'sphere', 'radius': 0.1}}")
    values = dict(shape)
    mesh, pose = values.pop("mesh", None), values.pop("pose", Pose())
    Collider._group().write(made, {"shape": "sphere", **values})
    write_pose(made.pose, pose)
    if mesh is not None:
        if not isinstance(mesh, Mesh):
            raise InvalidArgument(f"mesh is {mesh!r:.80}; it must be a Mesh")
        made.mesh = mesh._pointer
        held.append(mesh)


class Ode:
    """ODE beside one world: it moves the bodies that it makes whenever the world steps.

        ode = Ode(world)
        ball = ode.add_body({"shape": "sphere", "radius": 0.1}, mass=0.5, pose=(0, 1, 0))
        world.step(1 / 60)
        print(ball.pose)
    """

    @documented("pli_ode_create")
    def __init__(self, world: World, *, iterations: int = 0, error_reduction: float = 0.2, overlap: float = 1e-4):
        """iterations 0 is the exact solver; otherwise sweeps of the iterative one, for heaps. overlap is in [m]."""
        if not isinstance(world, World):
            raise InvalidArgument(f"world is {world!r:.80}; it must be a World")
        made, found = _definition("pli_ode_def"), ffi.new("pli_ode **")
        made.iterations, made.error_reduction, made.overlap = iterations, error_reduction, overlap
        with world._lock:
            if world._has_ode or world._scene is not None and world.bodies:
                raise Unsupported("the world has an Ode already; one moves all of its bodies")
            world._call(_library().pli_ode_create, made, found)
            self._world, self._pointer = world, found[0]
            world._has_ode = True

    def _call(self, name: str, *arguments: Any) -> None:
        with self._world._lock:
            self._world._open()  # It is destroyed with its world.
            call(getattr(_library(), name), self._pointer, *arguments)

    @property
    def world(self) -> World:
        """The world that it is beside."""
        return self._world

    @documented("pli_ode_body_create")
    def add_body(self, shapes: Union[Shape, Iterable[Shape]], *, name: Optional[str] = None, mass: float = 0.0, density: float = 1000.0,
                 pose: PoseLike = Pose(), velocity: Any = (0, 0, 0), angular_velocity: Any = (0, 0, 0), fixed: bool = False,
                 mass_scale: float = 1.0) -> RigidBody:
        """Adds a body of one shape or several: dictionaries of what World.add_collider takes, poses in the body's frame.

        mass is in [kg], 0 for that of the density [kg/m3].
        """
        held: list[Any] = []
        every = [shapes] if isinstance(shapes, Mapping) else list(shapes)
        listed, made = ffi.new("pli_collider_def[]", len(every)), _definition("pli_ode_body_def")
        for i, shape in enumerate(every):
            listed[i] = lib.pli_collider_def_default()
            _shape(listed + i, shape, held)
        made.shapes, made.shape_count = listed, len(every)
        made.mass, made.density, made.fixed, made.mass_scale = mass, density, fixed, mass_scale
        write_pose(made.pose, pose)
        made.velocity, made.angular_velocity = triple(velocity, "velocity"), triple(angular_velocity, "angular_velocity")
        word = ffi.new("char[]", encoded(name, "name")) if name is not None else ffi.NULL
        made.name = word
        handle = ffi.new("pli_rigid_body *")
        self._call("pli_ode_body_create", made, handle)
        return RigidBody(self._world, handle[0])

    @documented("pli_ode_body_destroy")
    def remove_body(self, body: RigidBody) -> None:
        self._call("pli_ode_body_destroy", body_handle(body))

    def mass(self, body: RigidBody) -> dict[str, Any]:
        """Mass [kg], centre [m] and inertia [kg m2] of a body, in its frame."""
        found = ffi.new("pli_ode_mass *")
        self._call("pli_ode_body_get_mass", body_handle(body), found)
        return record(found[0])

    @documented("pli_ode_collider_add")
    def add_collider(self, collider: Collider) -> None:
        if not isinstance(collider, Collider):
            raise InvalidArgument(f"collider is {collider!r:.80}; it must be a Collider")
        self._call("pli_ode_collider_add", collider._handle[0])

    @documented("pli_ode_joint_create")
    def add_joint(self, type: str, body: RigidBody, other_body: Optional[RigidBody] = None, *, anchor: Any = (0, 0, 0),
                  axis: Any = (0, 1, 0), second_axis: Any = (1, 0, 0), limits: Optional[tuple[float, float]] = None,
                  motor_speed: float = 0.0, motor_force: float = 0.0) -> "Joint":
        """Joins a body with another or with the world; `type` is "ball", "hinge", "slider", "fixed" or "universal"."""
        made, found = _definition("pli_ode_joint_def"), ffi.new("pli_ode_joint *")
        made.type, made.body = choice("joint", type, "type"), body_handle(body)
        if other_body is not None:
            made.other_body = body_handle(other_body)
        made.anchor, made.axis, made.second_axis = triple(anchor, "anchor"), triple(axis, "axis"), triple(second_axis, "second_axis")
        if limits is not None:
            made.minimum, made.maximum = limits
        made.motor_speed, made.motor_force = motor_speed, motor_force
        self._call("pli_ode_joint_create", made, found)
        return Joint(self, found)


class Joint:
    """A joint of ODE between two bodies, or a body and the world; Ode.add_joint makes one."""

    def __init__(self, ode: Ode, handle: Any):
        self._ode, self._handle = ode, handle

    def _state(self) -> tuple[float, float]:
        value, rate = ffi.new("float *"), ffi.new("float *")
        self._ode._call("pli_ode_joint_get_state", self._handle[0], value, rate)
        return float(value[0]), float(rate[0])

    @property
    def value(self) -> float:
        """Angle of a hinge [rad], displacement of a slider [m]."""
        return self._state()[0]

    @property
    def rate(self) -> float:
        """Rate of the value [rad/s], [m/s]."""
        return self._state()[1]

    @documented("pli_ode_joint_set_motor")
    def set_motor(self, speed: float, force: float) -> None:
        self._ode._call("pli_ode_joint_set_motor", self._handle[0], speed, force)

    def destroy(self) -> None:
        """Lets the bodies go."""
        self._ode._call("pli_ode_joint_destroy", self._handle[0])
