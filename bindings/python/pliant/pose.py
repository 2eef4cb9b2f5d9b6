"""Poses: where the frame of an attachment or a collider is."""
from __future__ import annotations

from typing import Any, NamedTuple, Union

from ._library import InvalidArgument

Triple = tuple[float, float, float]
Quadruple = tuple[float, float, float, float]


class Pose(NamedTuple):
    """Rotate, then translate."""

    position: Triple = (0.0, 0.0, 0.0)  # [m]
    rotation: Quadruple = (0.0, 0.0, 0.0, 1.0)  # A unit quaternion x, y, z, w.


PoseLike = Union[Pose, Any]


def _numbers(values: Any, count: int, what: str) -> tuple[float, ...]:
    try:
        found = tuple(float(value) for value in values if not isinstance(value, complex))
    except (TypeError, ValueError, OverflowError):
        found = ()
    if len(found) != count:
        raise InvalidArgument(f"{what} is {values!r}; it must be {count} numbers")
    return found


def triple(values: Any, what: str) -> Triple:
    """Three numbers."""
    x, y, z = _numbers(values, 3, what)
    return x, y, z


def turned(rotation: Quadruple, point: Triple) -> Triple:
    """A point, turned by a unit quaternion: p + 2 w (q x p) + 2 q x (q x p)."""
    x, y, z, w = rotation
    a, b, c = y * point[2] - z * point[1], z * point[0] - x * point[2], x * point[1] - y * point[0]
    return (point[0] + 2 * (w * a + y * c - z * b), point[1] + 2 * (w * b + z * a - x * c), point[2] + 2 * (w * c + x * b - y * a))


def write_pose(transform: Any, value: PoseLike) -> None:
    """Writes a pose, a pair of position and rotation, or three numbers for a position alone."""
    try:
        parts = list(value)
    except TypeError:
        raise InvalidArgument(f"pose is {value!r}; it must be a Pose, or three numbers for a position alone") from None
    position, rotation = (parts[0], parts[1]) if len(parts) == 2 else (parts, Pose().rotation)
    transform.position = triple(position, "position")
    transform.rotation = _numbers(rotation, 4, "rotation")


def read_pose(transform: Any) -> Pose:
    """The pose of a struct."""
    p, q = transform.position, transform.rotation
    return Pose((p.x, p.y, p.z), (q.x, q.y, q.z, q.w))
