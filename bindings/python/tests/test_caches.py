"""Caches as arrays: what is written comes back, what the command writes is read, wrong use is refused."""
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from support import COMMAND, ROOT

import pliant
from pliant import Cache, Mesh, Recorder, Scene, cache_formats


class Caches(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def record(self, format, mesh, frames):
        with Recorder(self.folder, {"cloth": mesh}, format=format, frames_per_second=24, frame_count=len(frames)) as recorder:
            for frame in frames:
                recorder.add([frame])
            return recorder.path

    def test_every_format_that_is_read(self):
        mesh, chance = Mesh.grid(5, 4, 1, 1, "diagonal"), np.random.default_rng(4)
        frames = chance.normal(size=(3, len(mesh), 3)).astype(np.float32)
        mesh.save(self.folder / "mesh.obj")
        readable = [name for name, can_read in cache_formats().items() if can_read]
        self.assertTrue({"pc2", "mdd", "obj", "ply", "gltf"} <= set(readable))
        for name in readable:
            try:
                path = self.record(name, mesh, frames)
            except pliant.Unsupported:
                continue  # Its library is not in this package.
            with Cache(path, self.folder / "mesh.obj" if name in ("pc2", "mdd") else None) as cache:
                found = cache[0].positions()
                self.assertEqual(found.shape, frames.shape, name)
                np.testing.assert_allclose(found, frames, atol=1e-5, err_msg=name)
                np.testing.assert_array_equal(cache[0][-1], found[2])
                self.assertEqual(sum(1 for _ in cache[0]), 3)

    def test_what_the_command_writes(self):
        scene = ROOT / "scenes/first.json"
        subprocess.run([COMMAND, "run", scene, "-n", "3", "-o", self.folder, "-f", "ply", "-q"], check=True)
        world = Scene.load(scene).create_world()
        with Cache(self.folder) as cache:
            cloth, room = cache[0], np.empty((len(cache[0].mesh), 3), np.float32)
            for frame in range(4):
                self.assertIs(cloth.read(frame, room), room)
                np.testing.assert_allclose(room, world["cloth"].positions, atol=1e-6)
                world.step()
            self.assertEqual((len(cache), cache.frames_per_second), (4, 60.0))

    def test_wrong_use(self):
        mesh = Mesh.grid(3, 3, 1, 1)
        path = self.record("ply", mesh, [mesh.positions])
        with self.assertRaises(pliant.FileError):
            Cache(self.folder / "none.pc2")
        cache = Cache(path)
        with self.assertRaises(pliant.NotFound):
            cache["nothing"]
        with self.assertRaises(IndexError):
            cache[0][1]
        for wrong in (np.empty((2, 3), np.float32), np.empty((9, 3)), np.empty((18, 3), np.float32)[::2]):
            with self.assertRaises(pliant.InvalidArgument):
                cache[0].read(0, wrong)
        kept = cache[0]
        cache.close()
        with self.assertRaises(pliant.Closed):
            kept[0]
        with self.assertRaises(pliant.Error):
            Recorder(self.folder, {"a": mesh}, format="none")
        recorder = Recorder(self.folder, {"a": mesh}, format="ply", name="other")
        with self.assertRaises(pliant.InvalidArgument):
            recorder.add([mesh.positions[:4]])
        recorder.close()
        with self.assertRaises(pliant.Closed):
            recorder.add([mesh.positions])


if __name__ == "__main__":
    unittest.main()
