"""Every shipped scene gives its pinned hash, on two threads. lab/tools/determinism-matrix does so in every build."""
import os
import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE_DIR"])


class Scenes(unittest.TestCase):
    def test_hashes_are_pinned(self):
        words = [SOURCE / "lab/tools/determinism-matrix", "--here", os.environ["PLIANT_BUILD_DIR"]]
        done = subprocess.run(words, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"^\d\d scenes are as pinned$")


if __name__ == "__main__":
    unittest.main()
