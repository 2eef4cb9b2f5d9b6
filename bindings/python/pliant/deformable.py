"""Deformables: cloth, leaves, shells and balloons; surfaces of particles with mass."""
from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

import numpy as np

from ._attributes import Painted, row_named
from ._arrays import Floats, Integers, floats, integers, packed, pointer, points, world_numbers, world_vectors
from ._library import InvalidArgument, NotFound, call, choice, choice_name, choices, definition, documented, encoded, ffi, fields, lib, record, text
from ._part import DefinedPart
from ._properties import numbers, unknown
from .attachment import Attachment
from .body import RigidBody, body_handle
from .constraint_set import ConstraintSet, parameter_rows
from .grab import Grab
from .mesh import Mesh
from .pose import Pose, PoseLike, triple, write_pose


class Deformable(DefinedPart, Painted):
    """A surface of particles, one for each vertex of its mesh.

    `positions`, `velocities`, `normals` and `inverse_masses` are read-only arrays of numpy over the library's memory. Take
    them anew after each step: an older one may show the new state or the old one, and is never unsafe. Assign to
    `positions`, `velocities`, `inverse_masses` or `masses` to set them. Numbers such as `density`, `friction` and
    `thickness` are attributes; `properties` has all of them.
    """

    _kind = "deformable"
    _groups = ("deformable",)
    _inside = ("tearing", "plate")

    def __repr__(self) -> str:
        return f"<Deformable {self.name!r}: {len(self)} particles>" if self.name else f"<Deformable: {len(self)} particles>"

    def _measured(self) -> dict[str, Iterable[str]]:
        return {"statistics()['{}']": fields("pli_deformable_statistics"),
                "measure('{}')": choices("measure")}

    def __len__(self) -> int:
        return int(self._world._view(lambda world: lib.pli_deformable_vertex_count(world, self._handle[0])))

    def _vectors(self, function: Callable[..., Any]) -> Floats:
        with self._world._lock:
            array = self._world._view(lambda world: world_vectors(function(world, self._handle[0])))
            if not len(array):
                self._definition()  # It raises NotFound for one that is gone.
            return array

    def _put(self, function: str, value: Any, *columns: int) -> None:
        with self._world._lock:
            array = floats(value, function.removeprefix("pli_deformable_set_"), (len(self), *columns))
            self._call(function, 0, len(array), pointer(array))

    @property
    def name(self) -> str:
        """Its name."""
        return text(self._definition().name)

    @property
    def positions(self) -> Floats:
        """Where the particles are [m]; read-only, without a copy. Set by assignment; the next step searches for intersections."""
        return self._vectors(lib.pli_deformable_positions)

    @positions.setter
    def positions(self, value: Any) -> None:
        self._put("pli_deformable_set_positions", value, 3)

    @property
    def velocities(self) -> Floats:
        """Velocities of the particles [m/s]; read-only, without a copy. Set by assignment."""
        return self._vectors(lib.pli_deformable_velocities)

    @velocities.setter
    def velocities(self, value: Any) -> None:
        self._put("pli_deformable_set_velocities", value, 3)

    @property
    def normals(self) -> Floats:
        """Unit normals at the vertices, computed when asked for; read-only, without a copy."""
        return self._vectors(lib.pli_deformable_normals)

    @property
    def local_positions(self) -> Floats:
        """Positions relative to the world's origin [m]; read-only, without a copy."""
        return self._vectors(lib.pli_deformable_local_positions)

    @property
    def inverse_masses(self) -> Floats:
        """Inverse masses [1/kg], 0 for what is fixed; read-only, without a copy. Set by assignment."""
        stride = ffi.new("int32_t *")
        with self._world._lock:
            self._definition()
            return self._world._view(lambda world: world_numbers(
                lib.pli_deformable_inverse_masses(world, self._handle[0], stride), len(self), stride[0]))

    @inverse_masses.setter
    def inverse_masses(self, value: Any) -> None:
        self._put("pli_deformable_set_inverse_masses", value)

    @property
    def masses(self) -> Floats:
        """Masses of the particles [kg], infinite for what is fixed. It is a copy, since the library has the inverse. Set by
        assignment."""
        with np.errstate(divide="ignore"):
            return np.float32(1) / self.inverse_masses

    @masses.setter
    def masses(self, value: Any) -> None:
        array = floats(value, "masses")
        if not np.all(array > 0):
            raise InvalidArgument("masses must be above 0; an infinite mass fixes a particle")
        self.inverse_masses = np.float32(1) / array

    @property
    def triangles(self) -> Integers:
        """The triangles now, after tears and cuts; read-only, without a copy."""
        def take(world: Any) -> Integers:
            return packed(lib.pli_deformable_triangles(world, self._handle[0]), np.int32, len(self.rest_mesh.triangles), 3)
        with self._world._lock:
            return self._world._view(take)

    @property
    def rest_mesh(self) -> Mesh:
        """The mesh that it was made from."""
        with self._world._lock:
            self._definition()
            return self._world._view(lambda world: Mesh._borrowed(lib.pli_deformable_rest_mesh(world, self._handle[0])))

    @property
    def mesh(self) -> Mesh:
        """The mesh as it is now, at rest: another one than at first after tears and cuts."""
        found = ffi.new("pli_mesh const **")
        with self._world._lock:
            self._call("pli_deformable_get_mesh", found)
            return Mesh._borrowed(found[0])

    @property
    def mass(self) -> float:
        """Mass of the particles that are not fixed [kg]."""
        self._definition()  # It raises NotFound for one that is gone.
        return float(self._world._view(lambda world: lib.pli_deformable_mass(world, self._handle[0])))

    @property
    def effective_stretch(self) -> str:
        """How a step finds its stretch now, "solved" or "swept"; `stretch` is what was requested."""
        found = ffi.new("pli_stretch *")
        self._call("pli_deformable_get_stretch", ffi.NULL, found)
        return choice_name("stretch", found[0])

    @property
    def bounds(self) -> Floats:
        """The lowest and the highest coordinates [m], as two rows."""
        corners = ffi.new("pli_vec3[2]")
        self._call("pli_deformable_get_bounds", corners, corners + 1)
        return np.array([[corner.x, corner.y, corner.z] for corner in corners], np.float32)

    @property
    def asleep(self) -> bool:
        """Whether it is at rest and takes no part in steps."""
        return bool(self._world._view(lambda world: lib.pli_deformable_is_asleep(world, self._handle[0])))

    @property
    def constraint_sets(self) -> list[ConstraintSet]:
        """Its constraint sets, in the order in which they were made."""
        return [each for each in self._world.constraint_sets if each.deformable == self]

    @documented("pli_constraints_create")
    def add_constraints(self, type: str, generator: Optional[str] = None, particles: Optional[Any] = None,
                        name: Optional[str] = None, keep_lambda: bool = False, **parameters: float) -> ConstraintSet:
        """Adds constraints of a type, such as "distance" or "isometric", with its parameters by name.

        They are those of a generator, the type's own unless said, or of `particles`: a row of indices for each.
        """
        made, held = definition("pli_constraints_def"), []
        made.deformable = self._handle[0]
        for key, value in (("type", type), ("generator", generator), ("name", name)):
            if value is not None:
                held.append(ffi.new("char[]", encoded(value, key)))
                setattr(made, key, held[-1])
        row = self._world._types.get(type) or lib.pli_constraint_type_find(encoded(type, "type"))
        rows = parameter_rows(row)
        if rows and any(key not in rows for key in parameters):
            raise NotFound(unknown(next(key for key in parameters if key not in rows), type, rows))
        if rows:
            names = [ffi.new("char[]", key.encode()) for key in parameters]
            values = [numbers(rows[key], value)[0] for key, value in parameters.items()]
            held += [names, ffi.new("pli_parameter_value[]", [list(pair) for pair in zip(names, values)])]
            made.parameters, made.parameter_count = held[-1], len(names)
        if particles is not None:
            array = integers(particles, "particles")
            if not row or row.cardinality < 1 or len(array) % row.cardinality:
                raise InvalidArgument(f"particles are {len(array)} indices; a {type} constraint has {row.cardinality if row else '?'}")
            held.append(pointer(array))
            made.particles, made.constraint_count = held[-1], len(array) // row.cardinality
        made.keep_lambda = keep_lambda
        handle = ffi.new("pli_constraints *")
        try:
            self._world._call(lib.pli_constraints_create, made, handle)
        except Exception:
            if handle.id:  # A function of Python has raised, and the library has taken that for a degenerate stencil.
                ConstraintSet(self._world, handle[0]).destroy()
            raise
        return ConstraintSet(self._world, handle[0])

    @documented("pli_mesh_recommended_bending")
    def add_bending(self, rigidity: float) -> Optional[ConstraintSet]:
        """Makes the sheet bend with a rigidity [N m], as the key `rigidity` of scenes does, by a plate.

        Returns None, and `plate` has the rigidity. A mesh of more than 300 thousand vertices gets hinges, which are returned.
        """
        model = text(lib.pli_mesh_recommended_bending(self.mesh._pointer))
        if model != "plate":
            return self.add_constraints(model, rigidity=rigidity)
        self.plate = {"rigidity": rigidity}
        return None

    @documented("pli_deformable_get_effective_stiffness")
    def effective_stiffness(self, dt: float = 1.0 / 60.0) -> dict[str, Any]:
        """Requested and effective stiffness in steps of dt seconds: rigidity_requested, rigidity_effective, tensile_requested, tensile_effective and so on."""
        found = ffi.new("pli_effective_stiffness *")
        with self._world._lock:
            self._call("pli_deformable_get_effective_stiffness", dt, found)
        return record(found[0])

    @documented("pli_attachment_create")
    def attach(self, particles: Any, pose: PoseLike = Pose(), body: Optional[RigidBody] = None, **values: Any) -> Attachment:
        """Attaches particles to a frame at `pose`, or to a rigid body, each where it is now."""
        made, array = definition("pli_attachment_def"), integers(particles, "particles")
        Attachment._group().write(made, values)
        held = pointer(array)
        made.deformable, made.particles, made.particle_count = self._handle[0], held, len(array)
        write_pose(made.pose, pose)
        if body is not None:
            made.body = body_handle(body)
        handle = ffi.new("pli_attachment *")
        self._world._call(lib.pli_attachment_create, made, handle)
        return Attachment(self._world, handle[0])

    @documented("pli_grab_begin")
    def grab(self, vertex: int, radius: float = 0.0, strength: float = 1.0, reach: float = 0.0, ramp: int = 6) -> Grab:
        """Takes hold of the particles around a vertex with a soft hand; Grab.lead leads it."""
        made, held = definition("pli_grab_def"), ffi.new("pli_grab *")
        made.deformable, made.vertex, made.radius, made.strength = self._handle[0], vertex, radius, strength
        made.reach, made.ramp = reach, ramp
        self._world._call(lib.pli_grab_begin, made, held)
        return Grab(self._world, held)

    @documented("pli_deformable_reset_to")
    def reset_to(self, positions: Any) -> None:
        """Puts it to these positions, a row for each vertex [m], at rest, as if it had been made so."""
        array = points(positions, "positions")
        self._call("pli_deformable_reset_to", pointer(array), len(array))

    @property
    def previous_positions(self) -> Floats:
        """Positions before the last step [m], read-only and without a copy; empty unless it was made with keep_previous."""
        with self._world._lock:
            self._definition()
            return self._world._view(lambda world: world_vectors(lib.pli_deformable_previous_positions(world, self._handle[0])))

    def plate_energy(self) -> float:
        """Energy of bending in its plate [J]; 0 without one."""
        found = ffi.new("double *")
        self._call("pli_deformable_get_plate_energy", found)
        return float(found[0])

    @documented("pli_deformable_add_force")
    def add_force(self, particle: int, force: Any) -> None:
        self._call("pli_deformable_add_force", particle, triple(force, "force"))

    @documented("pli_deformable_cut")
    def cut(self, point: Any, normal: Any, reach: float = float("inf")) -> int:
        """Cuts along a plane, between faces nearer to `point` than `reach`; returns the number of vertices added."""
        made, copies = definition("pli_cut_def"), ffi.new("int32_t *")
        made.point, made.normal, made.reach = triple(point, "point"), triple(normal, "normal"), reach
        self._call("pli_deformable_cut", made, copies)
        return int(copies[0])

    @documented("pli_deformable_reset")
    def reset(self, pose: Optional[PoseLike] = None) -> None:
        transform = ffi.NULL
        if pose is not None:
            transform = ffi.new("pli_transform *")
            write_pose(transform, pose)
        self._call("pli_deformable_reset", transform)

    def wake(self) -> None:
        """Wakes it, and lets the time that it has been at rest begin anew."""
        self._call("pli_deformable_wake")

    def measure(self, name: str) -> Floats:
        """A number for each vertex: "stretch", "bending", "speed", "curvature" or "residual"."""
        which = choice("measure", name, "measure")
        with self._world._lock:
            found = np.zeros(len(self), np.float32)
            self._call("pli_deformable_measure", which, ffi.from_buffer("float[]", found), len(found))
        return found

    def statistics(self) -> dict[str, Any]:
        """Energy, momenta, stretch, contacts and memory of this deformable."""
        found = ffi.new("pli_deformable_statistics *")
        self._call("pli_deformable_get_statistics", found)
        return record(found[0])

    @documented("pli_deformable_paint")
    def paint(self, name: str, values: Any, element: str = "vertex") -> None:
        """Values of an attribute for each "vertex", "face" or "triangle"; None clears them. `attributes()` lists the names."""
        self._paint(name, values, element)

    @documented("pli_deformable_get_attribute")
    def attribute(self, name: str) -> Floats:
        """Values of an attribute for each vertex or triangle, as float32."""
        row = row_named(name, "vertex", "triangle")
        count = len(self) if row.element == lib.PLI_ELEMENT_VERTEX else len(self.triangles)
        return self._painted_values(name, (count, row.components) if row.components > 1 else count)


def apply_material(made: Any, name: str) -> Any:
    """Writes a preset into a definition and returns the preset."""
    found = lib.pli_material_find(encoded(name, "material"))
    if not found:
        known = [text(lib.pli_material_at(i).name) for i in range(lib.pli_material_count())]
        raise NotFound(unknown(name, "materials", known).replace("is no property of", "is none of the"))
    call(lib.pli_material_apply, ffi.addressof(found[0], "def"), made)
    return found
