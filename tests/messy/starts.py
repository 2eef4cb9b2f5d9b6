"""Scenes as users' files start: touching, overlapping, crossing, inside of colliders, in the wrong unit, loaded, pinned where they cannot be,
of mixed scales, non-manifold, doubled and thin. A seed and a number give a scene, written as a scene file with OBJ meshes beside it.

Each scene has a note for the judge: how far something free can fall before anything supports it, and whether it can be satisfied at all.
"""
import json
import math
import pathlib
import random

FRAMES = 120
BENDING = {"type": "isometric", "rigidity": 1e-5}


def grid(columns, rows, width, depth):
    """Vertices in the plane y = 0 and triangles with alternating diagonals."""
    points = [(width * (i / (columns - 1) - 0.5), 0.0, depth * (j / (rows - 1) - 0.5)) for j in range(rows) for i in range(columns)]
    faces = []
    for j in range(rows - 1):
        for i in range(columns - 1):
            a, b, c, d = j * columns + i, j * columns + i + 1, (j + 1) * columns + i + 1, (j + 1) * columns + i
            faces += [(a, d, c), (a, c, b)] if (i + j) % 2 == 0 else [(a, d, b), (b, d, c)]
    return points, faces


def ball(around, along, radius):
    points = [(0.0, radius, 0.0)]
    for j in range(1, along):
        t = math.pi * j / along
        points += [(radius * math.sin(t) * math.cos(2 * math.pi * i / around), radius * math.cos(t),
                    radius * math.sin(t) * math.sin(2 * math.pi * i / around)) for i in range(around)]
    points.append((0.0, -radius, 0.0))
    ring = lambda j, i: 1 + (j - 1) * around + i % around
    faces = [(0, ring(1, i + 1), ring(1, i)) for i in range(around)]
    for j in range(1, along - 1):
        for i in range(around):
            faces += [(ring(j, i), ring(j, i + 1), ring(j + 1, i + 1)), (ring(j, i), ring(j + 1, i + 1), ring(j + 1, i))]
    return points, faces + [(len(points) - 1, ring(along - 1, i), ring(along - 1, i + 1)) for i in range(around)]


def box(x, y, z):
    points = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return points, [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]


def moved(mesh, by):
    return [tuple(p + d for p, d in zip(point, by)) for point in mesh[0]], mesh[1]


def turned(mesh, axis, degrees):
    """About a coordinate axis; quarter turns are exact."""
    c, s = round(math.cos(math.radians(degrees)), 12), round(math.sin(math.radians(degrees)), 12)
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    points = []
    for point in mesh[0]:
        p = list(point)
        p[a], p[b] = c * point[a] - s * point[b], s * point[a] + c * point[b]
        points.append(tuple(p))
    return points, mesh[1]


def joined(*meshes):
    points, faces = [], []
    for some, of in meshes:
        faces += [tuple(i + len(points) for i in face) for face in of]
        points += some
    return points, faces


class Start:
    """A scene that is being made: objects are added, then it is written."""

    def __init__(self, kind, r):
        self.kind, self.r, self.meshes, self.note = kind, r, {}, {"kind": kind, "fall": 0.0, "feasible": True}
        self.scene = {"pliant": 1, "title": f"A messy start: {kind}", "frames": FRAMES, "deformables": [], "colliders": []}

    def file(self, name, mesh):
        self.meshes[f"{name}.obj"] = mesh
        return {"file": f"{name}.obj"}

    def cloth(self, mesh, at=(0, 0, 0), **more):
        name = f"cloth-{len(self.scene['deformables'])}"
        self.scene["deformables"].append({"name": name, "mesh": self.file(name, mesh), "pose": {"position": list(at)}, "self_collision": True,
                                          "constraints": [{"type": "distance"}, dict(BENDING)], **more})
        return self.scene["deformables"][-1]

    def collider(self, **more):
        self.scene["colliders"].append(more)

    def solid(self, mesh, at=(0, 0, 0), **more):
        self.collider(shape="mesh", mesh=self.file(f"solid-{len(self.meshes)}", mesh), pose={"position": list(at)}, **more)

    def floor(self, height):
        self.collider(shape="plane", pose={"position": [0, height, 0]})

    def body(self, **more):
        self.scene.setdefault("bodies", []).append({"name": f"body-{len(self.scene.get('bodies', []))}", **more})

    def sheet(self, most=20):
        n, m = self.r.randint(8, most), self.r.randint(8, most)
        return grid(n, m, self.r.uniform(0.4, 1.2), self.r.uniform(0.4, 1.2))

    def write(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, (points, faces) in self.meshes.items():
            lines = ["v " + " ".join(f"{c:.9g}" for c in point) for point in points]
            lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        scene = {key: value for key, value in self.scene.items() if value != []}
        (folder / "scene.json").write_text(json.dumps(scene, indent=1), encoding="utf-8")
        (folder / "note.json").write_text(json.dumps(self.note), encoding="utf-8")
        return folder / "scene.json"


def row_of(mesh, z):
    """Vertices whose z is that, to be pinned."""
    return [i for i, point in enumerate(mesh[0]) if abs(point[2] - z) < 1e-9]


def hung(start, mesh, at=(0, 0, 0), **more):
    """A sheet in the plane y = 0 that hangs from its edge of the least z."""
    return start.cloth(mesh, at, attachments=[{"particles": row_of(mesh, min(p[2] for p in mesh[0]))}], **more)


def touching(s, r):
    n = r.randint(8, 18)
    size = r.choice([0.5, 0.8, 1.0, r.uniform(0.4, 1.2)])
    sheet, kind = grid(n, n, size, size), r.randrange(9)
    s.note["fall"] = 4.0
    if kind == 0:  # Edge to edge
        s.cloth(sheet), s.cloth(moved(sheet, (size, 0, 0)))
    elif kind == 1:  # Pinned side by side
        s.note["fall"] = 0.5 * size
        hung(s, sheet), hung(s, moved(sheet, (size, 0, 0)))
    elif kind == 2:  # Coplanar, overlapping by cells or by parts of one
        s.cloth(sheet), s.cloth(moved(sheet, (r.choice([size / (n - 1) * (n // 2), 0.013, 0.5 * size]), 0, 0)))
    elif kind == 3:  # Coincident, also with another mesh
        s.cloth(sheet), s.cloth(r.choice([sheet, grid(n + 3, n + 3, size, size)]))
    elif kind == 4:  # A tablecloth on a mesh table
        half = 0.25 * size
        s.note["fall"] = 0.3 * half
        s.solid(box(half, 0.25, half), (0, -0.25, 0)), s.cloth(sheet)
    elif kind == 5:  # Border in the plane of another: a T
        s.cloth(sheet), s.cloth(moved(turned(sheet, 0, 90), (0, 0.5 * size, 0)))
    elif kind == 6:  # One corner in common
        s.cloth(sheet), s.cloth(moved(sheet, (size, 0, size)))
    elif kind == 7:  # On the face of a mesh that moves away
        s.solid(box(0.6 * size, 0.1, 0.6 * size), (0, -0.1, 0), motion={"velocity": [0, -r.choice([1, 5, 20]), 0]}), s.cloth(sheet)
        s.note["fall"] = 0.5
    else:  # Panels of a box that is not sewn
        half = 0.5 * size
        wall = turned(sheet, 0, 90)
        s.cloth(joined(moved(sheet, (0, -half, 0)), moved(wall, (0, 0, half)), moved(wall, (0, 0, -half))))


def overlapping(s, r):
    sheet, thickness = s.sheet(16), r.choice([0.003, 0.005, 0.01])
    s.note["fall"] = 2.0
    for k in range(r.randint(2, 5)):
        shift = (r.uniform(-0.05, 0.05), k * thickness * r.uniform(0.02, 0.6), r.uniform(-0.05, 0.05))
        s.cloth(turned(sheet, 1, r.choice([0, 90, r.uniform(0, 90)])), shift, thickness=thickness)
    s.floor(-3.0)


def crossing(s, r):
    sheet, kind = s.sheet(14), r.randrange(3)
    s.note["fall"] = 2.0
    if kind == 0:
        s.cloth(sheet), s.cloth(turned(turned(sheet, 0, r.uniform(30, 90)), 1, r.uniform(0, 90)), (0.003, 0.011, 0.007))
    elif kind == 1:
        s.cloth(sheet), s.cloth(ball(12, 8, 0.2), (0.01, 0.02, 0.03), constraints=[{"type": "distance"}, {"type": "volume", "pressure": 1}])
    else:
        other = turned(sheet, 2, r.uniform(40, 140))
        s.cloth(joined(sheet, moved(other, (0.01, 0.013, 0.017))))
    s.floor(-3.0)


def inside(s, r):
    sheet, depth = s.sheet(16), r.uniform(0.0, 0.15)
    shape = r.choice(["plane", "sphere", "box", "capsule", "cylinder", "mesh", "hull"])
    at = {"position": [r.uniform(-0.1, 0.1), depth, r.uniform(-0.1, 0.1)]}
    if shape == "plane":
        s.collider(shape="plane", pose={"position": [0, depth, 0]})
    elif shape == "sphere":
        s.collider(shape="sphere", radius=0.2, pose={"position": [0.02, depth - 0.15, 0.03]})
    elif shape == "box":
        s.collider(shape="box", half_extents=[0.2, 0.2, 0.2], pose={"position": [0.02, depth - 0.15, 0.03]})
    elif shape in ("capsule", "cylinder"):
        s.collider(shape=shape, radius=0.1, half_height=0.2, pose={**at, "axis": [1, 0, 0], "angle": 90})
    elif shape == "mesh":
        s.solid(ball(16, 10, 0.2), (0.02, depth - 0.15, 0.03))
    else:
        s.collider(shape="hull", mesh=s.file("hull", ball(10, 7, 0.2)), pose={"position": [0.02, depth - 0.15, 0.03]})
    s.cloth(sheet)
    s.floor(-1.0)


def wrong_unit(s, r):
    scale = r.choice([0.001, 0.01, 0.1, 10, 100])
    kind = r.randrange(3)
    mesh = [s.sheet(24), ball(16, 10, 0.25), moved(turned(s.sheet(16), 0, 90), (0, 0.5, 0))][kind]
    scaled = [tuple(scale * c for c in point) for point in mesh[0]], mesh[1]
    height = 0.6 * scale + 0.5
    s.cloth(scaled, (0, height, 0))
    s.floor(0)
    s.note["fall"] = 0.4 if scale < 10 else 1.0
    if scale >= 10:
        s.floor(-2.0)


def heavy(s, r):
    kind, mass = r.randrange(4), 10 ** r.uniform(-1, 1.7)
    if kind == 0:  # Hung by an attachment
        sheet = grid(12, 24, 0.3, 0.6)
        cloth = hung(s, turned(sheet, 0, 90), (0, 1, 0))
        top = max(p[1] for p in turned(sheet, 0, 90)[0])
        points = turned(sheet, 0, 90)[0]
        cloth["attachments"] = [{"particles": [i for i, p in enumerate(points) if abs(p[1] - top) < 1e-9]},
                                {"particles": [i for i, p in enumerate(points) if abs(p[1] + top) < 1e-9], "body": "body-0"}]
        s.body(shape="box", half_extents=[0.15, 0.02, 0.02], mass=mass, pose={"position": [0, 1 - top - 0.02, 0]})
    elif kind == 1:  # Dropped onto a sheet that two edges hold
        sheet = grid(16, 16, 1, 1)
        s.cloth(sheet, attachments=[{"particles": row_of(sheet, -0.5) + row_of(sheet, 0.5)}])
        s.body(shape="sphere", radius=0.12, mass=mass, pose={"position": [0.03, 0.25, 0.02]})
        s.note["fall"] = 0.02
    elif kind == 2:  # On a cloth on the floor
        s.cloth(grid(16, 16, 0.6, 0.6), (0, 0.02, 0)), s.floor(0)
        s.body(shape="sphere", radius=0.1, mass=mass, pose={"position": [0.02, 0.3, 0.01]})
    else:  # Sheets of very different densities
        for k in range(r.randint(2, 4)):
            s.cloth(grid(12, 12, 0.6, 0.6), (0.01 * k, 0.02 * k, 0), density=r.choice([1e-6, 1e-3, 0.2, 1, 10]))
        s.note["fall"] = 0.7
        s.floor(-1.0)


def infeasible(s, r):
    sheet = grid(18, 18, 1, 1)
    s.note["feasible"] = False
    far = r.uniform(0.2, 1.5)
    ends = [{"time": 0}, {"time": r.uniform(0.1, 1), "position": [0, -far, 0]}]
    corners = [0, 17, 18 * 17, 18 * 18 - 1]
    kind = r.randrange(3)
    if kind == 0:  # Corners pulled down around a ball
        if r.random() < 0.5:
            s.collider(shape="sphere", radius=0.3, pose={"position": [0, -0.32, 0]})
        else:
            s.solid(ball(16, 10, 0.3), (0, -0.32, 0))
        s.cloth(sheet, attachments=[{"particles": corners, "motion": {"keyframes": ends}}])
    elif kind == 1:  # Edges pulled apart beyond their length
        apart = [{"time": 0}, {"time": 0.5, "position": [0, 0, far]}]
        s.cloth(sheet, attachments=[{"particles": row_of(sheet, -0.5)}, {"particles": row_of(sheet, 0.5), "motion": {"keyframes": apart}}])
    else:  # Pins through a solid
        s.solid(box(0.4, 0.05, 0.4), (0, -0.2, 0))
        s.cloth(sheet, attachments=[{"particles": [18 * 9 + 9], "motion": {"keyframes": ends}}])


def mixed(s, r):
    fine = grid(31, 31, 0.03 * r.uniform(1, 3), 0.03 * r.uniform(1, 3))
    kind = r.randrange(3)
    s.note["fall"] = 0.03
    if kind == 0:  # Lace over a tarpaulin
        s.cloth(fine, (0, 0.06, 0), thickness=0.0004)
        s.cloth(grid(16, 16, 2, 2), thickness=r.choice([0.0004, 0.005, 0.01]), attachments=[{"particles": [0, 15, 240, 255]}])
    elif kind == 1:  # A small ball on a coarse sheet
        coarse = grid(6, 6, 1.5, 1.5)
        s.cloth(coarse, attachments=[{"particles": row_of(coarse, -0.75) + row_of(coarse, 0.75)}])
        s.cloth(ball(10, 7, 0.05), (0.1, 0.2, 0.1), constraints=[{"type": "distance"}, {"type": "volume", "pressure": 1}])
    else:  # A ribbon across a sheet
        s.cloth(grid(20, 20, 1, 1)), s.cloth(grid(60, 3, 0.9, 0.02), (0, 0.02, 0), thickness=0.001)
        s.note["fall"] = 0.7
        s.floor(-1.0)


def non_manifold(s, r):
    points, faces = s.sheet(12)
    points, faces = list(points), list(faces)
    for kind in r.sample(range(6), r.randint(1, 3)):
        a, b, c = r.choice(faces)
        if kind == 0:  # Three faces at an edge
            points.append(tuple((p + q) / 2 + d for p, q, d in zip(points[a], points[b], (0.0, 0.06, 0.0))))
            faces.append((a, b, len(points) - 1))
        elif kind == 1:  # Two sheets that meet in a vertex
            base = len(points)
            points += [tuple(p + d for p, d in zip(points[a], by)) for by in ((0.05, 0.05, 0), (0, 0.05, 0.05))]
            faces.append((a, base, base + 1))
        elif kind == 2:  # A face the other way round
            k = r.randrange(len(faces))
            faces[k] = faces[k][::-1]
        elif kind == 3:  # Vertices of no face
            points += [(r.uniform(-1, 1), 0.3, 0.0) for _ in range(3)]
        elif kind == 4:  # A face without an area, and one with a corner twice
            points.append(tuple((p + q) / 2 for p, q in zip(points[a], points[b])))
            faces += [(a, len(points) - 1, b), (a, a, c)]
        else:  # A face twice
            faces.append((a, b, c))
    mesh = s.cloth((points, faces), (0, 1, 0))["mesh"]
    if r.random() < 0.7:
        mesh["repair"] = True
    s.note.update(fall=0.5, refusable=True)
    s.floor(0)


def doubled(s, r):
    sheet, kind = s.sheet(12), r.randrange(3)
    s.note["fall"] = 0.4
    if kind == 0:  # Each face twice, the other way round: a file with two sides
        s.cloth((sheet[0], sheet[1] + [face[::-1] for face in sheet[1]]), (0, 0.6, 0))
        s.note["refusable"] = True
    elif kind == 1:  # Each face with vertices of its own: no sharing at all
        points = [sheet[0][i] for face in sheet[1] for i in face]
        cloth = s.cloth((points, [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(sheet[1]))]), (0, 0.6, 0))
        if r.random() < 0.5:
            cloth["mesh"]["weld"] = True
    else:  # The same object twice
        s.cloth(sheet, (0, 0.6, 0)), s.cloth(sheet, (0, 0.6, 0))
    s.floor(0)


def thin(s, r):
    kind, radius = r.randrange(3), r.choice([0.002, 0.005, 0.01])
    n = r.choice([12, 20])
    if kind == 0:  # A rod under a wide sheet
        s.collider(shape="capsule", radius=radius, half_height=0.8, pose={"position": [0, 0, 0], "axis": [1, 0, 0], "angle": 90})
        s.cloth(grid(n, n, 1, 1), (0.0, 0.05, 0.0), thickness=0.002)
        s.note["rods"] = [[[0, 0, -0.8], [0, 0, 0.8]]]
    elif kind == 1:  # Foil over a box
        s.solid(box(0.2, 0.2, 0.2), (0, -0.21, 0)), s.cloth(grid(n, n, 1, 1), thickness=0.0001)
    else:  # A sheet laid over two rods
        for x in (-0.3, 0.3):
            s.collider(shape="cylinder", radius=radius, half_height=0.8, pose={"position": [x, 0, 0], "axis": [1, 0, 0], "angle": 90})
        s.cloth(grid(n, n, 1, 1), (0.0, 0.05, 0.0), thickness=0.002)
        s.note["rods"] = [[[x, 0, -0.75], [x, 0, 0.75]] for x in (-0.3, 0.3)]
    s.note["fall"] = 0.01


KINDS = [touching, overlapping, crossing, inside, wrong_unit, heavy, infeasible, mixed, non_manifold, doubled, thin]


def start(seed, number):
    """The scene of that number; kinds take turns."""
    r, make = random.Random(seed * 1000003 + number), KINDS[number % len(KINDS)]
    made = Start(make.__name__, r)
    make(made, r)
    return made
