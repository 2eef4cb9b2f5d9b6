"""Progress: a bar on a terminal, plain lines elsewhere, and no colour without a terminal."""
import os
import pty
import select
import subprocess
import unittest

from command import BINARY, Case, cloth


class Progress(Case):
    def setUp(self):
        super().setUp()
        scene = cloth(frames=200)
        self.words = ["run", str(self.write_scene(scene)), "-o", str(self.folder / "out")]

    def test_plain_lines(self):
        lines = self.expect(0, *self.words).stderr.splitlines()
        self.assertEqual(len(lines), 10)
        for line in lines:
            self.assertRegex(line, r"^simulating: frame \d+ of 200 +\d+ %, [\d.]+ frames/s, [\d:]+ left$")

    def test_no_control_characters_without_a_terminal(self):
        result = self.expect(0, *self.words)
        for text in (result.stdout, result.stderr):
            self.assertNotIn("\033", text)
            self.assertNotIn("\r", text)

    def on_terminal(self, *words):
        """What stderr shows on a terminal of its own."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([BINARY, *words], stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(ours)
        self.assertEqual(process.wait(60), 0, shown)
        return shown.decode()

    def test_bar_on_a_terminal(self):
        shown = self.on_terminal(*self.words)
        self.assertIn("\r", shown)
        self.assertIn("[#", shown)
        self.assertIn("frames/s", shown)
        self.assertNotIn("\n", shown)
        self.assertTrue(shown.endswith("\r\033[K"))

    def test_quiet_on_a_terminal(self):
        self.assertEqual(self.on_terminal(*self.words, "--quiet"), "")


if __name__ == "__main__":
    unittest.main()
