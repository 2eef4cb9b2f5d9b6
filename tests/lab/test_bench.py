"""pliant-lab bench: selection, files and comparison. What is asserted are results, never times."""
import csv
import io
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import BINARY, LAB, SOURCE, LabCase

SMALL = ["--filter", "scene/distance+dihedral/10/16x1", "--repetitions", "1", "--quiet"]
COLUMNS = ["case", "unit", "median", "least", "most", "limit", "ratio", "bandwidth_limit", "vertices", "projections",
           "stretch_rms", "stretch_max", "residual_rms", "residual_max", "contacts", "bytes_per_vertex", "hash",
           "repetitions", "threads", "cpu_median", "cpu_least"]
STAGES = [f"{stage}_ms" for stage in ("forces", "damping", "predict", "contacts", "project", "velocities", "friction",
                                      "ccd", "publish")]


class Bench(LabCase):
    def names(self, *words):
        return self.run_json("bench", "--list", *words)

    def test_lists_what_there_is(self):
        usual, full, quick = self.names(), self.names("--full"), self.names("--quick")
        for group in ("typical/ball-10k/", "typical/crowd-50x300/", "typical/remeshed-300k/", "machine/triad/", "micro/distance/", "micro/dihedral/", "scene/distance+isometric/",
                      "scene/cloth-1M/", "scene/fabric-of-2010/", "scene/cloth-16k-in-wind/", "cook/"):
            self.assertTrue(any(name.startswith(group) for name in usual), group)
        self.assertEqual(len(set(full)), len(full))
        self.assertLessEqual(set(usual), set(full))
        self.assertLess(len(quick), len(usual))
        self.assertEqual(self.expect(0, "bench", "--list").stdout.split(), usual)

    def test_filters(self):
        for name in self.names("--filter", "dihedral 100"):
            self.assertTrue("dihedral" in name and "100" in name, name)
        both = self.names("--filter", "micro/stick", "--filter", "cook/mesh")
        self.assertEqual({name.split("/")[1] for name in both}, {"stick", "mesh"})
        self.assertTrue(self.names("--filter", "layers-246k"), "what only --full has is found by its name")

    def test_nothing_fits(self):
        result = self.expect(2, "bench", "--filter", "xyzzy")
        self.assertIn("xyzzy", result.stderr)
        for group in ("machine/triad", "micro/distance", "scene/distance+dihedral", "cook/mesh"):
            self.assertIn(group, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_one_case(self):
        document = self.run_json("bench", *SMALL)
        self.assertTrue(document["complete"])
        for key in ("solver", "processor", "cores", "caches", "compiler", "flags", "widths", "date", "load"):
            self.assertTrue(document["machine"][key], key)
        row, = document["cases"]
        self.assertEqual(row["vertices"], 100)
        edges = 2 * 10 * 9 + 9 * 9
        # One iteration goes back and forth: two sweeps in each of 16 substeps.
        self.assertEqual(row["projections"], 2 * 16 * (edges + edges - 4 * 9))
        self.assertEqual(row["repetitions"], 1)
        self.assertTrue(0 < row["least"] <= row["median"] <= row["most"])
        self.assertTrue(row["limit"] > 0 and row["bandwidth_limit"] > 0)
        self.assertAlmostEqual(row["ratio"], row["median"] / row["limit"], delta=1e-3 * row["ratio"])
        self.assertTrue(0 < row["stretch_rms"] <= row["stretch_max"] < 0.1, row)
        self.assertTrue(0 < row["residual_rms"] <= row["residual_max"] < 1, row)
        self.assertRegex(row["hash"], "^[0-9a-f]{16}$")

    def test_widths_and_threads_agree(self):
        """Same constraints, same state, whatever it is computed with."""
        for group in ("micro/distance/100/grid", "micro/distance/100/lists", "scene/distance+triangle/100/16x1"):
            rows = self.run_json("bench", "--filter", group, "--repetitions", "1", "--quiet")["cases"]
            self.assertGreaterEqual(len(rows), 2, "widths or threads")
            self.assertEqual(len({(row["hash"], row["projections"], row["stretch_max"]) for row in rows}), 1)

    def test_typical_scenes(self):
        """Scenes as people have them: whole frames with their stages, in contact, the same with one thread and with two."""
        rows = self.run_json("bench", "--quick", "--filter", "typical/", "--quiet")["cases"]
        self.assertGreaterEqual(len(rows), 4)
        for row in rows:
            self.assertEqual(len(row["frame_ms"]), row["repetitions"])
            self.assertEqual(min(row["frame_ms"]), row["least"])
            self.assertTrue(0 < row["cpu_least"] <= row["cpu_median"])
            mean = sum(row["frame_ms"]) / len(row["frame_ms"])
            stages = sum(row[stage] for stage in STAGES)
            self.assertTrue(0 < stages < 1.01 * mean, row["case"])
            if row["threads"] == 1:  # The wall's time of the stages covers the processor's of the step.
                self.assertGreater(stages, 0.5 * sum(row["frame_cpu_ms"]) / len(row["frame_cpu_ms"]), row["case"])
            self.assertGreater(row["contacts"], 10, row["case"])
            self.assertLess(row["stretch_rms"], 1, row["case"])
        for one, two in zip(rows[::2], rows[1::2]):
            self.assertEqual((one["threads"], two["threads"]), (1, 2))
            self.assertEqual(one["case"].removesuffix("1-thread"), two["case"].removesuffix("2-threads"))
            self.assertEqual((one["hash"], one["projections"]), (two["hash"], two["projections"]), one["case"])

    def test_company_counts(self):
        """What acts on a cloth changes its state, the same with one thread and with two."""
        words = [word for scene in ("cloth-16k/20x1", "cloth-16k-in-wind")
                 for word in ("--filter", f"scene/{scene}")]
        rows = self.run_json("bench", *words, "--repetitions", "1", "--quiet")["cases"]
        self.assertEqual(len(rows), 4)
        self.assertEqual(len({row["hash"] for row in rows}), 2)

    def test_csv(self):
        path = self.folder / "results.csv"
        text = self.expect(0, "bench", *SMALL, "--csv", path).stdout
        self.assertIn("scene/distance+dihedral/10/16x1/1-thread", text)
        lines = path.read_text().splitlines()
        head = [line for line in lines if line.startswith("# ")]
        self.assertTrue(any(line.startswith("# processor: ") for line in head))
        rows = list(csv.DictReader(io.StringIO("\n".join(lines[len(head):]))))
        self.assertEqual(list(rows[0]), COLUMNS + STAGES + ["summary"])
        self.assertEqual(len(rows), 1)
        self.assertGreater(float(rows[0]["median"]), 0)
        self.assert_whole(self.folder)

    def test_compares_with_csv_and_json(self):
        path = self.folder / "before.csv"
        document = self.run_json("bench", *SMALL, "--csv", path)
        (self.folder / "before.json").write_text(json.dumps(document))
        row = document["cases"][0]
        slow = self.edited(document, median=1e6, least=1e6, most=1e6, hash="0" * 16)
        fast = self.edited(document, median=1e-6, least=1e-6, most=1e-6)
        wide = self.edited(document, least=1e-6, most=1e6)
        for name, verdict, same in ((path.name, None, True), ("before.json", None, True), (slow, "faster", False),
                                    (fast, "slower", True), (wide, "within the spread", True)):
            now = self.run_json("bench", *SMALL, "--compare", self.folder / name)["cases"][0]
            self.assertIs(now["same_state"], same)
            if verdict:
                self.assertEqual(now["verdict"], verdict)
            else:
                self.assertAlmostEqual(now["change"], now["median"] / row["median"], delta=1e-3 * now["change"])
        self.assertIn("faster, another state", self.expect(0, "bench", *SMALL, "--compare", self.folder / slow).stdout)

    def edited(self, document, **changes):
        name = f"{len(list(self.folder.iterdir()))}.json"
        (self.folder / name).write_text(json.dumps({**document, "cases": [{**document["cases"][0], **changes}]}))
        return name

    def test_bad_files(self):
        cases = {"empty.csv": ("", "no results"), "text.csv": ("hello\n", "text.csv:1"),
                 "short.csv": ("case,median\nx\n", "short.csv:2"), "bad.json": ("{\n nonsense", "bad.json:2"),
                 "none.json": ("{}", "no results"), "word.csv": ("case,median\nx,many\n", "no results")}
        for name, (text, hint) in cases.items():
            (self.folder / name).write_text(text)
            result = self.expect(1, "bench", *SMALL, "--compare", self.folder / name)
            self.assertIn(hint, result.stderr, name)
            self.assertEqual(result.stdout, "")
        self.assertIn("nowhere.csv", self.expect(1, "bench", *SMALL, "--compare", "nowhere.csv").stderr)
        self.assertIn("nowhere", self.expect(1, "bench", *SMALL, "--csv", "nowhere/at/all.csv").stderr)

    def test_page(self):
        """docs/performance.md from results: typical scenes first, goals are judged, and peers of another day stay apart."""
        path, page, peer = (self.folder / name for name in ("results.csv", "page.md", "peer.csv"))
        self.expect(0, "bench", *SMALL, "--csv", path)
        columns = COLUMNS + STAGES + ["summary"]
        row = dict(zip(columns, path.read_text().splitlines()[-1].split(",")))
        for median, verdict in ((2.59, "yes"), (2.61, "**no**")):
            goal = {**row, "case": "scene/distance+dihedral/100/16x1/1-thread", "median": str(median), "ratio": "1.5"}
            strains = [{**row, "case": f"strain/grid-10k/{steps}/swept", "median": str(time), "stretch_rms": str(strain)}
                       for steps, time, strain in (("8x1", 1, 0.08), ("16x1", 2, 0.02))]
            windy = [{**goal, "case": f"scene/cloth-16k-in-wind/20x1/{threads}", "median": str(time)}
                     for threads, time in (("1-thread", 3), ("2-threads", 1.5))]
            scene = [{**row, "case": f"typical/ball-10k/{threads}", "median": str(time), "least": "1", "summary": "a ball",
                      "contacts": "7", "project_ms": "3", "contacts_ms": "1"}
                     for threads, time in (("1-thread", 4), ("2-threads", 2))]
            text = path.read_text() + "".join(",".join(added[column] for column in columns) + "\n"
                                              for added in (goal, *windy, *scene, *strains))
            (self.folder / "both.csv").write_text(text)
            peer.write_text("# solver: Other 1\n# date: today\ncase,unit,median,least,most\n"
                            f"scene/distance+dihedral/10/16x1/1-thread,ms,{3 * float(row['median'])},1,2\n")
            peer.write_text(peer.read_text().replace("least,most", "least,most,stretch_rms").replace(",1,2\n", ",1,2,0\n") +
                            "strain/grid-10k/1x8/swept,ms,10,1,2,0.16\nstrain/grid-10k/1x32/swept,ms,40,1,2,0.01\n")
            subprocess.run([sys.executable, SOURCE / "lab/tools/performance-page", "--results", self.folder / "both.csv",
                            "--peer", peer, "--output", page], check=True, timeout=60)
            lines = page.read_text().splitlines()
            judged, = [line for line in lines if line.startswith("| frame, distance+dihedral, 16x1, 100^2, 1 thread")]
            self.assertTrue(judged.endswith(f"| 1.50 | {verdict} |"), judged)
            self.assertTrue(any(line.startswith("| the same in wind |") and line.endswith("| 1.50 | 2.00 |") for line in lines))
            heads = [line for line in lines if line.startswith("## ")]
            self.assertEqual(heads[0], "## What fits into a frame")
            self.assertIn("## Typical scenes", heads[2])
            first, ball = [line for line in lines if line.startswith("| a ball |")]
            most = f"{float(row['most']):.{2 if float(row['most']) >= .1 else 4}f}"
            # 100 vertices in 2 ms are 833 in a sixtieth of a second.
            self.assertEqual(first, f"| a ball | {row['vertices']} | 4.00 | {most} | 2.00 | {most} | 830 | 1 |")
            self.assertTrue(any(line.startswith("**Contact dominates the cost**: it takes 25 % ") for line in lines))
            self.assertTrue(any("Other 1 took 3.0 to 3.0 times" in line for line in lines))
            self.assertRegex(ball, rf"\| 7 \| 4\.00 \({most}\) \| 2\.00 \({most}\) \|.*\| 25 % \| 75 % \| 0 % \|")
            # Halfway between 8 % and 2 % in powers, 4 % takes the root of 1 ms times 2 ms; 5 % is between.
            ours, other = [line for line in lines if line.startswith(("| Pliant | grid-10k | -", "| Other 1 | grid-10k | 1"))]
            self.assertEqual(ours.split("|")[4].strip(), f"{2 ** (math.log(8 / 5) / math.log(4)):.2f}")
            self.assertIn("x)", other.split("|")[4])
            before = lines[:lines.index(judged)]
            self.assertIs(any(line.startswith("## Goals that are not reached") for line in before), verdict != "yes")
            self.assertTrue(any("Other 1" in line and "(3.0x)" in line for line in lines))
            earlier = lines[lines.index("## Other engines, measured earlier, on another day, ms"):]
            earlier = earlier[:[i for i, line in enumerate(earlier) if line.startswith("## ")][1]]
            self.assertTrue(any("NvCloth" in line for line in earlier))
            self.assertFalse(any(re.search(r"[0-9]x\)", line) for line in earlier), "factors across days")

    def test_commits_are_compared(self):
        """scripts/compare-commits, with the tree that is built in place of both commits."""
        command = [sys.executable, SOURCE / "scripts/compare-commits", "work", "work", "--rounds", "1", "--frames", "2"]
        environment = {**os.environ, "PLIANT_BIN": str(pathlib.Path(BINARY).resolve())}
        done = subprocess.run([*command, "--scenes", "hanging-cloth"], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        row = [cell.strip() for cell in done.stdout.splitlines()[-1].split("|")[1:-1]]
        self.assertEqual((row[0], row[-1]), ("hanging-cloth", "same"))
        self.assertAlmostEqual(float(row[5]), float(row[3]) / float(row[1]), delta=0.05)
        done = subprocess.run([*command, "--scenes", "/nowhere.json"], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn("work does not run it", done.stdout)

    def test_interrupted(self):
        """What was measured is printed and written."""
        path = self.folder / "part.csv"
        program = subprocess.Popen([LAB, "bench", "--filter", "scene/distance/", "--json", "--quiet", "--csv", path],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (path.exists() and "scene/distance/" in path.read_text()):
            time.sleep(0.02)
        program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=120)
        self.assertEqual(program.returncode, 1)
        self.assertIn("cancelled", errors)
        document = json.loads(output)
        self.assertFalse(document["complete"])
        self.assertGreaterEqual(len(document["cases"]), 1)
        self.assert_whole(self.folder)


if __name__ == "__main__":
    unittest.main()
