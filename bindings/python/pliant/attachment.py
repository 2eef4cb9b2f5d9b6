"""Attachments: particles that follow a moving frame."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Integers
from ._library import documented, ffi, record
from ._part import DefinedPart
from .pose import Pose, PoseLike, read_pose, write_pose


class Attachment(DefinedPart):
    """Particles that follow a frame. Set `pose` before a step; `destroy` lets go."""

    _kind = "attachment"
    _groups = ("attachment",)

    def __repr__(self) -> str:
        return f"<Attachment of {len(self.particles)} particles>"

    @property
    def particles(self) -> Integers:
        """The particles that it holds, as a copy."""
        count = ffi.new("int32_t *")
        with self._world._lock:
            self._call("pli_attachment_particles", ffi.NULL, 0, count)
            found = np.zeros(count[0], np.int32)
            self._call("pli_attachment_particles", ffi.from_buffer("int32_t[]", found), len(found), count)
        return found

    @property
    def pose(self) -> Pose:
        """Where the frame is. Set, it goes there during the next step."""
        found = self._definition()  # A struct within another does not keep it.
        return read_pose(found.pose)

    @pose.setter
    def pose(self, value: PoseLike) -> None:
        transform = ffi.new("pli_transform *")
        write_pose(transform, value)
        self._call("pli_attachment_set_pose", transform[0])

    @documented("pli_attachment_teleport")
    def teleport(self, pose: PoseLike) -> None:
        transform = ffi.new("pli_transform *")
        write_pose(transform, pose)
        self._call("pli_attachment_teleport", transform[0])

    @documented("pli_attachment_tracking_error")
    def tracking_error(self) -> dict[str, Any]:
        found = ffi.new("pli_attachment_tracking_error *")
        self._call("pli_attachment_get_tracking_error", found)
        return record(found[0])
