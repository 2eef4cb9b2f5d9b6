"""The judge counts what brute force counts, and a sample of the messy starts passes it. All of them: tests/messy/judge.py PLIANT."""
import itertools
import os
import pathlib
import random
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import judge
import starts

BINARY = os.environ.get("PLIANT_BIN", "pliant")


def passes(a, b, triangle):
    """By solving for where the segment meets the plane, in coordinates of the triangle."""
    p, q, r = triangle
    try:
        t, u, v = np.linalg.solve(np.stack([a - b, q - p, r - p], axis=1), a - p)
    except np.linalg.LinAlgError:
        return False
    return 0 < t < 1 and u > 0 and v > 0 and u + v < 1


class Judge(unittest.TestCase):
    def test_crossings_are_those_of_brute_force(self):
        r = np.random.default_rng(5)
        for _ in range(20):
            points, faces = r.random((24, 3)).astype(np.float32), r.permutation(24).reshape(8, 3)
            edges = judge.edges_of(faces)
            whole = points.astype(np.float64)
            wanted = sum(passes(whole[a], whole[b], whole[face]) for (a, b), face in itertools.product(edges, faces) if not {a, b} & set(face))
            self.assertGreater(wanted, 0)
            self.assertEqual(judge.crossings(edges, points, faces, points, np.arange(len(points))), wanted)

    def test_touching_is_no_crossing(self):
        points, faces = (np.array(part) for part in starts.grid(4, 4, 1, 1))
        points = points.astype(np.float32)
        edges = judge.edges_of(faces)
        self.assertEqual(judge.crossings(edges, points, faces, points + np.float32([1, 0, 0]), None), 0)
        self.assertEqual(judge.crossings(edges, points, faces, points, np.arange(len(points))), 0)
        across = (points[:, [1, 0, 2]] + np.float32([0.0137, 0.011, 0.017])).astype(np.float32)
        self.assertGreater(judge.crossings(edges, across, faces, points, None), 0)

    def test_a_number_gives_one_scene(self):
        for number in random.Random(1).sample(range(judge.COUNT), 22):
            one, other = starts.start(judge.SEED, number), starts.start(judge.SEED, number)
            self.assertEqual((one.scene, one.meshes), (other.scene, other.meshes))


class Starts(unittest.TestCase):
    def test_a_sample_passes(self):
        for number in range(0, 3 if os.environ.get("PLIANT_QUICK") else 22):
            with self.subTest(start=number), tempfile.TemporaryDirectory() as folder:
                wrong, _ = judge.judge(BINARY, number, folder)
                self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
