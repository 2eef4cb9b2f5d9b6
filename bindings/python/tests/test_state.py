"""States against the command, closed forms, and other numbers of threads."""
import json
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
from support import ROOT, command_hash, hanging

import pliant
from pliant import Mesh, Scene, World, step_all


class Checks(unittest.TestCase):
    def test_touching_objects_are_named(self):
        """Panels edge to edge: the objects, the vertices of both borders, the place and the gap that cures it; and the first step's log."""
        for gap in (0.0, 1e-5):
            with self.subTest(gap=gap):
                world = World()
                left, right = (world.add_deformable(Mesh.grid(9, 9, 1, 1), name=name, pose=(x, 1, 0)) for name, x in (("left", 0), ("right", 1 + gap)))
                found = [finding for finding in world.check() if finding["kind"] == "touching"]
                self.assertEqual(len(found), gap == 0.0)
                for finding in found:
                    self.assertEqual((finding["deformable"], finding["other"], finding["collider"]), (left, right, None))
                    self.assertEqual((finding["count"], round(finding["wanted"], 6)), (18, 0.005))
                    self.assertIn("left: it touches right at 18 vertices", finding["text"])
                    self.assertEqual(left.positions[finding["vertex"]][0], 0.5)


    def test_effective_stiffness(self):
        """A swept sheet saturates at rho l^2 / h^2, more so with longer steps."""
        world = World()
        sheet = world.add_deformable(Mesh.grid(9, 9, 1, 1), name="sheet", density=0.2)
        sheet.add_constraints("distance", compliance=1e-6)
        short, long = sheet.effective_stiffness(1 / 240), sheet.effective_stiffness()
        for found, dt in ((short, 1 / 240), (long, 1 / 60)):
            self.assertAlmostEqual(found["step"], dt / world.substeps, places=9)
            limit = found["tensile_limit"]
            self.assertAlmostEqual(limit, 0.2 * found["length"] ** 2 / found["step"] ** 2, delta=0.2 * limit)
            self.assertLess(found["tensile_effective"], min(limit, found["tensile_requested"]))
        self.assertGreater(short["tensile_effective"], long["tensile_effective"])
        with self.assertRaises(pliant.InvalidArgument):
            sheet.effective_stiffness(0)


class Scenes(unittest.TestCase):
    def check(self, name, frames, **overrides):
        path = ROOT / "scenes" / f"{name}.json"
        world = Scene.load(path, **overrides).create_world(threads=2)
        for _ in range(frames):
            world.step()
        options = [word for key, value in overrides.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
        self.assertEqual(f"{world.hash:016x}", command_hash(path, frames, *options))
        self.assertEqual((world.frame, world.step_count), (frames, frames))

    def test_contact(self):
        self.check("first", 12)

    def test_overrides(self):
        self.check("first", 4, settings__substeps=7)

    def test_keyframes_and_motions(self):
        self.check("kappa-live", 5)
        self.check("twist", 4)

    def test_rigid_bodies(self):
        self.check("stripes-bodies", 3)

    def test_overrides_reach_nested_keys(self):
        scene = Scene.load(ROOT / "scenes/first.json", settings={"substeps": 7, "gravity": [0, 1, 0]})
        world = scene.create_world()
        self.assertEqual((world.substeps, world.gravity), (7, (0.0, 1.0, 0.0)))
        self.assertEqual(scene.mesh().positions.shape, (2500, 3))

    def test_bending_by_a_rigidity(self):
        """add_bending is the key `rigidity` of scenes: a plate, whatever the mesh and the rigidity. Grids are divided as there."""
        for side, rigidity in ((12, 1e-4), (70, 1e-8)):
            scene = {"pliant": 1, "settings": {"substeps": 20}, "deformables": [{
                "mesh": {"grid": {"columns": side, "rows": side, "width": 1, "depth": 1}}, "rigidity": rigidity,
                "constraints": [{"type": "distance"}], "attachments": [{"particles": [0, side - 1]}]}]}
            theirs = Scene(json.dumps(scene)).create_world()
            world = World(substeps=20)
            cloth = world.add_deformable(Mesh.grid(side, side, 1.0, 1.0))
            cloth.add_constraints("distance")
            self.assertIsNone(cloth.add_bending(rigidity))
            cloth.attach([0, side - 1])
            for _ in range(3):
                theirs.step()
                world.step(1 / 60)
            self.assertEqual(world.hash, theirs.hash, side)

    def test_text(self):
        source = '{"pliant": 1, "deformables": [{"name": "a", "mesh": {"grid": {"columns": 3, "rows": 3, "width": 1, "depth": 1}}}]}'
        world = Scene(source).create_world()
        world.step()
        self.assertEqual(len(world["a"]), 9)


class ClosedForms(unittest.TestCase):
    def test_free_fall(self):
        steps, substeps, dt = 30, 10, 1 / 60
        world = World(substeps=substeps, gravity=(0, -9.81, 0))
        cloth = world.add_deformable(Mesh.grid(4, 4, 1, 1), velocity=(1, 0, 0))
        for _ in range(steps):
            world.step(dt)
        h, n = dt / substeps, steps * substeps  # Symplectic Euler: g h^2 n (n + 1) / 2.
        self.assertAlmostEqual(float(cloth.positions[:, 1].mean()), -9.81 * h * h * n * (n + 1) / 2, places=4)
        np.testing.assert_allclose(cloth.velocities, np.tile([1, -9.81 * n * h, 0], (16, 1)), rtol=1e-4, atol=1e-4)

    def test_masses_of_a_sphere(self):
        mesh = Mesh.sphere(4, 0.5)
        ball = World().add_deformable(mesh, density=0.3)
        self.assertAlmostEqual(ball.mass, 0.3 * np.pi, delta=0.003 * ball.mass)
        np.testing.assert_allclose(ball.masses, 0.3 * mesh.vertex_areas, rtol=1e-5)
        np.testing.assert_allclose(ball.normals, ball.positions / 0.5, atol=0.02)
        self.assertTrue(mesh.report["closed"])

    def test_a_hanging_edge_stretches_by_compliance_times_weight(self):
        world = World(gravity=(0, 0, 9.81), substeps=20, damping=6.3)
        cloth = world.add_deformable(Mesh.grid(2, 2, 1, 1, "quads"), density=0.2, stretch="swept")
        edges = cloth.add_constraints("distance", compliance=0.1)
        weights = cloth.masses * 9.81  # A third and two thirds of those of half of the square.
        np.testing.assert_allclose(sorted(weights[2:]), [9.81 * 0.2 / 6, 9.81 * 0.2 / 3], rtol=1e-5)
        cloth.attach([0, 1])
        for _ in range(400):
            world.step(1 / 60)
        found = cloth.positions
        np.testing.assert_allclose(found[2:, 2] - found[:2, 2], 1 + 0.1 * weights[2:], atol=1e-3)
        self.assertAlmostEqual(edges.residual().max, 0.1 * float(weights[2:].max()), places=3)

    def test_an_attachment_carries_what_it_holds(self):
        world = World()
        cloth = world.add_deformable(Mesh.grid(3, 3, 1, 1))
        cloth.add_constraints("distance")
        grip = cloth.attach(range(9))
        grip.pose = (0, 0.01, 0)
        world.step(1 / 60)
        np.testing.assert_allclose(cloth.positions, cloth.rest_mesh.positions + [0, 0.01, 0], atol=1e-6)
        self.assertEqual(grip.particles.tolist(), list(range(9)))
        self.assertEqual(grip.tracking_error()["count"], 0)

    def test_contacts_of_a_cloth_on_a_ball(self):
        world = hanging()
        for _ in range(40):
            world.step(1 / 60)
        found = world.contacts()
        self.assertGreater(len(found), 0)
        normal = np.stack([found["normal"][axis] for axis in "xyz"], axis=1)
        at = np.stack([found["position"][axis] for axis in "xyz"], axis=1)
        away = at - [0, -0.3, 0]
        np.testing.assert_allclose(normal, away / np.linalg.norm(away, axis=1)[:, None], atol=0.05)
        self.assertTrue((found["impulse"] > 0).all())
        self.assertEqual({each.shape for each in world.colliders}, {"sphere"})

    def test_a_ray_meets_a_flat_cloth(self):
        world = World()
        cloth = world.add_deformable(Mesh.grid(3, 3, 1, 1), pose=(0, 2, 0))
        hit = world.ray((0.1, 5, 0.1), (0, -1, 0))
        self.assertEqual((hit["deformable"], hit["distance"]), (cloth, 3.0))
        self.assertIsNone(world.ray((0.1, 5, 0.1), (0, 1, 0)))


class Threads(unittest.TestCase):
    def run_alone(self, steps, **settings):
        world = hanging(**settings)
        for _ in range(steps):
            world.step(1 / 60)
        return world.hash

    def test_threads_of_the_engine(self):
        self.assertEqual({self.run_alone(10, threads=count) for count in (1, 2, 3)}, {self.run_alone(10, simd="scalar")})

    def test_worlds_side_by_side(self):
        gravities = [(0, -1.0 - i, 0) for i in range(5)]
        alone = [self.run_alone(8, gravity=each) for each in gravities]
        worlds = [hanging(gravity=each) for each in gravities]
        for _ in range(8):
            step_all(worlds, 1 / 60, threads=3)
        self.assertEqual([world.hash for world in worlds], alone)
        self.assertEqual(len(set(alone)), 5)

    def test_worlds_of_one_scene_side_by_side(self):
        scene = Scene.load(ROOT / "scenes/kappa-live.json", settings__substeps=2)
        worlds, alone = [scene.create_world() for _ in range(4)], scene.create_world()
        for _ in range(8):
            step_all(worlds, threads=4)
            alone.step()
        self.assertEqual({world.hash for world in worlds}, {alone.hash})

    def test_one_world_from_three_threads(self):
        world = hanging()
        threads = [threading.Thread(target=lambda: [world.step(1 / 60) for _ in range(20)]) for _ in range(3)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.assertEqual(world["cloth"].positions.shape, (144, 3))
            self.assertEqual(world["cloth"].normals.shape, (144, 3))
        self.assertEqual(world.hash, self.run_alone(60))

    def test_closed_and_cancelled_while_others_step(self):
        for _ in range(8):
            world, seen = hanging(20), []
            threads = [threading.Thread(target=self.until_closed, args=(function, seen)) for function in (
                lambda: world.step(1 / 60), lambda: setattr(world["cloth"], "velocities", 0), world.cancel, world.contacts)]
            for thread in threads:
                thread.start()
            time.sleep(0.02)
            world.close()
            for thread in threads:
                thread.join()
            self.assertEqual(len(seen), 4)

    @staticmethod
    def until_closed(function, seen):
        while True:
            try:
                function()
            except pliant.Cancelled:
                continue
            except pliant.Closed as end:
                seen.append(end)
                return

    def test_a_step_of_a_thread_that_the_process_does_not_wait_for(self):
        code = ("import threading, time; from support import hanging; world = hanging(60, substeps=800);"
                "threading.Thread(target=lambda: [world.step(1 / 60) for _ in range(100)], daemon=True).start(); time.sleep(0.1)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=pathlib.Path(__file__).parent)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_python_runs_during_a_step(self):
        world, begun, counted = hanging(60, substeps=400), threading.Event(), []

        def step():
            begun.set()
            world.step(1 / 60)
            counted.append(count)

        thread, count = threading.Thread(target=step), 0
        thread.start()
        begun.wait()
        while not counted:
            count += 1
        thread.join()
        self.assertGreater(counted[0], 10000)

    def test_cancel(self):
        world = hanging()
        before = world.hash
        world.cancel()
        with self.assertRaises(pliant.Cancelled):
            world.step(1 / 60)
        self.assertEqual(world.hash, before)
        world.step(1 / 60)

    def test_step_all_steps_the_others_and_raises(self):
        worlds = [hanging(), hanging(), hanging()]
        worlds[1].cancel()
        with self.assertRaisesRegex(pliant.Cancelled, "^world 1: "):
            step_all(worlds, 1 / 60, threads=2)
        self.assertEqual([world.step_count for world in worlds], [1, 0, 1])

    def test_what_a_field_of_python_raises_among_many(self):
        worlds = [hanging(air_density=1.2) for _ in range(4)]
        def calm(time, points):
            return points * 0
        def broken(time, points):
            raise KeyError("no air")
        for i, world in enumerate(worlds):
            world.set_air_field(broken if i == 2 else calm)
        with self.assertRaisesRegex(KeyError, "no air"):
            step_all(worlds, 1 / 60, threads=3)
        self.assertEqual([world.step_count for world in worlds], [1, 1, 0, 1])

    def test_step_all_refuses(self):
        worlds = [hanging(), World(), hanging()]
        for wrong in ([worlds[0], worlds[0]], [worlds[0], None]):
            with self.assertRaises(pliant.InvalidArgument):
                step_all(wrong, 1 / 60)
        with self.assertRaises(pliant.InvalidArgument):
            step_all(worlds, 1 / 60, threads=0)
        worlds[1].close()
        with self.assertRaises(pliant.Closed):
            step_all(worlds, 1 / 60)
        self.assertEqual([worlds[0].step_count, worlds[2].step_count], [0, 0])


class Snapshots(unittest.TestCase):
    def test_pickled_and_read_by_another_world(self):
        world = hanging()
        for _ in range(5):
            world.step(1 / 60)
        stored = pickle.dumps(world.snapshot())
        for _ in range(5):
            world.step(1 / 60)
        other = hanging()
        other.restore(pickle.loads(stored))
        self.assertEqual(other.step_count, 5)
        for _ in range(5):
            other.step(1 / 60)
        self.assertEqual(other.hash, world.hash)

    def test_frames_of_a_scene(self):
        scene = Scene.load(ROOT / "scenes/twist.json")
        world, other = scene.create_world(), scene.create_world()
        for _ in range(3):
            world.step()
        other.restore(world.snapshot())
        world.step()
        other.step()
        self.assertEqual((other.frame, other.hash), (4, world.hash))

    def test_damaged_ones_are_refused(self):
        world = hanging()
        taken, before = world.snapshot(), world.hash
        for data in (b"", b"x" * 100, taken.data[:-1], taken.data[:50] + b"\xff" + taken.data[51:]):
            with self.assertRaises(pliant.Corrupt):
                world.restore(pliant.Snapshot(0, data))
        self.assertEqual(world.hash, before)
        with self.assertRaises(pliant.Corrupt):
            World().restore(taken)


if __name__ == "__main__":
    unittest.main()
