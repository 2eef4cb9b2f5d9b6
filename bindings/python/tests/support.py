"""What the tests share: where the repository is, a hanging cloth, and the command's own answers."""
import json
import os
import pathlib
import subprocess
import tempfile

from pliant import Mesh, World

ROOT = pathlib.Path(os.environ.get("PLIANT_ROOT", pathlib.Path(__file__).resolve().parents[3]))
COMMAND = pathlib.Path(os.environ.get("PLIANT_BIN", ROOT / "build/release/pliant"))


def hanging(size=12, **settings):
    """A cloth that hangs by two corners over a ball; deterministic."""
    world = World(**{"substeps": 8, **settings})
    cloth = world.add_deformable(Mesh.grid(size, size, 1.0, 1.0), name="cloth", self_collision=True)
    cloth.add_constraints("distance")
    cloth.add_constraints("isometric", rigidity=1e-4)
    cloth.attach([0, size - 1])
    world.add_collider("sphere", radius=0.2, pose=(0, -0.3, 0))
    return world


def command_hash(scene, frames, *options):
    """The hash that `pliant run` prints."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([COMMAND, "run", scene, "-n", str(frames), "-o", folder, "-f", "obj", "--json", "-q", *options],
                              capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["hash"]
