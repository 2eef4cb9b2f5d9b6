#!/usr/bin/env python3
"""Scenes that nobody has chosen: a seed gives sheets, tubes and balls over moving colliders, led, pulled, torn, under bodies, with
self-collision by surfaces. Nothing intersects at their start, so that nothing may in any frame, which `pliant run --verify` looks at.

    tests/scene/random_scenes.py build/release/pliant 0 400        the seeds from 0 to 399; prints those that fail
    tests/scene/random_scenes.py --print 17                        the scene of a seed
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

FRAMES = 50


def mesh_of(r):
    """A mesh, half its height and half its width [m]."""
    n = r.randint(8, 18)
    kind = r.choice(["grid", "grid", "grid", "tube", "sphere"])
    if kind == "grid":
        size = r.uniform(0.4, 1.0)
        return {"grid": {"columns": n, "rows": r.randint(8, 18), "width": size, "depth": r.uniform(0.4, 1.0),
                         "pattern": r.choice(["alternating", "diagonal", "crossed", "quads"])}}, 0.02
    if kind == "tube":
        return {"tube": {"around": n, "along": r.randint(5, 12), "radius": r.uniform(0.1, 0.25),
                         "length": r.uniform(0.3, 0.6)}}, 0.32
    radius = r.uniform(0.1, 0.2)
    return {"sphere": {"subdivisions": 2, "radius": radius}}, radius + 0.02


def motion_of(r, far):
    """Keyframes that lead somewhere and back."""
    keys = [{"time": 0}]
    for k in range(r.randint(1, 3)):
        keys.append({"time": 0.25 * (k + 1), "position": [round(r.uniform(-far, far), 3) for _ in range(3)],
                     "axis": r.choice([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), "angle": round(r.uniform(-90, 90))})
    return {"keyframes": keys + [{"time": 0.25 * (len(keys) + 1)}], "loop": True}


def deformable_of(r, k, height):
    mesh, half = mesh_of(r)
    bending = r.choice([{"type": "isometric", "rigidity": 10 ** r.uniform(-7, -4)},
                        {"type": "dihedral", "compliance": 10 ** r.uniform(-4, 0)},
                        {"type": "triangle", "compliance": 10 ** r.uniform(-4, 0)}])
    made = {"name": f"cloth-{k}", "mesh": mesh, "pose": {"position": [r.uniform(-0.1, 0.1), height + half, r.uniform(-0.1, 0.1)]},
            "density": r.uniform(0.05, 0.4), "thickness": r.choice([0.002, 0.006, 0.012]), "self_collision": True,
            "friction": r.uniform(0, 0.8),
            "constraints": [{"type": "distance", "compliance": 10 ** r.uniform(-8, -5)}, bending]}
    if r.random() < 0.4:
        made["tearing"] = {"stretch": r.uniform(1.05, 1.5), "most": r.randint(4, 40)}
    if "grid" in mesh and r.random() < 0.6:
        made["attachments"] = [{"row": row, **({"motion": motion_of(r, 0.3)} if r.random() < 0.6 else {}),
                                **({"until": r.uniform(0.2, 0.7)} if r.random() < 0.4 else {})}
                               for row in r.choice([[0], [0, -1], [-1]])]
    return made, height + 2 * half + 0.05


def collider_of(r):
    shape = r.choice(["sphere", "box", "mesh", "tapered_capsule"])
    made = {"shape": shape, "friction": r.uniform(0, 0.8), "pose": {"position": [r.uniform(-0.5, 0.5), 0.18, r.uniform(-0.5, 0.5)]}}
    if shape == "sphere":
        made["radius"] = r.uniform(0.05, 0.15)
    elif shape == "box":
        made["half_extents"] = [r.uniform(0.04, 0.15), r.uniform(0.02, 0.12), r.uniform(0.04, 0.15)]
    elif shape == "mesh":
        made["mesh"] = {"tube": {"around": 10, "along": 4, "radius": r.uniform(0.05, 0.14), "length": 0.2}}
    else:
        made.update(radius=0.06, top_radius=0.04, half_height=0.07)
    if r.random() < 0.6:
        made["motion"] = {"velocity": [r.uniform(-0.6, 0.6), r.uniform(0, 0.6), r.uniform(-0.6, 0.6)],
                          "axis": [0, 1, 0], "angular_speed": r.uniform(-200, 200)}
    return made


def scene_of(seed):
    """The scene of a seed. Deformables begin above one another, and colliders below all of them."""
    r = random.Random(seed)
    scene = {"pliant": 1, "title": f"Random scene {seed}", "frames": FRAMES,
             "settings": {"substeps": r.choice([4, 8, 12]), "damping": r.uniform(0, 1),
                          "gravity": [0, -9.81, 0] if r.random() < 0.9 else [0, 0, 0]},
             "deformables": [], "colliders": [{"shape": "plane", "friction": r.uniform(0, 0.8)}]}
    height = 0.4
    for k in range(r.randint(1, 3)):
        made, height = deformable_of(r, k, height)
        scene["deformables"].append(made)
    scene["colliders"] += [collider_of(r) for _ in range(r.randint(0, 2))]
    if r.random() < 0.4:
        scene["bodies"] = [{"name": "weight", "shape": "box", "half_extents": [0.06, 0.04, 0.05], "mass": 10 ** r.uniform(-1.5, 1),
                            "friction": 0.4, "pose": {"position": [0, height + 0.2, 0]}, "velocity": [0, -r.uniform(0, 3), 0]}]
    return scene


def run(binary, seed, threads=1):
    """None, or what `pliant run --verify` says of the first frame with an intersection."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"random-{seed}.json"
        path.write_text(json.dumps(scene_of(seed), indent=1))
        done = subprocess.run([binary, "run", str(path), "--verify", "--quiet", "--format", "none", "--threads", str(threads),
                               "-o", str(pathlib.Path(folder) / "out")], capture_output=True, text=True, timeout=600)
        return None if done.returncode == 0 else f"seed {seed}: exit {done.returncode}: {done.stderr.strip()[-600:]}"


def main():
    if sys.argv[1] == "--print":
        print(json.dumps(scene_of(int(sys.argv[2])), indent=1))
        return 0
    first, end = int(sys.argv[2]), int(sys.argv[3])
    failed = 0
    for seed in range(first, end):
        said = run(sys.argv[1], seed)
        failed += said is not None
        if said:
            print(said, flush=True)
    print(f"{end - first} scenes, {failed} with an intersection or an error")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
