"""Arrays over the library's memory: no copies, set by assignment, and safe whatever becomes of the world.

Run with MALLOC_PERTURB_, so that memory that was freed is overwritten.
"""
import gc
import unittest

import numpy as np
from support import hanging

import pliant
from pliant import Mesh, World
from pliant._library import native


class Views(unittest.TestCase):
    def test_no_copies(self):
        world = hanging()
        cloth = world["cloth"]
        for name in ("positions", "velocities", "normals", "local_positions", "inverse_masses", "triangles"):
            first, second = getattr(cloth, name), getattr(cloth, name)
            self.assertTrue(np.shares_memory(first, second), name)
            with self.assertRaises(ValueError):
                first[0] = 1

    def test_assignment(self):
        cloth = World().add_deformable(Mesh.grid(3, 3, 1, 1))
        wanted = np.arange(27, dtype=np.float64).reshape(9, 3)
        cloth.positions = wanted
        np.testing.assert_array_equal(cloth.positions, wanted)
        cloth.positions = wanted[::-1]
        np.testing.assert_array_equal(cloth.positions, wanted[::-1])
        cloth.velocities = (1, 2, 3)
        np.testing.assert_array_equal(cloth.velocities, np.tile([1, 2, 3], (9, 1)))
        cloth.velocities = 0
        self.assertFalse(cloth.velocities.any())
        cloth.masses = [1, 2, 4, np.inf, 1, 1, 1, 1, 1]
        np.testing.assert_array_equal(cloth.inverse_masses[:4], [1, 0.5, 0.25, 0])
        np.testing.assert_array_equal(cloth.masses[:4], [1, 2, 4, np.inf])

    def test_refused_values_change_nothing(self):
        cloth = World().add_deformable(Mesh.grid(3, 3, 1, 1))
        before = cloth.positions.copy()
        for value in (np.nan, [1, 2], np.zeros((4, 3)), "x", None, np.zeros((9, 3, 2)), {}, [[1], [2, 3]], 1e300):
            with self.assertRaises(pliant.InvalidArgument, msg=repr(value)):
                cloth.positions = value
        for value in (-1, 0, np.nan, "x"):
            with self.assertRaises(pliant.InvalidArgument, msg=repr(value)):
                cloth.masses = value
        np.testing.assert_array_equal(cloth.positions, before)


class Lifetimes(unittest.TestCase):
    def survives(self, end):
        world = hanging()
        cloth = world["cloth"]
        world.step(1 / 60)
        world.attachments[0].destroy()  # What it fixes gets its mass back when it goes.
        arrays = [cloth.positions, cloth.velocities, cloth.normals, cloth.inverse_masses, cloth.triangles,
                  cloth.rest_mesh.positions, cloth.rest_mesh.edges, world.contacts()]
        copies = [array.copy() for array in arrays]
        end(world, cloth)
        del world, cloth
        gc.collect()
        [np.full(5000, 7.0) for _ in range(100)]  # Others take what was freed.
        for array, copied in zip(arrays, copies):
            np.testing.assert_array_equal(array, copied)
        self.assertGreater(native.pli_python_kept_bytes(), 0)
        arrays.clear()
        del array
        gc.collect()
        self.assertEqual(native.pli_python_kept_bytes(), 0)

    def test_world_closed(self):
        self.survives(lambda world, cloth: world.close())

    def test_world_forgotten(self):
        self.survives(lambda world, cloth: None)

    def test_deformable_destroyed(self):
        self.survives(lambda world, cloth: cloth.destroy())

    def test_growth(self):
        world = hanging()
        cloth = world["cloth"]
        old = [cloth.positions, cloth.velocities, cloth.normals, cloth.triangles, cloth.inverse_masses]
        added = cloth.cut((0, 0, 0), (1, 0, 0.02))
        self.assertGreater(added, 0)
        others = [world.add_deformable(Mesh.grid(20, 20, 1, 1), pose=(0, 5 + i, 0)) for i in range(20)]
        for _ in range(3):
            world.step(1 / 60)
        self.assertEqual([len(array) for array in (*old[:3], old[4])], [144] * 4)
        self.assertTrue(all(np.isfinite(array).all() and (abs(array) < 1e4).all() for array in old))
        self.assertEqual((len(cloth.positions), len(cloth), int(cloth.triangles.max()) + 1), (144 + added,) * 3)
        self.assertEqual(len(cloth.mesh), 144 + added)
        self.assertEqual(len(others[3].positions), 400)
        del old
        gc.collect()
        self.assertEqual(native.pli_python_kept_bytes(), 0)

    def test_a_view_of_a_view(self):
        world = hanging()
        rows = world["cloth"].positions[10:20, 1]
        copied = rows.copy()
        world.close()
        np.testing.assert_array_equal(rows, copied)

    def test_many_worlds_leave_nothing(self):
        for _ in range(30):
            hanging(5).step(1 / 60)
        gc.collect()
        self.assertEqual(native.pli_python_kept_bytes(), 0)


class Meshes(unittest.TestCase):
    def test_faces(self):
        square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        quad, pair = Mesh(square, [[0, 1, 2, 3]]), Mesh(np.array(square), np.array([[0, 1, 2], [0, 2, 3]]))
        self.assertEqual((len(quad.edges), len(pair.edges), len(pair.hinges)), (4, 5, 1))
        self.assertEqual((quad.faces, pair.faces), ([[0, 1, 2, 3]], [[0, 1, 2], [0, 2, 3]]))
        self.assertEqual(Mesh(square, [[0, 1, 2], [0, 2, 3]]).report["area"], 1.0)
        self.assertAlmostEqual(Mesh.box((1, 2, 3)).report["volume"], 6, places=5)
        self.assertEqual(len(Mesh.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])), 4)
        self.assertEqual(len(Mesh.tube(8, 5, 0.1, 1.0)), 40)

    def test_files(self):
        import pathlib
        import tempfile
        mesh = Mesh.grid(3, 4, 1, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.obj")
            mesh.save(path, mesh.positions + np.float32(1))
            read = Mesh.load(path)
        np.testing.assert_array_equal(read.positions, mesh.positions + np.float32(1))
        self.assertEqual(read.faces, mesh.faces)


class Guesses(unittest.TestCase):
    def test_a_mesh_becomes_a_scene_that_stands(self):
        ball = Mesh.sphere(3, 0.5)
        found = ball.guess(name="ball")
        self.assertEqual((found["kind"], found["closed"], found["unit"]), ("balloon", True, 1.0))
        self.assertAlmostEqual(found["curvature"], 2.0, places=4)
        # A tenth of what sweeps hold, d l^4 / (4 h^2), in two digits; a shell gets 6 d g L^3, a tenth of it where it is curved in two directions.
        edges = {tuple(sorted(pair)) for face in ball.faces for pair in zip(face, (*face[1:], face[0]))}
        length = np.mean([np.linalg.norm(ball.positions[a] - ball.positions[b]) for a, b in edges])
        self.assertAlmostEqual(found["rigidity"], 0.1 * 0.2 * length ** 4 / 4 * (60 * found["substeps"]) ** 2, delta=0.02)
        self.assertAlmostEqual(ball.guess("shell")["rigidity"], 0.6 * 0.2 * 9.81, delta=0.03)
        tube = Mesh.tube(24, 12, 0.3, 1.0)
        self.assertEqual((tube.guess()["kind"], tube.guess()["pin_count"]), ("cloth", 24))
        stands = tube.guess("shell", file="tube.obj")
        self.assertIn('"file": "tube.obj"', stands["scene"])
        self.assertEqual(stands["pin_count"], 0)
        self.assertEqual(tube.guess("shell", pins=[3, 5])["pin_count"], 2)
        with self.assertRaisesRegex(pliant.InvalidArgument, "a balloon needs a closed surface"):
            tube.guess("balloon")
        with self.assertRaisesRegex(pliant.InvalidArgument, "auto, cloth, shell, balloon"):
            tube.guess("jelly")
        with self.assertRaisesRegex(pliant.InvalidArgument, "pin 0 is vertex 999"):
            tube.guess(pins=[999])


if __name__ == "__main__":
    unittest.main()
