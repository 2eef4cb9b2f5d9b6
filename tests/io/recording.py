"""A short run recorded in every format, and its frames read by nothing of Pliant's."""
import os
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
               "--format", "obj,ply,pc2,mdd,gltf,vtkhdf"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return pc2(f"{folder}/first.pc2")


def pc2(path):
    data = open(path, "rb").read()
    magic, version, points, _, _, frames = struct.unpack("<12siiffi", data[:32])
    assert magic == b"POINTCACHE2\0" and version == 1, (magic, version)
    return np.frombuffer(data, "<f4", 3 * points * frames, 32).reshape(frames, points, 3)


def mdd(path):
    data = open(path, "rb").read()
    frames, points = struct.unpack(">ii", data[:8])
    return np.frombuffer(data, ">f4", 3 * points * frames, 8 + 4 * frames).reshape(frames, points, 3)


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
