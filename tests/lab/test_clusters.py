"""pliant-lab slurm and pliant-lab database: the job array of a study, and its table as a database."""
import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import BINARY, LAB, SweepCase, pliant


class Clusters(SweepCase):
    def script(self, study):
        return self.expect(0, "slurm", study, "-o", self.out, program=LAB).stdout

    def run_point(self, script, point):
        path = pathlib.Path(BINARY).resolve().parent
        subprocess.run(["bash"], input=script, text=True, check=True,
                       env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": str(point)})

    def test_the_script_runs_one_point(self):
        study = self.study({"settings.substeps": [1, 2, 3]})
        script = self.script(study)
        self.assertIn("#SBATCH --array=0-2\n", script)
        self.assertIn("#SBATCH --requeue\n", script)
        self.run_point(script, 1)
        self.assertEqual([row["status"] for row in self.table(study)], ["waiting", "done", "waiting"])

    def test_the_script_quotes(self):
        self.out = self.folder / "what's $HOME"
        study = self.study({"settings.substeps": [1]}).rename(self.folder / "it's; a study.json")
        script = self.script(study)
        self.assertIn("#SBATCH --job-name=it_s__a_study\n", script)
        self.run_point(script, 0)
        self.assertEqual([row["status"] for row in self.table(study)], ["done"])

    def test_the_script_names_a_folder_only_if_asked(self):
        study = self.study({"settings.substeps": [1]})
        self.assertNotIn("--output /", re.sub("#.*", "", self.expect(0, "slurm", study, program=LAB).stdout))
        self.assertIn("is no key of a study", self.expect(1, "slurm", self.study({"settings.substeps": [1]}, plugins=[]), program=LAB).stderr)

    def test_the_database_has_the_table(self):
        study = self.study({"settings.substeps": [5, 7], "settings.gravity": [[0, -1, 0]]}, frames=2)
        self.expect(0, "sweep", study, "-o", self.out, "-q")
        rows = self.table(study)
        made = self.expect_database("database", self.out / "table.csv")
        self.assertEqual(made, self.out / "table.db")
        with contextlib.closing(sqlite3.connect(made)) as database:
            found = database.execute('SELECT hash, "settings.substeps", kinetic_energy, status, message, "settings.gravity" FROM points '
                                     "ORDER BY point").fetchall()
        self.assertEqual(found, [(row["hash"], float(row["settings.substeps"]), float(row["kinetic_energy"]), "done", None,
                                  row["settings.gravity"]) for row in rows])
        other = self.folder / "other.db"
        self.assertEqual(self.expect_database("database", self.out / "table.csv", "-o", other), other)
        self.assertEqual(other.read_bytes(), made.read_bytes())
        self.assertIn("nowhere.csv", self.expect(1, "database", self.folder / "nowhere.csv", program=LAB).stderr)
        self.assert_whole(self.folder)

    def expect_database(self, *words):
        result = pliant(*words, program=LAB)
        if "needs SQLite" in result.stderr:
            self.skipTest("built without SQLite")
        self.assertEqual(result.returncode, 0, result.stderr)
        return pathlib.Path(result.stdout.strip())


if __name__ == "__main__":
    unittest.main()
