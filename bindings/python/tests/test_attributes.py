"""Attributes are painted and read back by name."""
import unittest

import numpy as np

import pliant


class Attributes(unittest.TestCase):
    def setUp(self):
        self.world = pliant.World()
        self.cloth = self.world.add_deformable(pliant.Mesh.grid(6, 5, 1, 1), name="cloth")
        self.edges = self.cloth.add_constraints("distance")

    def test_values_come_back(self):
        random = np.random.default_rng(1)
        for row in pliant.attributes():
            if not row["painted"] or row["name"] in ("rigidity", "yield", "hardening"):
                continue  # Those need a plate.
            target = self.edges if row["element"] == "constraint" else self.cloth
            before = target.attribute(row["name"])
            values = random.uniform(0.5, 1.5, before.shape).astype(np.float32)
            target.paint(row["name"], values, row["element"])
            np.testing.assert_allclose(target.attribute(row["name"]), values, rtol=3e-7, err_msg=row["name"])
            target.paint(row["name"], None)
            np.testing.assert_allclose(target.attribute(row["name"]), before, rtol=3e-7, err_msg=row["name"])

    def test_forces_are_read(self):
        self.cloth.add_force(3, (1, 2, 3))
        self.assertEqual(self.cloth.attribute("force")[3].tolist(), [1, 2, 3])

    def test_refusals(self):
        with self.assertRaisesRegex(pliant.NotFound, "did you mean 'friction'"):
            self.cloth.paint("fricton", np.ones(len(self.cloth)))
        with self.assertRaisesRegex(pliant.InvalidArgument, "vertex 2 is -1; it must be 0 to 100"):
            self.cloth.paint("drag", [1, 1, -1] + [1] * (len(self.cloth) - 3))
        with self.assertRaisesRegex(pliant.InvalidArgument, "no element"):
            self.cloth.paint("drag", np.ones(len(self.cloth)), "edge")


if __name__ == "__main__":
    unittest.main()
