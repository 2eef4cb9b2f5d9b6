"""Rigid bodies of another engine: proxies that cloth acts on, and that act on it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._library import InvalidArgument, documented, ffi, lib, record, text
from ._part import Part, vector
from .pose import Pose, PoseLike, read_pose, triple, write_pose

if TYPE_CHECKING:
    from .collider import Collider

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class RigidChange:
    """What deformables did to a body since it was last taken: to be added to the velocities that its engine has."""

    velocity: Vector  # [m/s]
    angular_velocity: Vector  # [rad/s]
    impulse: Vector  # [N s]
    angular_impulse: Vector  # About the centre of mass [N m s].


def inertia_numbers(value: Any, what: str) -> list[float]:
    """xx yy zz xy xz yz of one number, three or six."""
    try:
        found = [float(number) for number in value] if hasattr(value, "__iter__") else [float(value)] * 3
    except (TypeError, ValueError, OverflowError):
        found = []
    if len(found) not in (3, 6):
        raise InvalidArgument(f"{what} is {value!r:.80}; it must be a number, three, or six: xx yy zz xy xz yz")
    return found + [0.0] * (6 - len(found))


class RigidBody(Part):
    """The proxy of a rigid body that an engine of yours, or Ode, moves. `World.add_body` makes one.

    It moves with its velocities through a step. Before the step, set what your engine says (`set_state`, or the attributes
    `pose`, `velocity`, `angular_velocity`); after it, add what `take_change` says to your velocities. Colliders and attachments
    take it as `body`.
    """

    _kind = "rigid_body"

    def _names(self) -> tuple[str, ...]:
        return ()

    def __repr__(self) -> str:
        return f"<RigidBody {self.name!r}>"

    def _definition(self) -> Any:
        found = ffi.new("pli_rigid_body_def *")
        self._call("pli_rigid_body_get_def", found)
        return found

    def _state(self) -> Any:
        # Kept in a local while its parts are read: a struct within another does not keep it.
        found = ffi.new("pli_rigid_state *")
        self._call("pli_rigid_body_get_state", found)
        return found

    @property
    def name(self) -> str:
        """Its name."""
        with self._world._lock:
            return text(self._definition().name)

    @property
    def inverse_mass(self) -> float:
        """Inverse mass [1/kg]; 0 where nothing but its velocities moves it."""
        return float(self._definition().inverse_mass)

    @property
    def pose(self) -> Pose:
        """Pose of its frame [m]. Set, it is reached at constant velocity over the next step."""
        state = self._state()
        return read_pose(state.pose)

    @pose.setter
    def pose(self, value: PoseLike) -> None:
        self.set_state(pose=value)

    @property
    def velocity(self) -> Vector:
        """Velocity of the centre of mass [m/s]. Set, it counts at once."""
        state = self._state()
        return vector(state.velocity)

    @velocity.setter
    def velocity(self, value: Any) -> None:
        self.set_state(velocity=value)

    @property
    def angular_velocity(self) -> Vector:
        """Angular velocity [rad/s]. Set, it counts at once."""
        state = self._state()
        return vector(state.angular_velocity)

    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None:
        self.set_state(angular_velocity=value)

    @property
    def acceleration(self) -> Vector:
        """External acceleration that your engine integrates, such as gravity [m/s2]; it is not in what `take_change` says."""
        state = self._state()
        return vector(state.acceleration)

    @acceleration.setter
    def acceleration(self, value: Any) -> None:
        self.set_state(acceleration=value)

    @documented("pli_rigid_body_set_state")
    def set_state(self, *, pose: Optional[PoseLike] = None, velocity: Optional[Any] = None, angular_velocity: Optional[Any] = None,
                  acceleration: Optional[Any] = None, teleport: bool = False) -> None:
        """What is not given stays as it is."""
        with self._world._lock:
            state = self._state()
            write_state(state, pose, velocity=velocity, angular_velocity=angular_velocity, acceleration=acceleration)
            self._call("pli_rigid_body_set_state", state, teleport)

    @documented("pli_rigid_body_set_mass")
    def set_mass(self, inverse_mass: float, inverse_inertia: Any) -> None:
        """inverse_inertia [1/(kg m2)] is one number, three, or six: xx yy zz xy xz yz."""
        six = ffi.new("float[6]", inertia_numbers(inverse_inertia, "inverse_inertia"))
        self._call("pli_rigid_body_set_mass", inverse_mass, six)

    @documented("pli_rigid_body_take_change")
    def take_change(self) -> RigidChange:
        """What deformables did to it since this was last called."""
        found = ffi.new("pli_rigid_change *")
        self._call("pli_rigid_body_take_change", found)
        return RigidChange(*(vector(each) for each in (found.velocity, found.angular_velocity, found.impulse, found.angular_impulse)))

    @documented("pli_rigid_body_get_tracking_error")
    def tracking_error(self) -> dict[str, Any]:
        """Distance, force and torque that the non-penetration guarantee removed from it in the last step."""
        found = ffi.new("pli_rigid_tracking_error *")
        self._call("pli_rigid_body_get_tracking_error", found)
        return record(found[0])

    @property
    def asleep(self) -> bool:
        """Whether it sleeps with what it touches (the world's `sleep_speed`)."""
        return bool(self._world._view(lambda world: lib.pli_rigid_body_is_asleep(world, self._handle[0])))

    @documented("pli_rigid_body_wake")
    def wake(self) -> None:
        self._call("pli_rigid_body_wake")

    def add_collider(self, shape: str = "sphere", **values: Any) -> "Collider":
        """Gives it a shape, in its frame: what World.add_collider takes."""
        return self._world.add_collider(shape, body=self, **values)


def body_handle(body: Any) -> Any:
    """The handle of a body that a caller has given."""
    if not isinstance(body, RigidBody):
        raise InvalidArgument(f"body is {body!r:.80}; it must be a RigidBody")
    return body._handle[0]


def write_state(state: Any, pose: Optional[PoseLike], **vectors: Any) -> None:
    """Writes a pose and vectors into a struct; None leaves what is there."""
    if pose is not None:
        write_pose(state.pose, pose)
    for name, value in vectors.items():
        if value is not None:
            setattr(state, name, triple(value, name))
