"""Wrong use: exceptions with the library's messages, and never a crash."""
import copy
import pickle
import random
import unittest

import numpy as np
from support import ROOT, hanging

import pliant
from pliant import Mesh, Pose, Scene, World


class Messages(unittest.TestCase):
    def refused(self, kind, part, function, *arguments, **values):
        with self.assertRaises(kind) as caught:
            function(*arguments, **values)
        self.assertIn(part, str(caught.exception))
        return caught.exception

    def test_kinds(self):
        world = hanging()
        cloth = world["cloth"]
        self.refused(pliant.InvalidArgument, "step is -1", world.step, -1.0)
        self.refused(pliant.InvalidArgument, "dt is missing", world.step)
        self.refused(ValueError, "substeps", World, substeps=0)
        self.refused(pliant.NotFound, "did you mean 'substeps'", World, substep=3)
        self.refused(pliant.NotFound, "isometric", cloth.add_constraints, "isometrc")
        self.refused(pliant.NotFound, "did you mean 'compliance'", cloth.add_constraints, "distance", complience=1)
        self.refused(pliant.NotFound, "did you mean 'radius'", world.add_collider, "sphere", radus=1)
        self.refused(pliant.InvalidArgument, "one of plane", world.add_collider, "spere")
        self.refused(pliant.NotFound, "denim", world.add_deformable, Mesh.grid(3, 3, 1, 1), material="denin")
        self.refused(pliant.InvalidArgument, "particle", cloth.attach, [0, 500])
        self.refused(pliant.InvalidMesh, "edge", Mesh, np.eye(5, 3), [[0, 1, 2], [0, 1, 3], [0, 1, 4]])
        self.refused(pliant.FileError, "none.obj", Mesh.load, "none.obj")
        self.refused(pliant.Unsupported, "", world.add_collider("sphere").__setattr__, "vertices", np.zeros((3, 3)))
        self.refused(KeyError, "cloth", world.__getitem__, "flag")
        failure = self.refused(pliant.Error, "", World, simd="neon") if World().simd != "neon" else None
        self.assertEqual(getattr(failure, "status", "unsupported"), "unsupported")

    def test_attributes(self):
        world = hanging()
        cloth, (edges, bends) = world["cloth"], world.constraint_sets
        for thing, name, near in ((world, "gravty", "gravity"), (cloth, "densty", "density"), (bends, "rigidty", "rigidity")):
            self.refused(AttributeError, near, setattr, thing, name, 1)
            self.refused(AttributeError, near, getattr, thing, name)
        # What is measured is named by the call that has it.
        self.refused(AttributeError, "statistics()['kinetic_energy'] has it", getattr, world, "kinetic_energy")
        self.refused(AttributeError, "measure('curvature') has it", getattr, cloth, "curvature")
        listed = str(self.refused(AttributeError, "there are", getattr, world, "qqqq")).split(", ")
        self.assertEqual(len(listed), len(set(listed)))
        self.refused(pliant.InvalidArgument, "density", setattr, cloth, "density", -1)
        self.refused(pliant.InvalidArgument, "stretch", setattr, cloth, "tearing", {"stretch": 0.5})
        self.refused(pliant.InvalidArgument, "friction", cloth.set, density=0.4, friction=-1)
        self.assertEqual(cloth.density, 0.2)
        self.refused(pliant.InvalidArgument, "rigidity", bends.set, damping=0.5, rigidity=-1)
        self.assertEqual((bends.damping, bends.rigidity), (0, 1e-4))
        cloth.set(density=0.4, tearing={"stretch": 1.5}, layer=3, collides_with=[3, 5])
        self.assertEqual((cloth.density, cloth.tearing["stretch"], cloth.layer, cloth.collides_with), (0.4, 1.5, 3, [3, 5]))
        edges.compliance = 1e-5
        self.assertEqual(edges.compliance, 1e-5)
        self.assertIn("rigidity", bends.help)
        world.set(gravity=(0, -1, 0), substeps=3, ccd="off")
        self.assertEqual((world.gravity, world.substeps, world.ccd), ((0, -1, 0), 3, "off"))

    def test_scenes(self):
        failure = self.refused(pliant.NotFound, "", Scene.load, ROOT / "scenes/first.json", settings__substep=3)
        self.assertTrue(failure.diagnostics and not failure.diagnostics[0].warning)
        self.refused(pliant.ParseError, ":1:", Scene, "{")
        self.refused(pliant.FileError, "none.json", Scene.load, "none.json")
        self.refused(pliant.InvalidArgument, "JSON", Scene.load, ROOT / "scenes/first.json", frames=float("nan"))

    def test_what_is_gone(self):
        world = hanging()
        cloth, sets = world["cloth"], world.constraint_sets
        ball, grip = world.colliders[0], world.attachments[0]
        for thing in (ball, grip, sets[0], cloth):
            thing.destroy()
            self.refused(pliant.NotFound, "", thing.destroy)
        for name in ("positions", "velocities", "normals", "masses", "triangles", "mesh", "rest_mesh", "name", "density", "mass"):
            self.refused(pliant.NotFound, "", getattr, cloth, name)
        self.refused(pliant.NotFound, "", sets[1].residual)
        self.refused(pliant.NotFound, "", lambda: ball.pose)
        self.assertEqual((world.deformables, world.constraint_sets, world.colliders, world.attachments), ([], [], [], []))

    def test_a_closed_world(self):
        world = hanging()
        cloth, mesh = world["cloth"], Mesh.grid(3, 3, 1, 1)
        world.close()
        world.close()
        self.assertEqual(repr(world), "<World: closed>")
        for function in (lambda: world.step(0.1), lambda: world.hash, lambda: world.gravity, world.snapshot, world.cancel,
                         world.statistics, world.contacts, lambda: cloth.positions, lambda: cloth.density, cloth.destroy,
                         lambda: setattr(cloth, "positions", 0), lambda: world.add_deformable(mesh), lambda: world["cloth"]):
            self.refused(pliant.Closed, "closed", function)

    def test_parts_of_other_worlds(self):
        one, other = hanging(), hanging()
        self.assertNotEqual(one["cloth"], other["cloth"])
        self.assertEqual(one["cloth"], one.deformables[0])
        part = one["cloth"]
        object.__setattr__(part, "_world", other)
        self.refused(pliant.NotFound, "", lambda: part.positions)

    def test_a_diverged_step_is_taken_back(self):
        world = World()
        cloth = world.add_deformable(Mesh.grid(3, 3, 1, 1))
        cloth.velocities = 1e30
        before = world.hash
        self.refused(ArithmeticError, "", world.step, 1.0)
        self.assertEqual(world.hash, before)

    def test_what_cannot_be_copied(self):
        for function in (pickle.dumps, copy.copy, copy.deepcopy):
            try:
                function(hanging())
            except Exception:
                continue
            self.assertIs(function, copy.copy)  # It refers to the same world.


class AnyCalls(unittest.TestCase):
    """Random calls with random values: exceptions of the package or of Python, no crash, and a world that still steps."""

    VALUES = [None, True, 0, 1, -1, 3, 2**31, 2**40, -2**70, 0.5, -1.0, 1e-300, 1e30, float("nan"), float("inf"), "", "cloth", "distance",
              "a\0b", "sphere", "stretch", b"bytes", [], [0], [0, 1, 2], (0, 1, 0), (0, 0, 0, 1), [[0, 1, 2]], [-1], [10**9], {},
              {"stretch": 2}, {"force": "strong"}, np.zeros(3), np.zeros((4, 3)), np.ones((16, 3)), np.full((16, 3), np.nan),
              np.arange(16), np.arange(6)[::2], np.array("x"), np.zeros((0, 3)), np.array([1 + 2j]), object(), Pose(), Pose((1, 2)),
              Mesh.grid(4, 4, 1, 1), Mesh.sphere(0, 0.1)]
    KEYS = ["density", "friction", "radius", "mesh", "pose", "name", "compliance", "rigidity", "particles", "generator", "material",
            "positions", "substeps", "gravity", "fixed", "stretch"]
    LEFT_OUT = {"close", "save", "cancel", "load"}

    def test_any_calls(self):
        chance = random.Random(4)
        for _ in range(40):
            self.calls_on_a_world(chance)

    def calls_on_a_world(self, chance):
        world, refused, done = hanging(4), 0, 0
        body = world.add_body()
        body.add_collider("box")
        things = [world, *world.deformables, *world.constraint_sets, *world.attachments, *world.colliders, body]
        for _ in range(250):
            thing, values = chance.choice(things), self.VALUES + things
            name = chance.choice([each for each in self.names(thing) if each not in self.LEFT_OUT])
            try:
                member = getattr(thing, name)
                if callable(member):
                    keys = chance.sample(self.KEYS, chance.choice((0, 0, 1, 2)))
                    result = member(*(chance.choice(values) for _ in range(chance.choice((0, 1, 1, 2, 3)))),
                                    **{key: chance.choice(values) for key in keys})
                    if isinstance(result, (pliant.Deformable, pliant.Collider, pliant.Attachment, pliant.ConstraintSet)):
                        things.append(result)
                elif chance.random() < 0.5:
                    setattr(thing, name, chance.choice(values))
                done += 1
            except Exception:
                refused += 1
        self.assertGreater(min(refused, done), 20)
        fresh = hanging(4)
        fresh.step(1 / 60)
        world.set(gravity=(0, -1, 0), substeps=2, iterations=1)
        world.set_time_limit()
        try:
            world.step(1e-3)
        except pliant.NonFinite:
            pass

    @staticmethod
    def names(thing):
        try:
            return [name for name in dir(thing) if not name.startswith("_")]
        except pliant.NotFound:
            return [name for name in dir(type(thing)) if not name.startswith("_")]


if __name__ == "__main__":
    unittest.main()
