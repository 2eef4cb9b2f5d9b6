"""Runs that are killed at any moment go on, again and again, to the bits of a run that was not.

Moments are drawn from one seed, but what a run has then done depends on the machine: every moment must do.
"""
import json
import random
import signal
import subprocess
import time
import unittest

from faults import BINARY, LONG, Case, cloth

KILLS = 200 if LONG else 20
CHAIN = 5  # Kills of one run before it is let go on to its end.
FORMATS = ["pc2", "mdd", "gltf", "usda", "obj"]  # VTKHDF is written in place: docs/reliability.md.


class Kills(Case):
    def test_resumed_to_the_same_bits(self):
        scene = cloth(frames=40)
        scene["deformables"][0]["mesh"]["grid"].update(columns=20, rows=20)
        words = ["run", self.write_scene(scene), "-t", "1", "--format", ",".join(FORMATS), "--checkpoint-every", "4"]
        whole, broken = self.folder / "whole", self.folder / "broken"
        start = time.monotonic()
        expected = self.run_json(*words, "-o", whole)
        span, moments, kills, chain = time.monotonic() - start, random.Random(21), 0, 0
        while kills < KILLS:
            process = subprocess.Popen([BINARY, *map(str, words), "-o", str(broken), "--resume", "-q"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                _, errors = process.communicate(timeout=moments.uniform(0, span))
                self.assertEqual(process.returncode, 0, errors)
                continue
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
            kills += 1
            if kills % CHAIN == 0:
                self.assert_goes_on(words, broken, whole, expected)
                chain += 1
                broken = self.folder / f"broken{chain}"
        print(f"Kills: {kills} kills, {chain} runs of {CHAIN} kills each went on to {expected['hash']}")

    def assert_goes_on(self, words, broken, whole, expected):
        resumed = json.loads(self.expect(0, *words, "-o", broken, "--resume", "--json").stdout)
        self.assertEqual((resumed["hash"], resumed["frame"]), (expected["hash"], expected["frame"]))
        names = sorted(path.name for path in whole.iterdir())
        self.assertEqual(sorted(path.name for path in broken.iterdir()), names)
        for name in names:
            if name != "summary.json":  # It tells times.
                self.assertEqual((broken / name).read_bytes(), (whole / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
