"""pliant-lab validate: the short version of all checks, their verdicts against their numbers, and how the command behaves."""
import csv
import json
import math
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import LAB, LabCase, interrupted


def passes(row):
    if row["rule"] == "within":
        return abs(row["measured"] - row["closed_form"]) <= row["bar"] * abs(row["closed_form"])
    return row["measured"] <= row["bar"] if row["rule"] == "at most" else row["measured"] >= row["bar"]


class Validate(LabCase):
    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "ten times as long under sanitizers, which see the same code by test_some")
    def test_short_version_of_all(self):
        result = self.expect(0, "validate", "--quick", "--json", "-o", self.folder)
        checks = json.loads(result.stdout)
        listed = json.loads(self.expect(0, "validate", "list", "--json").stdout)
        self.assertEqual([check["check"] for check in checks], [row["name"] for row in listed])
        for check in checks:
            self.assertIn(check["check"], result.stderr, "progress names every check")
            with self.subTest(check["check"]):
                self.verdicts_follow(check)
                self.files_are_whole(check)
        page = (self.folder / "validation.md").read_text()
        for name in re.findall(r"\]\(([^)#]+)\)", page):
            self.assertTrue((self.folder / name).is_file(), name)
        self.assert_whole(self.folder)

    @unittest.skipUnless("ASAN_OPTIONS" in os.environ, "test_short_version_of_all has them")
    def test_some(self):
        for name in ("conservation", "cylinder", "drape", "hanging-sheets", "kappa", "stick-slip", "terminal-speed"):
            with self.subTest(name):
                check, = json.loads(self.expect(0, "validate", name, "--quick", "--json", "-o", self.folder).stdout)
                self.verdicts_follow(check)
                self.files_are_whole(check)

    def test_the_last_line_counts(self):
        said = self.expect(0, "validate", "kappa", "--quick", "-o", self.folder).stdout
        rows = re.findall(r"  (pass|miss, known)  ", said)
        self.assertEqual(said.splitlines()[-1], f"{rows.count('pass')} rows pass, {rows.count('miss, known')} miss as is known. "
                                                f"Reasons and plots are in {self.folder}/validation")

    def verdicts_follow(self, check):
        self.assertGreater(len(check["rows"]), 0)
        self.assertEqual(check["surprises"], 0, json.dumps(check["rows"], indent=1))
        self.assertEqual(check["passing"], sum(row["pass"] for row in check["rows"]))
        for row in check["rows"]:
            self.assertTrue(math.isfinite(row["measured"]) and math.isfinite(row["bar"]), row)
            self.assertEqual(row["pass"], passes(row), row)
            self.assertEqual(row["pass"], row["expected"], row)
            self.assertEqual(bool(row["why"]), not row["expected"], "a known miss has its reason")
            if row["rule"] == "within":
                self.assertAlmostEqual(row["error"], row["measured"] / row["closed_form"] - 1.0, places=6)

    def files_are_whole(self, check):
        folder = self.folder / "validation" / check["check"]
        self.assertEqual(json.loads((folder / "verdict.json").read_text()), check)
        report = (folder / "report.md").read_text()
        for row in check["rows"]:
            self.assertIn(row["row"], report)
            if row["why"]:
                self.assertIn(row["why"], report)
        for name in check["files"]:
            if name.endswith(".csv"):
                rows = list(csv.reader((folder / name).read_text().splitlines()))
                self.assertGreater(len(rows), 1, name)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)

    def test_one_as_a_table(self):
        text = self.expect(0, "validate", "spring", "-o", self.folder).stdout
        for word in ("measured", "closed form", "error", "bar", "verdict", "pass", "miss, known"):
            self.assertIn(word, text)
        self.assertEqual(self.expect(0, "validate", "spring", "--quiet", "-o", self.folder).stdout, "")
        self.assertFalse((self.folder / "validation.md").exists())

    def test_wrong_use(self):
        result = self.expect(2, "validate", "cantilver")
        self.assertIn("cantilever", result.stderr)
        blocked = self.folder / "file"
        blocked.write_text("")
        self.assertIn(str(blocked), self.expect(1, "validate", "spring", "-o", blocked).stderr)
        help_text = self.expect(0, "validate", "--help").stdout
        for word in ("exit status", "miss, known", "validate list"):
            self.assertIn(word, help_text)

    def test_stopping_keeps_what_is_done(self):
        """SIGINT while a check runs: those before it are whole, its own report is not there."""
        code, output, messages = interrupted("validate", "--json", "-o", self.folder, timeout=120, program=LAB)
        self.assertEqual(code, 1)
        self.assertIn("stopped", messages)
        done = [check["check"] for check in json.loads(output)]
        left = sorted(path.name for path in (self.folder / "validation").iterdir() if any(path.iterdir()))
        self.assertEqual(sorted(done), left)
        self.assertFalse((self.folder / "validation.md").exists())

    def test_a_long_check_stops_at_its_next_step(self):
        """Minutes before it tells of progress for the first time."""
        code, _, messages = interrupted("validate", "lateral-buckling", "-o", self.folder, program=LAB)
        self.assertEqual(code, 1)
        self.assertIn("stopped", messages)


if __name__ == "__main__":
    unittest.main()
