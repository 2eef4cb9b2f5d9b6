"""Work that exceeds the budget ends in progress: where frame N takes more than 0.9 of `work_budget`, no frame from N + 100 on does, nothing is
stuck at the end but in scenes that are named here, and nothing crosses that the scene does not allow. The scenes are what froze in the reliability
report (R5): loose sheets of unlike density, wrung tubes, a sleeve in an elbow, a sock, and a plate that stays; and those of tests/hard that need
more frames for it than they have. test_hard_scenes.py judges the others by the same rule."""
import csv
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

BINARY = os.environ.get("PLIANT_BIN", "pliant")
SOURCE = pathlib.Path(os.environ.get("PLIANT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
HARD = SOURCE / "tests" / "hard"
FULL = 0.9   # Of the budget: a step that takes more is over it.
PRESSES = [*range(8), 9, 28, 45]  # Random ones, and three that once pushed cloth through the floor.
LATER = 100  # Frames after which no frame may be over it again.

# Why particles may still be stuck at the end, and the largest fraction of them.
STUCK_AT_THE_END = {
    "flat-pinch": (0.25, "two pinned borders are held past each other for good, and the sheet between them has no place to go"),
    "mass-ratio": (0.2, "light sheets rest under sheets a million times as heavy, which press all gaps shut"),
    "plate-stays": (0.15, "the plate stays pressed onto both sheets until the end"),
    "tight-band": (0.05, "the pins draw the band far below the girth of the ball, and what it presses has no place to go"),
}
# Scenes that `make check` runs, and their frames: those that were over the budget for longest, each past the time when they froze.
QUICK = {"links": 130, "row-in-the-way": 110, "plate-stays": 132, "tilted-box": 120, "sock": 110}
# Frames of the long form, where the file has too few to see 100 frames past what happens in it.
LONG = {"plate-on-plane": 170, "row-in-the-way": 200, "tight-band": 220, "flat-pinch": 220, "held-through-held": 220, "links": 300,
        "mass-ratio": 180, "wrung-tube": 300, "sleeve": 220}
# What moves goes back in these, so that nothing lags at the end.
GOES_BACK = {"plate-on-plane", "row-in-the-way", "tilted-box", "elbow"}
CLOTH = {"density": 0.2, "thickness": 0.004, "self_collision": True,
         "constraints": [{"type": "distance"}, {"type": "isometric", "rigidity": 1e-6}]}


def read(name):
    return json.loads((HARD / f"{name}.json").read_text())


def write_tube(path, rings, around):
    """A closed tube through rings of vertices, with a vertex at each end."""
    points = [p for ring in rings for p in ring]
    ends = [[sum(p[k] for p in ring) / around for k in range(3)] for ring in (rings[0], rings[-1])]
    faces = []
    for i in range(len(rings) - 1):
        for k in range(around):
            a, b, c, d = i * around + k, i * around + (k + 1) % around, (i + 1) * around + (k + 1) % around, (i + 1) * around + k
            faces += [(a, b, c), (a, c, d)]
    first, last, start = len(points), len(points) + 1, (len(rings) - 1) * around
    for k in range(around):
        faces += [(first, (k + 1) % around, k), (last, start + k, start + (k + 1) % around)]
    points += ends
    path.write_text("".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points) +
                    "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
    return points


def ring(centre, along, up, radius, around):
    """A ring of vertices about `centre`, across the unit vector `along`; `up` is one unit vector across it in the plane of x and y."""
    turns = [2 * math.pi * k / around for k in range(around)]
    return [[centre[0] + radius * math.cos(t) * up[0], centre[1] + radius * math.cos(t) * up[1],
             centre[2] + radius * math.sin(t)] for t in turns]


def bent_rings(length, radius, angle, count, around, bend):
    """Rings along the x axis that turn upwards by `angle` over the length `bend` about the middle, and the sum of lengths is kept."""
    rings, at, step = [], [-length / 2, 0.0], length / (count - 1)
    for i in range(count):
        s = -length / 2 + i * step
        turn = angle * min(1.0, max(0.0, (s + bend / 2) / bend))
        rings.append(ring([*at, 0.0], None, (-math.sin(turn), math.cos(turn)), radius, around))
        at = [at[0] + step * math.cos(turn), at[1] + step * math.sin(turn)]
    return rings


def write_cache(path, frames):
    flat = [p for frame in frames for p in frame]
    path.write_bytes(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(frames[0]), 0.0, 1.0, len(frames)) +
                     b"".join(struct.pack("<3f", *p) for p in flat))


def elbow(folder, yields="collider"):
    """An arm whose vertices are animated folds by 165 degrees in a sleeve and unfolds again. It stops at what it pinches, or passes into it."""
    count, around, poses = 20, 10, []
    for frame in range(151):
        angle = math.radians(165) * min(1.0, frame / 60, (150 - frame) / 60)
        poses.append(write_tube(folder / "arm.obj", bent_rings(0.6, 0.05, angle, count, around, 0.08), around))
    write_tube(folder / "arm.obj", bent_rings(0.6, 0.05, 0.0, count, around, 0.08), around)
    write_cache(folder / "arm.pc2", poses)
    sleeve = {**CLOTH, "name": "sleeve", "mesh": {"tube": {"around": 16, "along": 24, "radius": 0.058, "length": 0.44}},
              "pose": {"axis": [0, 0, 1], "angle": 90}, "attachments": [{"row": -1}]}
    arm = {"shape": "mesh", "mesh": {"file": "arm.obj"}, "animation": {"file": "arm.pc2"}, "yields": yields}
    return {"pliant": 1, "frames": 240, "deformables": [sleeve], "colliders": [arm]}


def elbow_of_a_character(folder):
    return elbow(folder, "auto")


def sock(folder):
    """A foot that moves by its pose is pushed into a sock that is too narrow and too short for it, and stays in it."""
    around, length = 18, 0.3
    rings = [ring([-length / 2 + length * i / 17, 0, 0], None, (0.0, 1.0), 0.05 if i else 0.02, around) for i in range(18)]
    points = [p for r in rings for p in r]
    end = len(points)
    points.append([-length / 2, 0, 0])
    faces = []
    for i in range(17):
        for k in range(around):
            a, b = i * around + k, i * around + (k + 1) % around
            faces += [(a, b, b + around), (a, b + around, a + around)]
    faces += [(end, (k + 1) % around, k) for k in range(around)]
    (folder / "sock.obj").write_text("".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points) +
                                     "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
    write_tube(folder / "foot.obj", bent_rings(0.4, 0.045, math.radians(70), 18, 12, 0.1), 12)
    cuff = list(range(17 * around, 18 * around))
    knit = {**CLOTH, "name": "sock", "mesh": {"file": "sock.obj"}, "attachments": [{"particles": cuff}]}
    foot = {"shape": "mesh", "mesh": {"file": "foot.obj"}, "pose": {"position": [0.42, 0, 0]},
            "motion": {"keyframes": [{"time": 0}, {"time": 1, "position": [-0.4, 0, 0]}]}}
    return {"pliant": 1, "frames": 220, "deformables": [knit], "colliders": [foot]}


def plate_stays(_):
    """The plate of plate-on-plane, which does not go up again."""
    scene = read("plate-on-plane")
    scene["colliders"][1]["motion"]["keyframes"] = scene["colliders"][1]["motion"]["keyframes"][:2]
    scene["frames"] = 240
    return scene


def tilted_box(_):
    """A box that is tilted by 3 degrees and narrower than triangles are long presses a sheet onto a plane, slides and goes up again."""
    sheet = {**CLOTH, "name": "sheet", "thickness": 0.003, "mesh": {"grid": {"columns": 10, "rows": 10, "width": 0.4, "depth": 0.4}},
             "pose": {"position": [0.0088, 0.02, -0.0008], "axis": [0, 1, 0], "angle": 3.6}}
    box = {"shape": "box", "half_extents": [0.15, 0.025, 0.15], "pose": {"position": [0, 0.25, 0], "axis": [1, 0, 0], "angle": 3},
           "motion": {"keyframes": [{"time": 0}, {"time": 0.6, "position": [0, -0.2944, 0]}, {"time": 0.9, "position": [0.1, -0.2944, 0]},
                                    {"time": 1.4}]}}
    return {"pliant": 1, "frames": 180, "deformables": [sheet], "colliders": [{"shape": "plane"}, box]}


def press(seed):
    """Something that moves by its pose presses sheets onto a floor, slides, may turn, and goes up again."""
    pick = random.Random(seed)
    thickness, side = pick.choice([0.003, 0.005, 0.01]), pick.choice([8, 10, 14])
    sheets = [{**CLOTH, "name": f"sheet{i}", "thickness": thickness,
               "mesh": {"grid": {"columns": side, "rows": side, "width": 0.4, "depth": 0.4}},
               "pose": {"position": [pick.uniform(-0.02, 0.02), 0.02 + (0.01 + 2 * thickness) * i, pick.uniform(-0.02, 0.02)],
                        "axis": [0, 1, 0], "angle": pick.uniform(0, 40)}} for i in range(pick.choice([1, 2, 3]))]
    floor = pick.choice([{"shape": "plane"},
                         {"shape": "mesh", "mesh": {"grid": {"columns": 4, "rows": 4, "width": 1, "depth": 1}}}])
    down, slide, turn = -pick.uniform(0.25, 0.45), pick.choice([0, 0.1]), pick.choice([0, 30])
    pressing = pick.choice([{"shape": "mesh", "mesh": {"grid": {"columns": 5, "rows": 5, "width": 0.3, "depth": 0.3}}},
                            {"shape": "mesh", "mesh": {"sphere": {"subdivisions": 3, "radius": 0.12}}},
                            {"shape": "box", "half_extents": [0.15, 0.025, 0.15]},
                            {"shape": "box", "half_extents": [0.2, 0.1, 0.2]}])
    pressing["pose"] = {"position": [0, 0.25, 0], "axis": pick.choice([[1, 0, 0], [0, 0, 1]]), "angle": pick.choice([0, 3, 10])}
    pressing["motion"] = {"keyframes": [{"time": 0}, {"time": 0.6, "position": [0, down, 0]},
                                        {"time": 0.9, "position": [slide, down, 0], "axis": [0, 1, 0], "angle": turn}, {"time": 1.4}]}
    return {"pliant": 1, "frames": 200, "deformables": sheets, "colliders": [floor, pressing]}


def wrung_further(_):
    """The tube of wrung-tube, twice as far in the same time, which then stays so."""
    scene = read("wrung-tube")
    for attachment, sign in zip(scene["deformables"][0]["attachments"], (-1, 1)):
        attachment["motion"]["keyframes"] = [{"time": k / 2, "axis": [0, 1, 0], "angle": sign * 144 * k} for k in range(6)]
    scene["frames"] = 240
    return scene


# Frames that are over the budget 100 frames behind the first that was, of scenes whose pins are pulled through one another for good.
OVER_AGAIN = {"held-through-held": 3, "links": 12}  # 1 and 7 were measured.

MADE = {"elbow": elbow, "elbow-of-a-character": elbow_of_a_character, "sock": sock, "plate-stays": plate_stays, "tilted-box": tilted_box,
        "wrung-further": wrung_further, **{f"press-{k}": lambda _, seed=k: press(seed) for k in PRESSES}}
GOES_BACK |= {f"press-{k}" for k in PRESSES}


def run(name, frames, folder):
    """The rows of a run, one for each frame, and its summary."""
    folder = pathlib.Path(folder)
    if name in MADE:
        scene = MADE[name](folder)
    else:
        scene = read(name)
        for mesh in HARD.glob("*.obj"):
            (folder / mesh.name).write_bytes(mesh.read_bytes())
    scene["frames"] = frames or scene["frames"]
    scene.pop("expect", None)
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    # A character passes into cloth that it pinches, which the step counts.
    verify = [] if name == "elbow-of-a-character" else ["--verify"]
    done = subprocess.run([BINARY, "run", path, "--json", "--quiet", *verify, "--format", "none", "-o", folder, "--record",
                           folder / "record.csv", "--threads", "1"], capture_output=True, text=True, timeout=1200)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stderr}")
    return list(csv.DictReader((folder / "record.csv").read_text().splitlines())), json.loads(done.stdout), scene


def judge(test, name, rows, summary, scene, whole):
    """What this file demands of a run of a scene; `whole`: of all its frames."""
    budget = scene.get("settings", {}).get("work_budget", 16)
    over = [int(row["frame"]) for row in rows if float(row["contact_work"] or 0) > FULL * budget]
    again = [n for n in over if n >= over[0] + LATER]
    test.assertLessEqual(len(again), OVER_AGAIN.get(name, 0),
                         f"frame {over[:1]} was over the budget before, of {len(over)} frames")
    if whole and over and name not in OVER_AGAIN:
        test.assertGreaterEqual(int(rows[-1]["frame"]), over[-1] + LATER, "the scene ends too early to tell")
    test.assertEqual(summary["status"], "done")
    if name in GOES_BACK:
        test.assertEqual(float(rows[-1]["tracking_error"]), 0.0)
    most, reason = STUCK_AT_THE_END.get(name, (0.0, "it is not named"))
    test.assertLessEqual(summary["contact"]["stuck"], most, reason)


class OverBudget(unittest.TestCase):
    def test_what_is_over_the_budget_is_not_so_for_good(self):
        quick = bool(os.environ.get("PLIANT_QUICK"))
        for name in QUICK if quick else [*MADE, *LONG]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                judge(self, name, *run(name, QUICK[name] if quick else LONG.get(name), folder), not quick)

    def test_each_scene_that_is_named_exists(self):
        names = {*MADE, *(p.stem for p in HARD.glob("*.json"))}
        self.assertEqual({*STUCK_AT_THE_END, *QUICK, *LONG, *GOES_BACK} - names, set())


if __name__ == "__main__":
    unittest.main()
