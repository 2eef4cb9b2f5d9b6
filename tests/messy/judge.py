#!/usr/bin/python3
"""Judges scenes that start as users' files do (starts.py), by caches and printed figures alone and with its own count of crossings.

    tests/messy/judge.py build/release/pliant                       all 308 starts; a table, and a line for each failure
    tests/messy/judge.py build/release/pliant --jobs 2 -o FILE       on two processors, kept in FILE
    tests/messy/judge.py build/release/pliant --count 22 --first 0   some of them
    tests/messy/judge.py build/release/pliant --only 17 --keep DIR   one, with its files

A start fails where
- the command crashes, or ends with neither a result nor a message that names what it refuses;
- edges pass through triangles in a frame for which the run reports no intersections and no pairs given up;
- something free has not moved within two seconds, by a tenth of the least that gravity would move it, and no message names it;
- something leaves faster than a fall and the motion of what moves it explain;
- a frame takes more than twice the work that work_budget allows, or the whole run more than 60 s of processor time.
Not judged are pairs that do not touch by what docs/contact.md says: parts that coincide at rest, and particles attached to a body with its collider.
Each third number is held out: its failures are counted, and shown with --held-out alone.
"""
import argparse
import concurrent.futures
import csv
import fractions
import itertools
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import starts

SEED, COUNT, SECONDS, BUDGET, EVERY = 20261128, 308, 60, 16, 6


def read_obj(path):
    faces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("f "):
            corners = [int(word.split("/")[0]) - 1 for word in line.split()[1:]]
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return np.array(faces, dtype=np.int64).reshape(-1, 3)


def read_pc2(path):
    """Frames x vertices x 3."""
    data = path.read_bytes()
    count, frames = np.frombuffer(data[16:20], "<i4")[0], np.frombuffer(data[28:32], "<i4")[0]
    return np.frombuffer(data[32:], "<f4")[:frames * count * 3].reshape(frames, count, 3)


def orient(a, b, c, d):
    """The sign of det(b - a, c - a, d - a) for rows of points; exact where doubles cannot tell."""
    a, b, c, d = (np.asarray(p, dtype=np.float64) for p in (a, b, c, d))
    u, v, w = b - a, c - a, d - a
    value = np.einsum("ij,ij->i", u, np.cross(v, w))
    size = np.prod([np.abs(x).sum(axis=1) for x in (u, v, w)], axis=0)
    sign = np.sign(value).astype(int)
    for i in np.nonzero(np.abs(value) <= 1e-14 * size)[0]:
        exact = [[fractions.Fraction(float(p[i][k])) - fractions.Fraction(float(a[i][k])) for k in range(3)] for p in (b, c, d)]
        (p, q, r), (s, t, o), (x, y, z) = exact
        whole = p * (t * z - o * y) - q * (s * z - o * x) + r * (s * y - t * x)
        sign[i] = (whole > 0) - (whole < 0)
    return sign


def edges_of(faces):
    return np.unique(np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1), axis=0)


def near(low_a, high_a, low_b, high_b):
    """Pairs (of a, of b) whose boxes overlap: sorted along x, then compared."""
    order = np.argsort(low_b[:, 0], kind="stable")
    starts_b, reach = low_b[order, 0], (high_b[:, 0] - low_b[:, 0]).max(initial=0.0)
    first, last = np.searchsorted(starts_b, low_a[:, 0] - reach), np.searchsorted(starts_b, high_a[:, 0], side="right")
    lengths = last - first
    i = np.repeat(np.arange(len(low_a)), lengths)
    j = order[np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths) + np.repeat(first, lengths)]
    meets = np.all((low_a[i] <= high_b[j]) & (low_b[j] <= high_a[i]), axis=1)
    return i[meets], j[meets]


def twins_of(points):
    """For each vertex the first one in its place; parts that coincide at rest do not touch (docs/contact.md), as at seams without a weld."""
    grain = 1e-6 * max(float(np.ptp(points, axis=0).max()), 1e-30)
    order = np.lexsort(np.round(points / grain).T)
    cells = np.round(points[order] / grain)
    fresh = np.concatenate([[True], (np.abs(np.diff(cells, axis=0)) > 1).any(axis=1)])
    twins = np.empty(len(points), dtype=np.int64)
    twins[order] = order[np.maximum.accumulate(np.where(fresh, np.arange(len(points)), 0))]
    return twins


def free_of(primitives, one, other):
    """Those without a particle that is attached to the body of the other, which does not touch its colliders (docs/contact.md)."""
    attached = one["attached"].get(other["body"])
    return primitives if not attached else primitives[~np.isin(primitives, attached).any(axis=1)]


def crossings(edges, points_e, faces, points_f, twins):
    """How many edges pass strictly through the inside of a triangle. Of one surface, whose `twins` are given, not those that share a place."""
    e, f = points_e[edges].astype(np.float64), points_f[faces].astype(np.float64)
    i, j = near(e.min(axis=1), e.max(axis=1), f.min(axis=1), f.max(axis=1))
    if twins is not None and len(i):
        shared = (twins[edges[i]][:, :, None] == twins[faces[j]][:, None, :]).any(axis=(1, 2))
        i, j = i[~shared], j[~shared]
    if not len(i):
        return 0
    a, b, p, q, r = e[i, 0], e[i, 1], f[j, 0], f[j, 1], f[j, 2]
    apart = orient(p, q, r, a) * orient(p, q, r, b) < 0
    a, b, p, q, r = (x[apart] for x in (a, b, p, q, r))
    turns = np.stack([orient(a, b, p, q), orient(a, b, q, r), orient(a, b, r, p)]) if len(a) else np.zeros((3, 0))
    return int((np.abs(turns.sum(axis=0)) == 3).sum())


def count_frame(frame, objects, rods):
    """Crossings of surfaces that may touch, and of the axes of thin rods with cloth."""
    total = 0
    for one, other in itertools.product(objects, objects):
        if one["role"] == "collider" and other["role"] == "collider":
            continue
        edges, faces = free_of(one["edges"], one, other), free_of(other["faces"], other, one)
        twins = one["twins"] if one is other else None
        total += crossings(edges, one["points"][frame], faces, other["points"][frame], twins)
    for rod in rods:
        for one in objects:
            total += crossings(np.array([[0, 1]]), np.array(rod, dtype=np.float64), one["faces"], one["points"][frame], None)
    return total


def load(folder, scene):
    """The summary, and the objects with all their frames; colliders of bodies come last."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    files = {name: folder / file for cache in summary["caches"] for name, file in zip(cache["objects"], cache["files"])}
    objects = []
    for one in summary["objects"]:
        faces, points = read_obj(folder / one["mesh"]), read_pc2(files[one["name"]])
        objects.append({"name": one["name"], "role": one["role"], "faces": faces, "edges": edges_of(faces), "points": points,
                        "twins": twins_of(points[0].astype(np.float64)), "attached": {}, "body": None})
    for one, made in zip(objects, scene["deformables"]):
        for attachment in made.get("attachments", []):
            if "body" in attachment:
                one["attached"].setdefault(attachment["body"], []).extend(attachment["particles"])
    bodies = [body["name"] for body in scene.get("bodies", [])]
    for one, name in zip([one for one in objects if one["role"] == "collider"][-len(bodies):] if bodies else [], bodies):
        one["body"] = name
    return summary, objects


def driven_speed(scene):
    """The largest speed that motions give anything [m/s]."""
    most = 0.0
    moving = [c.get("motion", {}) for c in scene.get("colliders", [])]
    moving += [a.get("motion", {}) for d in scene["deformables"] for a in d.get("attachments", [])]
    for motion in moving:
        keys = motion.get("keyframes", [])
        for a, b in zip(keys, keys[1:]):
            step = np.subtract(b.get("position", [0, 0, 0]), a.get("position", [0, 0, 0]))
            most = max(most, float(np.linalg.norm(step)) / (b["time"] - a["time"]))
        most = max(most, float(np.linalg.norm(motion.get("velocity", [0, 0, 0]))))
    return most


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 60, SECONDS + 70))


def judge(pliant, number, folder):
    """What is wrong with that start, as a list of sentences, and its figures."""
    made = starts.start(SEED, number)
    path, out = made.write(folder), pathlib.Path(folder) / "out"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([pliant, "run", str(path), "--record", str(pathlib.Path(folder) / "record.csv"), "--format", "pc2", "-o", str(out),
                           "--threads", "1"], text=True, capture_output=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said, wrong, figures = done.stdout + done.stderr, [], {"kind": made.kind, "seconds": seconds, "crossings": 0, "refused": False}
    if done.returncode not in (0, 1):
        return [f"ends with {done.returncode}"], figures
    if done.returncode == 1:
        figures["refused"] = True
        names = re.search(r"scene\.json|cloth-\d|body-\d|collider-\d", said)
        return ([] if names and made.note.get("refusable") else [f"refused: {said.strip()[-200:]}"]), figures
    summary, objects = load(out, made.scene)
    rows = list(csv.DictReader((pathlib.Path(folder) / "record.csv").open(encoding="utf-8")))
    frames = min(len(one["points"]) for one in objects)
    watched = [f for f in range(frames) if f % EVERY == 0 or f < 3 or f == frames - 1]
    for frame in watched:
        found = count_frame(frame, objects, made.note.get("rods", []))
        figures["crossings"] += found
        row = rows[frame] if frame < len(rows) else {}
        if frame > 0 and found and not (float(row.get("intersections") or 0) or float(row.get("failed_pairs") or 0)):
            wrong.append(f"{found} crossings in frame {frame}, and the run reports none")
            break
    wrong += motion_of(made, objects, summary, said, figures)
    work = max(float(row["contact_work"] or 0) for row in rows[1:])
    figures["work"], figures["strain"] = work, max((one.get("stretch") or {}).get("p99", 0.0) for one in summary["objects"])
    if work > 2 * BUDGET:
        wrong.append(f"a frame takes {work:.1f} usual steps of contact work")
    if seconds > SECONDS:
        wrong.append(f"{seconds:.0f} s of processor time")
    return wrong, figures


def motion_of(made, objects, summary, said, figures):
    """Whether what is free moves, and nothing is thrown."""
    wrong, scene = [], made.scene
    cloths = [one for one in objects if one["role"] == "deformable"]
    least = 0.1 * made.note["fall"]
    for one in cloths:
        travel = np.linalg.norm(one["points"] - one["points"][0], axis=2).max()
        if travel < least and not re.search(rf"(stuck|touch|does not move|held back)[^\n]*{one['name']}|{one['name']}[^\n]*(stuck|touch|does not move|held back)", said):
            wrong.append(f"{one['name']} moves by {travel:.2g} m in two seconds, where gravity moves it by {made.note['fall']:.2g}")
    low = min(float(one["points"][:, :, 1].min()) for one in cloths)
    high = max(float(one["points"][0, :, 1].max()) for one in cloths)
    speeds = [np.linalg.norm(np.diff(one["points"].astype(np.float64), axis=0), axis=2).max() * 60 for one in cloths]
    figures["speed"] = max(speeds)
    # A fall from the highest place to the lowest, what drives, and the rate at which overlaps part. Half of it more for swings; a sheet that
    # hangs by a row whips with its border at 2.6 times a fall's speed, as one of them alone does with four times the substeps.
    size = max(float(np.ptp(one["points"][0], axis=0).max()) for one in cloths)
    hangs = any("attachments" in made_of for made_of in scene["deformables"]) and "bodies" not in scene
    allowed = (3.0 if hangs else 1.5) * np.sqrt(2 * 9.81 * max(high - low, 0.5 * size)) + 2 * driven_speed(scene) + 2.0
    if figures["speed"] > allowed:
        wrong.append(f"moves at {figures['speed']:.1f} m/s, where {allowed:.1f} can be explained")
    return wrong


def judge_one(pliant, number, keep):
    with tempfile.TemporaryDirectory() as place:
        wrong, figures = judge(pliant, number, keep or place)
    return {"number": number, "wrong": wrong, **figures}


OUTCOMES = {"failed": lambda r: bool(r["wrong"]), "refused with a message": lambda r: not r["wrong"] and r["refused"],
            "simulated, no intersections": lambda r: not r["wrong"] and not r["refused"] and not r["crossings"],
            "simulated, intersections reported": lambda r: not r["wrong"] and not r["refused"] and r["crossings"] > 0,
            "99th percentile of strain above 20 %": lambda r: r.get("strain", 0.0) > 0.2}


def table(results):
    """Kinds by outcomes: starts that were seen while the engine was mended / starts held out."""
    heads = ["kind", "scenes", *OUTCOMES, "maximum work of a frame (budget 16)", "maximum processor time [s]"]
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    kinds = {kind.__name__: [r for r in results if r["kind"] == kind.__name__] for kind in starts.KINDS}
    for name, some in [(kind.replace("_", " "), some) for kind, some in kinds.items() if some] + [("all", results)]:
        thirds = [[r for r in some if (r["number"] % 3 == 2) == held] for held in (False, True)]
        cells = [" / ".join(str(sum(map(counts, third))) for third in thirds) for counts in (lambda r: True, *OUTCOMES.values())]
        most = [f"{max(r.get('work', 0.0) for r in some):.1f}", f"{max(r['seconds'] for r in some):.0f}"]
        lines.append("| " + " | ".join([name, *cells, *most]) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pliant")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", help="a folder for the files of --only")
    parser.add_argument("--held-out", action="store_true", help="show failures of the held-out third as well")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="a file for the results, a line of JSON each; those that it has are kept")
    options = parser.parse_args()
    numbers = [options.only] if options.only is not None else range(options.first, min(options.first + options.count * options.step, COUNT), options.step)
    known = options.output.read_text(encoding="utf-8").splitlines() if options.output and options.output.exists() else []
    results = [json.loads(line) for line in known]
    wanted = [n for n in numbers if n not in {r["number"] for r in results}]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(judge_one, options.pliant, n, options.keep) for n in wanted]):
            result = done.result()
            results.append(result)
            if options.output:
                with options.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(result, default=float) + "\n")
            if result["wrong"] and (result["number"] % 3 != 2 or options.held_out):
                print(f"start {result['number']} ({result['kind']}): " + "; ".join(result["wrong"]), flush=True)
            if options.only is not None:
                print(json.dumps(result, default=float))
    print(table(results))
    failed = sum(bool(r["wrong"]) for r in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
