"""Bodies, grabs, filters, plugins, placing: what acts on worlds from outside, held against closed forms and other ways."""
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from support import ROOT, hanging

import pliant
from pliant import Generator, Mesh, Ode, Plugin, Scene, World

GRAVITY = 9.81


def trampoline():
    """A cloth that is held at its rim, and a ball of an engine of ours above its middle."""
    world = World(substeps=10)
    cloth = world.add_deformable(Mesh.grid(12, 12, 1.0, 1.0, "quads"), density=0.3, thickness=0.01)
    cloth.add_constraints("distance", compliance=1e-4)
    rim = np.flatnonzero(np.abs(cloth.positions[:, [0, 2]]).max(axis=1) > 0.49)
    cloth.attach(rim)
    ball = world.add_body(name="ball", pose=(0, 0.2, 0), inverse_mass=2.0, inverse_inertia=100.0, acceleration=(0, -GRAVITY, 0))
    ball.add_collider("sphere", radius=0.15)
    return world, cloth, ball


class Bodies(unittest.TestCase):
    def test_a_ball_comes_to_rest_on_a_cloth(self):
        world, cloth, ball = trampoline()
        velocity, taken = np.zeros(3), []
        for _ in range(120):
            velocity = 0.97 * (velocity + (0, -GRAVITY / 60, 0))
            ball.velocity = velocity
            world.step(1 / 60)
            change = ball.take_change()
            velocity = velocity + change.velocity
            taken.append(change.impulse[1])
        self.assertGreater(ball.pose.position[1], cloth.positions[:, 1].min() + 0.1)
        self.assertLess(np.linalg.norm(velocity), 0.2)
        self.assertAlmostEqual(np.mean(taken[-30:]) * 60, 0.5 * GRAVITY, delta=0.1 * 0.5 * GRAVITY)  # It bears the ball's weight.
        force = world.colliders[0].tracking_error()["force"]
        self.assertTrue(0.5 < force[1] / (0.5 * GRAVITY) < 1.5, force)  # Of one substep: the engine's gravity came at the first.
        self.assertEqual(world.statistics()["intersection_count"], 0)

    def test_what_a_body_tells(self):
        world, cloth, ball = trampoline()
        self.assertEqual((world.bodies, ball.name, ball.inverse_mass, ball.asleep), ([ball], "ball", 2.0, False))
        self.assertEqual((world.colliders[0].body, cloth.attach([60], body=ball).world), (ball, world))
        ball.set_state(velocity=(1, 0, 0), angular_velocity=(0, 2, 0), pose=(0, 3, 0), teleport=True)
        self.assertEqual((ball.pose.position, ball.velocity, ball.angular_velocity), ((0, 3, 0), (1, 0, 0), (0, 2, 0)))
        self.assertAlmostEqual(ball.acceleration[1], -GRAVITY, 5)
        ball.set_mass(0.5, (1, 2, 3))
        self.assertEqual(ball.inverse_mass, 0.5)
        ball.wake()
        self.assertEqual((ball.tracking_error()["distance"], len(world.support_contacts())), (0, 0))
        for wrong in ({"inverse_mass": -1.0}, {"inverse_inertia": (1, 2)}, {"velocity": 3}, {"pose": (1, 2)}):
            with self.assertRaises(pliant.InvalidArgument, msg=wrong):
                world.add_body(**wrong)
        with self.assertRaises(pliant.InvalidArgument):
            world.add_collider("sphere", body=cloth)
        ball.destroy()
        self.assertEqual((world.bodies, world.colliders), ([], []))
        with self.assertRaises(pliant.NotFound):
            ball.take_change()


@unittest.skipUnless((pathlib.Path(pliant.__file__).parent / "lib/libpliant_ode.so.0").exists(), "a wheel without ODE")
class Odes(unittest.TestCase):
    def test_a_ball_stays_on_a_cloth_that_bears_its_weight(self):
        world = World(substeps=10, damping=5)
        cloth = world.add_deformable(Mesh.grid(12, 12, 1.0, 1.0), density=0.3, thickness=0.01)
        cloth.add_constraints("distance")
        cloth.attach(np.flatnonzero(np.abs(cloth.positions[:, [0, 2]]).max(axis=1) > 0.49))
        ball = Ode(world).add_body({"shape": "sphere", "radius": 0.15}, mass=0.5, pose=(0, 0.2, 0))
        forces = []
        for _ in range(360):
            world.step(1 / 60)
            forces.append(world.colliders[0].tracking_error()["force"][1])
        self.assertGreater(ball.pose.position[1], cloth.positions[:, 1].min() + 0.1)
        self.assertLess(np.linalg.norm(ball.velocity), 0.5)  # It swings in the sheet for a while.
        self.assertAlmostEqual(np.mean(forces[-120:]), 0.5 * GRAVITY, delta=0.15 * 0.5 * GRAVITY)

    def test_falls_masses_and_joints(self):
        world = World(substeps=20)
        ode = Ode(world)
        with self.assertRaises(pliant.Unsupported):
            Ode(world)
        ball = ode.add_body({"shape": "sphere", "radius": 0.1}, density=100, pose=(5, 0, 0), name="ball")
        self.assertAlmostEqual(ode.mass(ball)["mass"], 100 * 4 / 3 * np.pi * 1e-3, 5)
        bar = ode.add_body([{"shape": "box", "half_extents": (0.5, 0.05, 0.05)}], mass=1, pose=(0.5, 0, 0))
        hinge = ode.add_joint("hinge", bar, axis=(0, 0, 1))
        world.step(1 / 60)
        inertia = (1 + 0.1 ** 2) / 12 + 0.5 ** 2  # Of a bar of 1 m and 1 kg about its end.
        self.assertAlmostEqual(hinge.rate * 60, -GRAVITY * 0.5 / inertia, delta=0.15)
        self.assertAlmostEqual(ball.velocity[1] * 60, -GRAVITY, 3)
        hinge.set_motor(2.0, 1e4)
        world.step(1 / 60)
        self.assertAlmostEqual(hinge.rate, 2.0, delta=0.05)
        hinge.destroy()
        floor = world.add_collider("plane", pose=(0, -1, 0))
        ode.add_collider(floor)
        for _ in range(90):
            world.step(1 / 60)
        self.assertAlmostEqual(ball.pose.position[1], -0.9, delta=2e-3)
        ode.remove_body(ball)
        self.assertEqual(world.bodies, [bar])
        for refused in (lambda: ode.add_joint("hing", bar), lambda: ode.add_joint("ball", ball), lambda: ode.add_body([]),
                        lambda: ode.add_body({"shape": "plane"}), lambda: ode.add_body({"radius": -1}), lambda: ode.add_body([3]),
                        lambda: ode.add_collider(bar), lambda: Ode(3), lambda: ode.mass(ball)):
            with self.assertRaises((pliant.InvalidArgument, pliant.NotFound, pliant.Unsupported)):
                refused()
        bar.destroy()
        world.step(1 / 60)
        world.close()
        with self.assertRaises(pliant.Closed):
            ode.add_body({"radius": 1})


class Hands(unittest.TestCase):
    def test_a_grab_is_limited_in_force_and_lets_go(self):
        world = World(gravity=(0, 0, 0), substeps=4)
        cloth = world.add_deformable(Mesh.grid(8, 8, 1, 1), density=0.2)
        cloth.add_constraints("distance")
        hand = cloth.grab(0, strength=2.0)
        self.assertAlmostEqual(hand.limit, 2 * 1.5 * cloth.mass * GRAVITY, delta=1e-3 * hand.limit)
        self.assertEqual((hand.holds, len(hand.attachment.particles)), (True, hand.particle_count))
        for _ in range(10):
            hand.lead((5, 0, 0), 1 / 60)
            self.assertLessEqual(np.linalg.norm(hand.force), hand.limit * 1.01)
            world.step(1 / 60)
        self.assertGreater(cloth.velocities[:, 0].mean(), 0.5)
        steps = 0
        while hand.lead((5, 0, 0), 1 / 60, holds=False):
            world.step(1 / 60)
            steps += 1
        self.assertTrue(1 <= steps <= 6 and hand.attachment is None and world.attachments == [])
        with self.assertRaises(pliant.InvalidArgument):
            cloth.grab(64)


class Asked(unittest.TestCase):
    def test_a_filter_lets_cloth_through_one_collider(self):
        heights = []
        for accept in (None, lambda a, b: b.part != ball, lambda a, b: True):
            world = World(substeps=4)
            cloth = world.add_deformable(Mesh.grid(6, 6, 0.5, 0.5), pose=(0, 0.3, 0))
            cloth.add_constraints("distance")
            ball = world.add_collider("sphere", radius=0.25)
            world.set_contact_filter(accept)
            for _ in range(30):
                world.step(1 / 60)
            heights.append(cloth.positions[:, 1].max())
        self.assertGreater(heights[0], 0.2)
        self.assertLess(heights[1], -0.5)
        self.assertEqual(heights[0], heights[2])
        world.set_contact_filter(lambda a, b: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            for _ in range(60):
                world.step(1 / 60)

    def test_a_source_moves_the_vertices_of_a_collider(self):
        world, mesh = World(), Mesh.box((1, 1, 1))
        box = world.add_collider("mesh", mesh=mesh)
        box.set_source(lambda time: mesh.positions + (0, time, 0) if time < 0.35 else None)
        for _ in range(5):
            world.step(0.1)
        np.testing.assert_allclose(box.vertices, mesh.positions + (0, np.float32(0.3), 0), atol=1e-6)
        box.set_source(lambda time: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            world.step(0.1)
        box.set_source(None)
        box.teleport_vertices(mesh.positions)
        np.testing.assert_array_equal(box.vertices, mesh.positions)

    def test_a_generator_finds_the_edges_that_the_library_finds(self):
        hashes = []
        for generator in ("edges", "mine"):
            world = World()
            world.register_generator(Generator("mine", 2, lambda mesh: mesh.edges))
            cloth = world.add_deformable(Mesh.grid(5, 5, 1, 1))
            edges = cloth.add_constraints("distance", generator)
            cloth.attach([0])
            world.step(1 / 60)
            hashes.append((world.hash, len(edges)))
        self.assertEqual(*hashes)
        for wrong in (lambda mesh: [0, 1, 2], lambda mesh: [0, 999], lambda mesh: 1 / 0):
            with self.assertRaises((pliant.Error, ZeroDivisionError)):
                world.register_generator(Generator(f"w{id(wrong)}", 2, wrong))
                cloth.add_constraints("distance", f"w{id(wrong)}")
        self.assertEqual(world.constraint_sets, [edges])

    def test_a_plugin_of_the_examples(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "soft_limit.so")
            library = pathlib.Path(pliant.__file__).parent / "lib/libpliant.so.0"
            subprocess.run(["cc", "-shared", "-fPIC", "-w", f"-I{ROOT}/include", ROOT / "examples/plugins/ropes.c", library, "-lm", "-o", made],
                           check=True)
            plugin = Plugin(made)
            world = World()
            world.register_plugin(plugin)
            cloth = world.add_deformable(Mesh.grid(4, 4, 1, 1))
            self.assertEqual([cloth.add_constraints(name).type for name in plugin.types], plugin.types)
            self.assertTrue(plugin.types and plugin.name)
            text = (ROOT / "scenes/first.json").read_text()
            self.assertTrue(Scene(text, folder=ROOT / "scenes", plugins=[plugin]).create_world().deformables)
            with self.assertRaises(pliant.Unsupported):
                Plugin(ROOT / "README.md")


class Placing(unittest.TestCase):
    def test_distance_and_ray_of_a_turned_capsule(self):
        half = np.sqrt(0.5)
        world = World()
        capsule = world.add_collider("capsule", radius=0.1, half_height=0.5, pose=((1, 0, 0), (0, 0, half, half)))  # Along x.
        distance, normal = capsule.distance((1.2, 1.0, 0))
        np.testing.assert_allclose((distance, *normal), (0.9, 0, 1, 0), atol=1e-5)
        np.testing.assert_allclose(capsule.distance((3, 0, 0))[0], 1.4, atol=1e-5)
        distance, normal = capsule.ray((1.2, 1.0, 0), (0, -2, 0))
        np.testing.assert_allclose((distance, *normal), (0.9, 0, 1, 0), atol=1e-5)
        self.assertIsNone(capsule.ray((1.2, 1.0, 0), (0, 1, 0)))
        with self.assertRaises(pliant.Unsupported):
            world.add_collider("mesh", mesh=Mesh.box((1, 1, 1))).distance((0, 0, 0))

    def test_teleport_shift_and_reset(self):
        world = hanging()
        cloth, ball = world["cloth"], world.colliders[0]
        start, at = cloth.positions.copy(), np.array(ball.pose.position)
        world.teleport((0, 0, 0), (10, 0, 0))
        np.testing.assert_allclose(cloth.positions, start + (10, 0, 0), atol=1e-5)
        world.teleport((10, 0, 0), (0, 0, 0), [cloth])
        np.testing.assert_allclose(cloth.positions, start, atol=1e-5)
        np.testing.assert_allclose(ball.pose.position, at + (10, 0, 0), atol=1e-5)
        world.shift((0, 100, 0))
        np.testing.assert_allclose(cloth.positions, start + (0, 100, 0), atol=1e-4)
        world.origin = 3, 90, 0
        self.assertEqual(world.origin, (3, 90, 0))
        cloth.reset_to(start)
        free = cloth.inverse_masses > 0  # Held corners stay where they are held.
        np.testing.assert_allclose(cloth.positions[free], start[free], atol=1e-5)
        with self.assertRaises(pliant.InvalidArgument):
            world.teleport((0, 0, 0), (1, 0, 0), [world])
        with self.assertRaises(pliant.InvalidArgument):
            world.set_time_limit(-1)

    def test_cooked_sets_are_the_same_to_the_bit(self):
        cooked, first = hanging().cooked(), hanging()
        second = World(substeps=8)
        second.set_cooked(cooked)
        cloth = second.add_deformable(Mesh.grid(12, 12, 1.0, 1.0), name="cloth", self_collision=True)
        cloth.add_constraints("distance")
        with self.assertRaises(pliant.Corrupt):
            cloth.add_constraints("distance")
        cloth.add_constraints("isometric", rigidity=1e-4)
        cloth.attach([0, 11])
        second.add_collider("sphere", radius=0.2, pose=(0, -0.3, 0))
        for world in (first, second):
            world.step(1 / 60)
        self.assertEqual(first.hash, second.hash)

    def test_energy_of_stretched_edges(self):
        world = World()
        cloth = world.add_deformable(Mesh.grid(3, 3, 1, 1, "quads"), keep_previous=True)
        edges = cloth.add_constraints("distance", compliance=1e-3)
        start = cloth.positions.copy()
        cloth.positions = start * np.float32(1.2)
        self.assertAlmostEqual(edges.energy(), 0.5 * 12 * (0.2 * 0.5) ** 2 / 1e-3, delta=1e-3 * edges.energy())
        self.assertEqual(cloth.plate_energy(), 0)
        world.step(1 / 60)
        np.testing.assert_allclose(cloth.previous_positions, start * np.float32(1.2), atol=1e-6)


if __name__ == "__main__":
    unittest.main()
