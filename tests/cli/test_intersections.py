"""check-intersections: against rational arithmetic, and for surfaces whose intersections a formula counts."""
import fractions
import itertools
import json
import random
import struct
import unittest

from command import Case, cloth, interrupted

COUNTS = ("own", "between", "collider", "touching")


def write_mesh(path, points, faces):
    lines = ["v %.9g %.9g %.9g" % tuple(p) for p in points] + ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_frames(path, frames):
    """A PC2 file of these frames, each a list of points."""
    count = len(frames[0])
    data = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, count, 0.0, 1.0, len(frames))
    path.write_bytes(data + b"".join(struct.pack(f"<{3 * count}f", *itertools.chain(*f)) for f in frames))
    return path


def sheet(columns, rows, place):
    """Points and triangles of columns x rows unit squares; place(u, v) says where they are."""
    points = [place(u, v) for v in range(rows + 1) for u in range(columns + 1)]
    faces = []
    for v in range(rows):
        for u in range(columns):
            a = v * (columns + 1) + u
            b, c, d = a + 1, a + columns + 1, a + columns + 2
            faces += [(a, b, d), (a, d, c)]
    return points, faces


# ---- the reference: weights of corners as a linear programme, in fractions -------------------------------------------

def solve(columns, right):
    """The only solution of columns * x = right, or None when there is none or more than one."""
    rows = [[fractions.Fraction(column[i]) for column in columns] + [fractions.Fraction(right[i])]
            for i in range(len(right))]
    for k in range(len(columns)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [x - row[k] * y for x, y in zip(row, rows[k])]
    return None if any(row[-1] for row in rows[len(columns):]) else [row[-1] for row in rows[:len(columns)]]


def common_weights(a, b):
    """Corners of the set of all weights, three of a and three of b, that give a point of both."""
    columns = [(*p, 1, 0) for p in a] + [tuple(-x for x in q) + (0, 1) for q in b]
    found = []
    for size in range(2, 6):
        for support in itertools.combinations(range(6), size):
            values = solve([columns[i] for i in support], (0, 0, 0, 1, 1))
            if values and min(values) > 0:
                weights = [fractions.Fraction(0)] * 6
                for i, value in zip(support, values):
                    weights[i] = value
                found.append(weights)
    return found


def in_hull(point, corners):
    if len(corners) == 1:
        return tuple(point) == tuple(corners[0])
    p, (a, b) = point, corners
    u, w = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, p)]
    across = any(u[i] * w[j] != u[j] * w[i] for i, j in ((0, 1), (1, 2), (2, 0)))
    return not across and all(min(x, y) <= z <= max(x, y) for x, y, z in zip(a, b, p))


def in_one_plane(points):
    d = [[x - y for x, y in zip(p, points[0])] for p in points[1:]]
    return all(u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
               u[2] * (v[0] * w[1] - v[1] * w[0]) == 0 for u, v, w in itertools.combinations(d, 3))


def relation(a, b, shared=()):
    """'apart', 'touching' or 'crossing'; `shared` are the positions of the common vertices."""
    weights = common_weights(a, b)
    points = [tuple(sum(w[i] * a[i][x] for i in range(3)) for x in range(3)) for w in weights]
    if not points or (shared and all(in_hull(p, shared) for p in points)):
        return "apart"
    # A corner has weight somewhere in the set just when it has in one of the set's corners.
    inside = all(any(w[i] for w in weights) for i in range(6))
    return "crossing" if inside and not in_one_plane(a + b) else "touching"


class Reference(Case):
    """Corners on a small lattice, so that every degenerate case comes up."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(7)

    def points(self, count, size):
        return [tuple(self.random.randrange(size) for _ in range(3)) for _ in range(count)]

    def test_two_objects(self):
        size, frames = 4, 500
        first, second = ([self.points(3, size) for _ in range(frames)] for _ in range(2))
        for name, positions in (("a", first), ("b", second)):
            write_mesh(self.folder / f"{name}.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
            write_frames(self.folder / f"{name}.pc2", positions)
        expected = [relation(a, b) for a, b in zip(first, second)]
        report = self.run_json("check-intersections", self.folder / "a.pc2", self.folder / "b.pc2", code=1)
        found = ["crossing" if f["between"] else "touching" if f["touching"] else "apart" for f in report["per_frame"]]
        self.assertEqual(found, expected)
        for kind in ("apart", "touching", "crossing"):
            self.assertGreater(expected.count(kind), 25, kind)
        swapped = self.run_json("check-intersections", self.folder / "b.pc2", self.folder / "a.pc2", code=1)
        self.assertEqual([[f[key] for key in COUNTS] for f in swapped["per_frame"]],
                         [[f[key] for key in COUNTS] for f in report["per_frame"]])

    def test_shared_vertices(self):
        """A fan of three triangles: two pairs share an edge, one shares a corner."""
        faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4)]
        frames = [self.points(5, 3 if i % 2 else 4) for i in range(300)]
        write_mesh(self.folder / "fan.obj", [(0, 0, 0), (2, -1, 0), (2, 0, 0), (2, 1, 0), (2, 2, 0)], faces)
        write_frames(self.folder / "fan.pc2", frames)
        expected, apart = [], 0
        for points in frames:
            kinds = [relation([points[i] for i in f], [points[i] for i in g], [points[i] for i in f if i in g])
                     for f, g in itertools.combinations(faces, 2)]
            expected.append((kinds.count("crossing"), kinds.count("touching")))
        report = self.run_json("check-intersections", self.folder / "fan.pc2", code=1)
        self.assertEqual([(f["own"], f["touching"]) for f in report["per_frame"]], expected)
        self.assertGreater(sum(own for own, _ in expected), 10)
        self.assertGreater(sum(touching for _, touching in expected), 50)


class Formulas(Case):
    """Where two sheets of squares cut along a line, each triangle's piece of it is between two neighbouring ends, and
    the pieces of m + n ends overlap in one pair more than there are different inner ends."""

    def pair(self, columns=9):
        """A lying sheet, and a standing one that comes down: above twice, through with one row or the other, below.
        The line of both is cut at every whole u and by the c diagonals of each: 3 c - 1 inner ends. At the whole ones
        the piece before touches the piece behind in both ways."""
        points, faces = sheet(columns, 3, lambda u, v: (u, 0.0, v))
        upright, others = sheet(columns, 2, lambda u, v: (u, v - 0.75, 1.375))
        write_mesh(self.folder / "lying.obj", points, faces)
        write_mesh(self.folder / "standing.obj", upright, others)
        lying = write_frames(self.folder / "lying.pc2", [points] * 5)
        heights = (5.0, 1.0, 0.0, -1.0, -5.0)
        return lying, write_frames(self.folder / "standing.pc2",
                                   [[(x, y + height, z) for x, y, z in upright] for height in heights])

    def test_two_sheets(self):
        for columns in (1, 9, 40):
            report = self.run_json("check-intersections", *self.pair(columns), code=1)
            self.assertEqual([f["between"] for f in report["per_frame"]], [0, 0, 3 * columns, 3 * columns, 0])
            self.assertEqual([f["touching"] for f in report["per_frame"]], [0, 0, 2 * columns - 2, 2 * columns - 2, 0])
            self.assertEqual([f["own"] + f["collider"] for f in report["per_frame"]], [0] * 5)
            self.assertEqual(report["intersections_total"], 6 * columns)
            self.assertEqual((report["worst_frame"], report["frames"]), (2, 5))

    def test_strip_through_itself(self):
        """A strip that follows a path with a loop, wide by some rows, or a part of the path without one."""
        path = [(0, 0), (4, 0), (4, 2), (1, 2), (1, -1.5), (1, -3)]
        for rows in (1, 7):
            points, faces = sheet(5, rows, lambda u, v: (*path[u], v))
            straight, _ = sheet(5, rows, lambda u, v: (path[u][0] + 9 * u, path[u][1], v))
            write_mesh(self.folder / "strip.obj", straight, faces)
            strip = write_frames(self.folder / "strip.pc2", [straight, points])
            report = self.run_json("check-intersections", strip, code=1)
            self.assertEqual([[f[key] for key in COUNTS] for f in report["per_frame"]],
                             [[0, 0, 0, 0], [3 * rows, 0, 0, 2 * rows - 2]])
            self.assertIsNone(report["per_frame"][0]["lowest_pair"])
            low, high = report["per_frame"][1]["lowest_pair"]["triangles"]
            self.assertIn((low % 10, high % 10), [(0, 6), (0, 7), (1, 6), (1, 7)])

    def test_flat_sheet_and_its_copy(self):
        """A flat sheet is free of itself; one that lies on its equal touches it everywhere and crosses nowhere."""
        points, faces = sheet(12, 12, lambda u, v: (u, 0.1 * u + 0.3 * v, v))
        write_mesh(self.folder / "a.obj", points, faces)
        a = write_frames(self.folder / "a.pc2", [points])
        self.assertEqual(self.run_json("check-intersections", a)["touching_total"], 0)
        report = self.run_json("check-intersections", a, "--collider", a)
        self.assertGreater(report["touching_total"], len(faces))

    def test_roles(self):
        lying, standing = self.pair()
        between = self.run_json("check-intersections", lying, standing, code=1)
        collider = self.run_json("check-intersections", standing, "--collider", self.folder / "lying.obj", code=1)
        self.assertEqual([f["collider"] for f in collider["per_frame"]], [f["between"] for f in between["per_frame"]])
        self.assertEqual([(o["name"], o["role"]) for o in collider["objects"]],
                         [("standing", "deformable"), ("lying", "collider")])
        # Two colliders may go through each other.
        far = write_mesh(self.folder / "far.obj", [(90, 0, 0), (91, 0, 0), (90, 1, 0)], [(0, 1, 2)])
        self.run_json("check-intersections", far, "--collider", lying, "--collider", standing)

    def test_frames_are_chosen(self):
        words = ("check-intersections", *self.pair())
        every = self.run_json(*words, code=1)["per_frame"]
        self.assertEqual(self.run_json(*words, "--from", 1, "--to", 2, code=1)["per_frame"], every[1:3])
        self.assertEqual(self.run_json(*words, "--every", 2, code=1)["per_frame"], every[::2])
        self.assertEqual(self.run_json(*words, "--to", 1)["intersections_total"], 0)
        self.assertIn("no frame 5", self.expect(1, *words, "--to", 5).stderr)
        self.assertIn("from 3 to 2", self.expect(1, *words, "--from", 3, "--to", 2).stderr)
        self.expect(2, *words, "--every", 0)

    def test_text(self):
        words = ("check-intersections", *self.pair(), "-q")
        result = self.expect(1, *words)
        self.assertEqual(result.stderr, "")
        rows = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual([row[:5] for row in rows[2:]], [["2", "0", "27", "0", "16"], ["3", "0", "27", "0", "16"],
                                                         ["all", "0", "54", "0", "32"]])
        self.assertIn("no intersections", self.expect(0, *words, "--to", 1).stdout)

    def test_mesh_is_given(self):
        lying, standing = self.pair()
        total = self.run_json("check-intersections", lying, standing, code=1)["intersections_total"]
        for name in ("lying", "standing"):
            (self.folder / f"{name}.obj").rename(self.folder / f"faces of {name}.obj")
        self.assertIn("--mesh", self.expect(1, "check-intersections", lying, standing).stderr)
        report = self.run_json("check-intersections", lying, standing, "--mesh", self.folder / "faces of lying.obj",
                               "--mesh", self.folder / "faces of standing.obj", code=1)
        self.assertEqual(report["intersections_total"], total)


class Runs(Case):
    def test_folder_of_a_run(self):
        """Two cloths fall on a ball that is in neither cache; the second lies through the first from the start."""
        scene = cloth(frames=4)
        second = json.loads(json.dumps(scene["deformables"][0]))
        second.update(name="second", pose={"position": [0, 1.0, 0], "axis": [1, 0, 0], "angle": 20})
        scene["deformables"].append(second)
        out = self.folder / "out"
        self.run_json("run", self.write_scene(scene), "-o", out)
        report = self.run_json("check-intersections", out, code=1)
        self.assertEqual([o["role"] for o in report["objects"]], ["deformable"] * 2)
        self.assertEqual(report["frames"], 5)
        self.assertGreater(report["per_frame"][0]["between"], 0)
        path = out / "summary.json"
        summary = json.loads(path.read_text())
        summary["objects"][0]["role"] = "deformable"
        summary["objects"][1]["role"] = "collider"
        path.write_text(json.dumps(summary))
        again = self.run_json("check-intersections", out, code=1)
        self.assertEqual([o["role"] for o in again["objects"]], ["deformable", "collider"])
        self.assertEqual(again["collider_total"], report["between_total"])
        self.assertEqual(again["between_total"], 0)


class Failures(Case):
    def triangle(self, frames):
        write_mesh(self.folder / "a.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        return write_frames(self.folder / "a.pc2", frames)

    def test_bad_input(self):
        fine = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        path = self.triangle([fine, fine[:2] + [(0, float("nan"), 0)]])
        error = self.expect(1, "check-intersections", path).stderr
        self.assertIn("frame 1", error)
        self.assertIn("vertex 2", error)
        self.expect(0, "check-intersections", path, "--to", 0)
        self.assertIn("nothing.pc2", self.expect(1, "check-intersections", self.folder / "nothing.pc2").stderr)
        self.assertIn("CACHE is missing", self.expect(2, "check-intersections").stderr)
        empty = self.triangle([fine])
        empty.write_bytes(empty.read_bytes()[:32])
        self.assertIn("no frames", self.expect(1, "check-intersections", empty).stderr)

    def test_frames_that_not_all_have(self):
        fine = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        path = self.triangle([fine] * 3)
        write_mesh(self.folder / "b.obj", fine, [(0, 1, 2)])
        longer = write_frames(self.folder / "b.pc2", [[(x, y, z + 1) for x, y, z in fine]] * 8)
        result = self.expect(0, "check-intersections", path, longer, "--json")
        self.assertEqual(json.loads(result.stdout)["frames"], 3)
        self.assertIn("warning", result.stderr)

    def test_cancelled(self):
        """Ten million frames, all of zeros, take long."""
        path, frames = self.triangle([[(0, 0, 0)] * 3]), 9000000
        with open(path, "r+b") as stream:
            stream.seek(28)
            stream.write(struct.pack("<i", frames))
            stream.truncate(32 + 36 * frames)
        code, output, error = interrupted("check-intersections", path, "-q")
        self.assertEqual((code, output), (1, ""))
        self.assertIn("cancelled after", error)


if __name__ == "__main__":
    unittest.main()
