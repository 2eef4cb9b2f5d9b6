"""run: files, summaries, blow-ups, and runs that continue to the same bits."""
import json
import os
import pathlib
import re
import resource
import struct
import unittest

from command import BINARY, Case, cloth, pliant, point_cache_frames


def blowing_up():
    """A keyframe whose exponent is wrong: after half a second the corners go to 1e16 m, and states end at 1e15.
    Corners that yield would not go there."""
    scene = cloth(frames=300)
    keyframes = [{"time": 0.5}, {"time": 1, "position": [1e16, 0, 0]}]
    scene["deformables"][0]["attachments"] = [{"corners": True, "stretch": 1e20, "motion": {"keyframes": keyframes}}]
    return scene


class Run(Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write_scene(cloth())
        self.out = self.folder / "out"

    def test_summary(self):
        printed = self.run_json("run", self.scene, "-o", self.out)
        self.assertEqual(printed, json.loads((self.out / "summary.json").read_text()))
        self.assertEqual((printed["status"], printed["frame"], printed["vertices"]), ("done", 30, 144))
        self.assertRegex(printed["hash"], "^[0-9a-f]{16}$")
        self.assertEqual(printed["constraints"]["distance"], 2 * 12 * 11 + 11 * 11)
        self.assertEqual({row["type"] for row in printed["sets"]}, {"distance", "triangle"})
        self.assertGreater(printed["kinetic_energy"], 0)
        self.assertGreaterEqual(printed["stretch_max"], printed["stretch_rms"])
        stages = printed["ms"]["stages"]
        self.assertLessEqual(sum(stages.values()), 1.01 * printed["ms"]["frame"] + 0.01)
        self.assertEqual(printed["caches"][0]["files"], ["scene.pc2"])
        self.assertEqual(point_cache_frames(self.out / "scene.pc2"), (31, 31))
        self.assert_whole(self.out)

    def test_text_and_quiet(self):
        text = self.expect(0, "run", self.scene, "-o", self.out).stdout
        for word in ("vertices", "constraints", "ms per frame", "stretch", "residual", "kinetic energy", "state hash"):
            self.assertIn(word, text)
        quiet = self.expect(0, "run", self.scene, "-o", self.out, "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), ("", ""))

    def test_default_folder(self):
        self.expect(0, "run", self.scene, "-q", "--frames", "2", cwd=self.folder)
        self.assertTrue((self.folder / "out" / "scene" / "summary.json").exists())

    def test_same_bits_for_threads_and_instructions(self):
        base = self.run_json("run", self.scene, "-o", self.out)["hash"]
        for words in (["--threads", "2"], ["--threads", "3"], ["--simd", "scalar"]):
            self.assertEqual(self.run_json("run", self.scene, "-o", self.out, *words)["hash"], base, words)

    def test_cooked(self):
        file = self.folder / "cloth.plicook"
        printed = self.expect(0, "cook", self.scene, "-o", file).stdout
        self.assertIn("2 constraint sets", printed)
        whole = self.run_json("run", self.scene, "-o", self.out)
        cooked = self.run_json("run", self.scene, "-o", self.folder / "again", "--cooked", file)
        self.assertEqual(whole["hash"], cooked["hash"])
        softer = self.run_json("run", self.scene, "-o", self.folder / "again", "--cooked", file, "--set",
                               "deformables.cloth.constraints[1].compliance=1")
        self.assertNotEqual(whole["hash"], softer["hash"])
        refused = self.expect(1, "run", self.scene, "-o", self.folder / "again", "--cooked", file, "--set",
                              "deformables.cloth.mesh.grid.columns=13")
        self.assertIn("another mesh", refused.stderr)
        data = file.read_bytes()
        file.write_bytes(data[:-9])
        refused = self.expect(1, "run", self.scene, "-o", self.folder / "again", "--cooked", file)
        self.assertIn("checksum", refused.stderr)
        missing = self.expect(1, "run", self.scene, "-o", self.folder / "again", "--cooked", self.folder / "none")
        self.assertIn("none", missing.stderr)

    def test_set(self):
        base = self.run_json("run", self.scene, "-o", self.out)
        heavier = self.run_json("run", self.scene, "-o", self.out, "--set", "settings.gravity=[0,-1,0]",
                                "--set", "deformables.cloth.density=2")
        self.assertNotEqual(heavier["hash"], base["hash"])
        self.assertEqual(heavier["settings"], ["settings.gravity=[0,-1,0]", "deformables.cloth.density=2"])
        result = self.expect(1, "run", self.scene, "-o", self.out, "--set", "settings.gravty=[0,-1,0]")
        self.assertIn("'gravity'", result.stderr)

    def test_formats(self):
        formats = ["obj", "ply", "pc2", "mdd", "gltf", "glb", "vtkhdf"]
        summary = self.run_json("run", self.scene, "-o", self.out, "--frames", "3", "--format", ",".join(formats))
        self.assertEqual([row["format"] for row in summary["caches"]], formats)
        for row in summary["caches"]:
            self.assertEqual(len(row["files"]), 1, row)
            self.assertTrue((self.out / row["path"]).is_file(), row)
        self.assertEqual(len(list(self.out.glob("scene_*.obj"))), 4)

    def test_two_objects(self):
        scene = cloth()
        scene["deformables"].append({**scene["deformables"][0], "name": "second one"})
        summary = self.run_json("run", self.write_scene(scene), "-o", self.out, "--frames", "2", "--format",
                                "pc2,ply,gltf")
        self.assertEqual([len(row["files"]) for row in summary["caches"]], [2, 2, 1])
        self.assertEqual([row["mesh"] is not None for row in summary["objects"]], [True, True])

    def test_shorter_run_leaves_no_older_frames(self):
        self.run_json("run", self.scene, "-o", self.out, "--frames", "6", "--format", "obj")
        self.run_json("run", self.scene, "-o", self.out, "--frames", "2", "--format", "obj")
        self.assertEqual(len(list(self.out.glob("scene_*.obj"))), 3)

    def test_pictures_of_an_earlier_run_are_told(self):
        small = ["--frames", "1", "--size", "32x32", "--quality", "draft", "--video", "none"]
        first = self.expect(0, "run", self.scene, "-o", self.out, "--render", *small)
        self.assertNotIn("earlier run", first.stdout)
        self.assertIn("are of an earlier run", self.expect(0, "run", self.scene, "-o", self.out, "--frames", "1").stdout)

    def test_no_frames(self):
        self.assertEqual(self.run_json("run", self.scene, "-o", self.out, "--frames", "0")["frame"], 0)
        self.assertEqual(point_cache_frames(self.out / "scene.pc2"), (1, 1))


class Failures(Case):
    def test_output_that_cannot_be_made(self):
        scene = self.write_scene(cloth())
        (self.folder / "file").write_text("")
        result = self.expect(1, "run", scene, "-o", self.folder / "file" / "inside")
        self.assertIn("cannot make the folder", result.stderr)
        self.expect(1, "run", scene, "-o", "/proc/nowhere")

    def test_blow_up_keeps_the_last_good_frame(self):
        out = self.folder / "out"
        result = self.expect(3, "run", self.write_scene(blowing_up()), "-o", out, "--json")
        summary = json.loads(result.stdout)
        self.assertEqual(summary["status"], "blew up")
        self.assertEqual(summary["frame"], 30)
        self.assertIn("frame 31", result.stderr)
        self.assertRegex(result.stderr, r"particle \d+ of 'cloth'")
        self.assertEqual(point_cache_frames(out / "scene.pc2"), (summary["frame"] + 1,) * 2)
        self.assert_whole(out)
        good = self.run_json("run", self.write_scene(blowing_up()), "-o", self.folder / "good", "-n", "30")
        self.assertEqual((good["status"], good["hash"]), ("done", summary["hash"]))

    def test_blow_up_names_what_did_it(self):
        side = 1e25
        (self.folder / "huge.obj").write_text(
            "".join(f"v {x * side} 0 {z * side}\n" for z in range(2) for x in range(2)) + "f 1 3 4 2\n")
        scene = cloth(settings={"gravity": [1000, 1000, 0]}, colliders=[])
        scene["deformables"][0].update(mesh={"file": "huge.obj"}, constraints=[{"type": "distance"}])
        result = self.expect(3, "run", self.write_scene(scene), "-o", self.folder / "out")
        self.assertIn("forces made particle", result.stderr)

    def test_files_stay_whole_when_the_disk_is_full(self):
        out = self.folder / "out"
        limit = 20000

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        result = self.expect(1, "run", self.write_scene(cloth()), "-o", out, preexec_fn=small_files)
        self.assertIn("pliant: ", result.stderr)
        header, whole = point_cache_frames(out / "scene.pc2")
        self.assertGreater(whole, 0)
        self.assertLessEqual(header, whole)
        self.assert_whole(out)

    def test_what_takes_long_before_the_first_frame_is_told(self):
        """A large scene says how far it is: what it reads, and how much of its world is made."""
        scene = cloth(frames=1, colliders=[])
        scene["deformables"][0]["mesh"]["grid"].update(columns=380, rows=380)
        lines = self.expect(0, "cook", self.write_scene(scene), "-o", self.folder / "a.plicook").stderr
        shares = [int(share) for share in re.findall(r"^making the world: (\d+) %$", lines, re.MULTILINE)]
        self.assertEqual(shares, [33, 66, 100], lines)
        self.assertEqual(self.expect(0, "cook", self.folder / "scene.json", "-o", self.folder / "a.plicook", "-q").stderr, "")
        vertices = "".join(f"v {i * 1e-3:.9f} {i * i * 1e-9:.9f} {i * i % 77 * 1e-4:.9f}\n" for i in range(420000))
        (self.folder / "large.obj").write_text(vertices + "f 1 2 3\nf 1 3 4\n")
        scene["deformables"][0].update(mesh={"file": "large.obj"}, constraints=[{"type": "distance"}])
        self.assertIn("reading large.obj, 1", self.expect(0, "check", self.write_scene(scene)).stderr)
        self.assertEqual(self.expect(0, "check", self.write_scene(cloth())).stderr, "")

    def test_outside_files_need_leave(self):
        inner = self.folder / "inner"
        inner.mkdir()
        (self.folder / "mesh.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n")
        scene = cloth(frames=2)
        scene["deformables"][0].update(mesh={"file": "../mesh.obj"}, constraints=[{"type": "distance"}])
        path = inner / "scene.json"
        path.write_text(json.dumps(scene))
        self.expect(1, "run", path, "-o", self.folder / "out")
        self.expect(0, "run", path, "-o", self.folder / "out", "--allow-outside")


class Resume(Case):
    """Runs of a finer cloth that continue from a checkpoint. tests/cli/test_interrupts.py has those that a signal stops."""

    FRAMES = 160 if os.environ.get("PLIANT_QUICK") else 400

    def setUp(self):
        super().setUp()
        scene = cloth(frames=self.FRAMES)
        scene["deformables"][0]["mesh"]["grid"].update(columns=40, rows=40)
        self.scene = self.write_scene(scene)
        self.words = ["run", self.scene, "--format", "pc2,mdd,vtkhdf,gltf", "--checkpoint-every", "7"]
        self.whole, self.broken = self.folder / "whole", self.folder / "broken"

    def test_finished_run_has_nothing_left(self):
        first = self.run_json(*self.words, "-o", self.whole, "--frames", "20")
        again = self.run_json(*self.words, "-o", self.whole, "--frames", "20", "--resume")
        longer = self.run_json(*self.words, "-o", self.whole, "--frames", "30", "--resume")
        self.assertEqual((again["hash"], again["first_frame"]), (first["hash"], 20))
        self.assertEqual(longer["hash"], self.run_json(*self.words, "-o", self.broken, "--frames", "30")["hash"])
        self.assertIn("beyond", self.expect(1, *self.words, "-o", self.whole, "--frames", "10", "--resume").stderr)

    def test_without_checkpoint_it_starts(self):
        result = self.expect(0, *self.words, "-o", self.whole, "--frames", "3", "--resume")
        self.assertIn("starting at frame 0", result.stderr)

    def test_other_scene_and_damage_are_refused(self):
        self.run_json(*self.words, "-o", self.whole, "--frames", "10")
        other = self.expect(1, *self.words, "-o", self.whole, "--resume", "--set", "settings.substeps=3")
        self.assertIn("another scene", other.stderr)
        path = pathlib.Path(self.whole / "checkpoint.pli")
        good = path.read_bytes()
        for bad in (good[:-1], good[:30], b"", good[:100] + bytes([good[100] ^ 1]) + good[101:],
                    good[:24] + struct.pack("<Q", 2**63) + good[32:]):
            path.write_bytes(bad)
            self.assertIn("damaged", self.expect(1, *self.words, "-o", self.whole, "--resume").stderr)
        path.write_bytes(good)
        self.expect(0, *self.words, "-o", self.whole, "--resume", "--frames", "12")


if __name__ == "__main__":
    unittest.main()
