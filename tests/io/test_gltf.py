"""The animated glTF passes Khronos' validator and plays in three.js."""
import json
import os
import shutil
import subprocess

from recording import FRAMES, check, folder, record

here = os.path.dirname(os.path.abspath(__file__))
modules = os.path.join(os.environ["PLIANT_BUILD_DIR"], "js")
os.makedirs(modules, exist_ok=True)
for name in ("package.json", "package-lock.json", "play.mjs"):
    shutil.copy(os.path.join(here, "js", name), modules)
if not os.path.isdir(os.path.join(modules, "node_modules", "three")):
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=modules, check=True)

with folder() as out:
    expected = record(out)
    result = subprocess.run(["node", os.path.join(modules, "play.mjs"), f"{out}/first.gltf", str(FRAMES)],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(result.stdout[-3000:] + result.stderr[-3000:])
    found = json.loads(result.stdout)
    print("validator:", found["validator"])
    assert found["validator"]["numErrors"] == 0 and found["validator"]["numWarnings"] == 0, found["validator"]
    check("three.js", found["frames"], expected)
