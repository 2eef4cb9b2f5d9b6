"""The animated glTF passes Khronos' validator and plays in three.js."""
import json
import os
import subprocess

from recording import FRAMES, check, folder, modules, record

with folder() as out:
    expected = record(out)
    result = subprocess.run(["node", os.path.join(modules(), "play.mjs"), f"{out}/first.gltf", str(FRAMES)],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(result.stdout[-3000:] + result.stderr[-3000:])
    found = json.loads(result.stdout)
    print("validator:", found["validator"])
    assert found["validator"]["numErrors"] == 0 and found["validator"]["numWarnings"] == 0, found["validator"]
    check("three.js", found["frames"], expected)
