"""Functions of the user within a step: constraint types of Python and compiled ones, fields of the air, and what they raise."""
import ctypes
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import pliant
from pliant import ConstraintType, Mesh, World

SPRING = """
#include <math.h>
#include <stdbool.h>
#include <pliant/constraint_type.h>
static double length(const pli_stencil *s, double *d)
{
    for (int k = 0; k < 3; k++)
        d[k] = s->positions[0][k] - s->positions[1][k];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}
bool spring_rest(const pli_stencil *s, float *rest)
{
    double d[3];
    rest[0] = (float)length(s, d);
    return true;
}
void spring(const pli_stencil *s, double *values, double *gradients)
{
    double d[3], l = length(s, d);
    values[0] = l - (double)s->rest[0];
    for (int k = 0; gradients && k < 3; k++)
        gradients[k] = d[k] / l, gradients[3 + k] = -(d[k] / l);
}
"""


def length(positions):
    d = positions[0] - positions[1]
    return d, np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


def spring(positions, rest, gradients):
    d, found = length(positions)
    if gradients is not None:
        with np.errstate(invalid="ignore"):  # Also asked for particles in one place.
            gradients[0, 0], gradients[0, 1] = d / found, -(d / found)
    return found - float(rest[0])


TYPE = ConstraintType("spring", 2, spring, rest=lambda positions: length(positions)[1], rest_values=1, generator="edges")


def hanging(type_name, *types, threads=1, **settings):
    world = World(threads=threads, **settings)
    for each in types:
        world.register_type(each)
    # By sweeps: the library solves for tension in its own types alone, and does so by default in small sheets that hang.
    cloth = world.add_deformable(Mesh.grid(5, 5, 1, 1, "quads"), stretch="swept")
    edges = cloth.add_constraints(type_name, compliance=1e-6)
    cloth.attach([0, 4])
    return world, cloth, edges


class Types(unittest.TestCase):
    def test_a_type_of_python_does_what_that_of_the_library_does(self):
        mine, cloth, edges = hanging("spring", TYPE, threads=2)
        theirs, other, _ = hanging("distance")
        for _ in range(3):
            mine.step(1 / 60)
            theirs.step(1 / 60)
        self.assertLess(np.abs(cloth.positions - other.positions).max(), 2e-3)
        self.assertLess(cloth.positions[:, 1].min(), -0.01)
        self.assertEqual((edges.type, len(edges)), ("spring", 40))
        edges.compliance = 0.5
        self.assertEqual(edges.compliance, 0.5)

    def test_a_compiled_one_has_the_same_bits(self):
        root = pathlib.Path(__file__).resolve().parents[3]
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/spring.so"
            subprocess.run(["cc", "-O1", "-ffp-contract=off", "-shared", "-fPIC", f"-I{root}/include", "-xc", "-", "-o", path, "-lm"],
                           input=SPRING, text=True, check=True)
            made = ctypes.CDLL(path)
            address = [ctypes.cast(each, ctypes.c_void_p).value for each in (made.spring, made.spring_rest)]
            compiled = ConstraintType("spring", 2, address[0], address[1], rest_values=1, generator="edges")
            hashes = []
            for each in (TYPE, compiled):
                world, cloth, _ = hanging("spring", each)
                for _ in range(2):
                    world.step(1 / 60)
                hashes.append(world.hash)
            self.assertEqual(*hashes)

    def test_what_it_raises_ends_the_step(self):
        failing = False

        def evaluate(positions, rest, gradients):
            if failing:
                raise KeyError("mine")
            return spring(positions, rest, gradients)

        world, _, _ = hanging("spring", ConstraintType("spring", 2, evaluate, TYPE.rest, 1, generator="edges"))
        world.step(1 / 60)
        before, failing = world.hash, True
        with self.assertRaises(KeyError):
            world.step(1 / 60)
        self.assertEqual(world.hash, before)
        failing = False
        world.step(1 / 60)

    def test_a_rest_that_raises_leaves_no_set(self):
        def rest(positions):
            raise KeyError("mine")

        world = World()
        world.register_type(ConstraintType("spring", 2, spring, rest, 1, generator="edges"))
        cloth = world.add_deformable(Mesh.grid(3, 3, 1, 1))
        with self.assertRaises(KeyError):
            cloth.add_constraints("spring")
        self.assertEqual(world.constraint_sets, [])

    def test_wrong_ones_are_refused(self):
        world = World()
        for wrong in (ConstraintType("distance", 2, spring), ConstraintType("a", 99, spring), ConstraintType("a", 2, "spring"),
                      ConstraintType("a", 2, spring, sense="up"), ConstraintType("a\0b", 2, spring), ConstraintType("a", 2.5, spring)):
            with self.assertRaises(pliant.InvalidArgument, msg=repr(wrong)):
                world.register_type(wrong)
        with self.assertRaises(pliant.InvalidArgument):
            world.register_type(spring)
        with self.assertRaises(pliant.NotFound):
            world.add_deformable(Mesh.grid(3, 3, 1, 1)).add_constraints("spring")


class Air(unittest.TestCase):
    def test_a_field_carries_a_sheet_along(self):
        world, times = World(gravity=(0, 0, 0), air_density=1.2), []
        sheet = world.add_deformable(Mesh.grid(5, 5, 1, 1))

        def field(time, points):
            times.append(time)
            return np.where(points[:, :1] < 10, (0, 2, 0), np.nan)

        world.set_air_field(field)
        for _ in range(20):
            world.step(1 / 60)
        self.assertAlmostEqual(times[1], 1.5 / 60, 6)
        self.assertEqual(len(times), 20)
        self.assertGreater(sheet.positions[:, 1].min(), 0.05)

    def test_failures_leave_the_world_as_it_was(self):
        world = World(air_density=1.2)
        world.add_deformable(Mesh.grid(3, 3, 1, 1))
        before = world.hash
        for field, expected in ((lambda time, points: points[:, :2], ValueError), (lambda time, points: 1 / 0, ZeroDivisionError),
                                (lambda time, points: np.full(points.shape, np.nan), pliant.InvalidArgument)):
            world.set_air_field(field)
            with self.assertRaises(expected):
                world.step(1 / 60)
            self.assertEqual(world.hash, before)
        world.set_air_field(None)
        world.step(1 / 60)
        with self.assertRaises(pliant.InvalidArgument):
            world.set_air_field(3)


class Within(unittest.TestCase):
    """A callback cannot change its world, whatever it destroys, and what it raises for trying is raised by the call."""

    def setUp(self):
        self.world = World(air_density=1.2, substeps=2)
        self.sheet = self.world.add_deformable(Mesh.grid(5, 5, 1, 1))
        self.ball = self.world.add_collider("sphere", radius=0.3)
        self.world.register_type(TYPE)
        self.world.register_generator(pliant.Generator("mine", 2, self.generate))
        self.tries = self.attempts()

    def attempts(self):
        return [self.sheet.destroy, self.ball.destroy, self.world.close, lambda: self.world.step(0.01),
                lambda: self.sheet.add_constraints("distance")]

    def attempt(self):
        self.todo()

    def generate(self, mesh):
        self.attempt()
        return mesh.edges

    def test_generators(self):
        for self.todo in self.tries:
            with self.assertRaisesRegex(pliant.InvalidArgument, "callback"):
                self.sheet.add_constraints("distance", "mine")
        self.todo = lambda: None
        self.sheet.add_constraints("distance", "mine")
        self.world.step(1 / 60)

    def test_the_air(self):
        self.world.set_air_field(lambda time, points: (self.attempt(), points)[1])
        before = self.world.hash
        for self.todo in self.tries:
            with self.assertRaisesRegex(pliant.InvalidArgument, "callback"):
                self.world.step(1 / 60)
            self.assertEqual(self.world.hash, before)
        self.todo = lambda: None
        self.world.step(1 / 60)

    def test_types_and_filters(self):
        self.sheet.add_constraints("spring")
        self.world.set_contact_filter(lambda a, b: (self.attempt(), True)[1])
        self.sheet.positions = self.sheet.positions + (0, 0.3, 0)
        for self.todo in self.tries:
            with self.assertRaisesRegex(pliant.InvalidArgument, "callback"):
                for _ in range(20):
                    self.world.step(1 / 60)

    def test_what_it_keeps_of_the_call_is_its_own(self):
        kept = []

        def keeping(positions, rest, gradients):
            kept.append((positions, gradients))
            return spring(positions, rest, gradients)

        self.world.register_type(ConstraintType("keeping", 2, keeping, rest=TYPE.rest, rest_values=1, generator="edges"))
        self.sheet.add_constraints("keeping")
        self.world.step(1 / 60)
        was = self.world.hash
        for positions, gradients in kept:
            positions[:] = np.nan
            if gradients is not None:
                gradients[:] = np.nan
        self.assertEqual(self.world.hash, was)


class Locked(unittest.TestCase):
    def test_nothing_makes_arrays_of_the_library_writable(self):
        world = World()
        sheet = world.add_deformable(Mesh.grid(5, 5, 1, 1))
        for array in (sheet.positions, sheet.velocities, sheet.normals, sheet.inverse_masses, sheet.mesh.edges, sheet.mesh.positions):
            self.assertFalse(array.flags.writeable)
            with self.assertRaises(ValueError):
                array.setflags(write=True)
            with self.assertRaises(ValueError):
                array.flags.writeable = True


if __name__ == "__main__":
    unittest.main()
