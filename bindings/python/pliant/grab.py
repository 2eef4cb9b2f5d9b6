"""Grabs: a soft hand on a deformable, limited in force."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._library import documented, ffi, lib
from ._part import vector
from .attachment import Attachment
from .pose import triple

if TYPE_CHECKING:
    from .world import World


class Grab:
    """A hand that holds a piece of a deformable: `Deformable.grab` makes one. Lead it before each step; then let go.

        hand = cloth.grab(vertex=30)
        while hand.lead((0, 1, 0), 1 / 60):
            world.step(1 / 60)
    """

    def __init__(self, world: "World", held: Any):
        self._world, self._held = world, held

    def __repr__(self) -> str:
        return f"<Grab of {self.particle_count} particles>" if self.holds else "<Grab: it has let go>"

    @documented("pli_grab_update")
    def lead(self, target: Any, dt: float, holds: bool = True) -> bool:
        """Leads the hand to `target` [m] for the next step of dt [s]; with holds=False it lets go, within its ramp.

        Returns whether it still holds.
        """
        self._world._call(lib.pli_grab_update, self._held, triple(target, "target"), dt, holds)
        return self.holds

    @property
    def holds(self) -> bool:
        """Whether it has not let go yet."""
        return bool(self._held.attachment.id)

    @property
    def attachment(self) -> Optional[Attachment]:
        """The soft attachment that it holds by, None once it has let go."""
        return Attachment(self._world, self._held.attachment) if self.holds else None

    @property
    def particle_count(self) -> int:
        """Particles that it holds."""
        return int(self._held.particle_count)

    @property
    def force(self) -> tuple[float, float, float]:
        """Force of the next step at its start [N], for a display."""
        return vector(self._held.force)

    @property
    def limit(self) -> float:
        """Most force [N]."""
        return float(self._held.limit)

    @property
    def reach(self) -> float:
        """Distance of the hand at which the limit is reached [m]."""
        return float(self._held.reach)
