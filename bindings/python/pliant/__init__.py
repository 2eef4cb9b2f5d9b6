"""Pliant: Position-Based Dynamics for cloth, leaves, shells and balloons.

    from pliant import Mesh, World
    world = World(substeps=20)
    cloth = world.add_deformable(Mesh.grid(40, 40, 1, 1), name="cloth")
    cloth.add_constraints("distance")
    cloth.attach([0, 39])
    for frame in range(60):
        world.step(1 / 60)
    print(cloth.positions)

Units are SI. The state is the same to the bit for any number of threads, and as `pliant run` has it.
"""
from ._library import (Cancelled, Closed, Corrupt, Error, FileError, InvalidArgument, InvalidMesh, NonFinite, NotFound,
                       OutOfMemory, ParseError, Unsupported)
from ._library import lib as _lib
from ._library import text as _text
from .attachment import Attachment
from .body import RigidBody, RigidChange
from .cache import Cache, CachedObject, Recorder, cache_formats
from .callbacks import ConstraintType, ContactSide, Generator
from .collider import Collider
from .constraint_set import ConstraintSet, Residual
from .deformable import Deformable
from .grab import Grab
from .mesh import Mesh
from .plugin import Plugin
from .pose import Pose
from .scene import Diagnostic, Scene
from .tables import attributes, constraint_types, materials
from .world import Snapshot, World, step_all
from .ode import Joint, Ode  # After the world, which it is beside.

__version__ = _text(_lib.pli_version())
__all__ = ["Attachment", "Cache", "CachedObject", "Cancelled", "Closed", "Collider", "ConstraintSet", "ConstraintType",
           "ContactSide", "Corrupt", "Deformable", "Diagnostic", "Error",
           "FileError", "Generator", "Grab", "InvalidArgument", "InvalidMesh", "Joint", "Mesh", "NonFinite", "NotFound", "Ode", "OutOfMemory", "ParseError", "Plugin", "Pose",
           "Recorder", "Residual", "RigidBody", "RigidChange", "Scene", "Snapshot", "Unsupported", "World", "attributes", "cache_formats", "constraint_types",
           "materials", "step_all"]
