"""A short run recorded in every format, and its frames read by nothing of Pliant's."""
import fcntl
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np

PLIANT = os.environ["PLIANT_BIN"]
SOURCE = os.environ["PLIANT_SOURCE_DIR"]
FRAMES = 8


def record(folder):
    """Runs a small cloth; returns positions [frame, vertex, 3] from the PC2 file's own bytes."""
    command = [PLIANT, "run", f"{SOURCE}/scenes/first.json", "-o", folder, "--frames", str(FRAMES), "--quiet",
               "--set", "deformables.0.mesh.grid.columns=9", "--set", "deformables.0.mesh.grid.rows=7",
               "--format", "obj,ply,pc2,mdd,gltf,glb,vtkhdf"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return pc2(f"{folder}/first.pc2")


def scene(out, **changes):
    """A sheet with texture coordinates that falls past a box at rest, one that starts after some frames and one that is always led."""
    with open(f"{out}/sheet.obj", "w", encoding="utf-8") as file:
        file.write("v 0 1 0\nv 1 1 0\nv 0 1 1\nv 1 1 1\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nvt .5 .5\n"
                   "f 1/1 3/3 2/2\nf 2/5 3/3 4/4\n")
    value = {
        "pliant": 1, "frames": 8,
        "deformables": [{"name": "sheet-1", "mesh": {"file": "sheet.obj"}, "constraints": [{"type": "distance"}],
                         "look": {"front": [0.1, 0.2, 0.3]}}],
        "colliders": [{"shape": "mesh", "mesh": {"file": "sheet.obj"}, "pose": {"position": [5, 0, 0]}},
                      {"shape": "mesh", "mesh": {"file": "sheet.obj"}, "pose": {"position": [9, 0, 0]},
                       "motion": {"keyframes": [{"time": 0.05}, {"time": 1, "position": [0, 2, 0]}]}}],
        "output": {"formats": ["usda", "pc2"]},
    }
    value.update(changes)
    path = f"{out}/usd-test.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path


def run(path, out, *words):
    result = subprocess.run([PLIANT, "run", path, "-o", out, "--quiet", *words], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def pc2(path):
    data = open(path, "rb").read()
    magic, version, points, _, _, frames = struct.unpack("<12siiffi", data[:32])
    assert magic == b"POINTCACHE2\0" and version == 1, (magic, version)
    return np.frombuffer(data, "<f4", 3 * points * frames, 32).reshape(frames, points, 3)


def mdd(path):
    data = open(path, "rb").read()
    frames, points = struct.unpack(">ii", data[:8])
    return np.frombuffer(data, ">f4", 3 * points * frames, 8 + 4 * frames).reshape(frames, points, 3)


def modules():
    """The folder with readers in JavaScript and what they need from npm, installed once by whoever comes first."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "js")
    there = os.path.join(os.environ["PLIANT_BUILD_DIR"], "js")
    os.makedirs(there, exist_ok=True)
    with open(f"{there}/lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in sorted(os.listdir(here)):
            if not os.path.isdir(f"{here}/{name}"):
                shutil.copy(f"{here}/{name}", there)
        if not all(os.path.isdir(f"{there}/node_modules/{name}") for name in ("three", "gltf-validator", "tinyusdz")):
            subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=there, check=True)
    return there


def check(name, found, expected, tolerance=1e-5):
    found = np.asarray(found, float)
    if found.shape != expected.shape:
        sys.exit(f"{name}: shape {found.shape}, expected {expected.shape}")
    error = float(np.abs(found - expected).max())
    print(f"{name}: largest difference {error:.2g} m")
    if not error <= tolerance:
        sys.exit(f"{name}: differs by {error}, allowed {tolerance}")


def folder():
    return tempfile.TemporaryDirectory(prefix="pliant-io-")
