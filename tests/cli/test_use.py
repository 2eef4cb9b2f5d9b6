"""Help, wrong use, completion and the manual, for every command of both programs."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from command import BINARY, COMMANDS, LAB, LAB_COMMANDS, Case, pliant

PROGRAMS = {"pliant": (BINARY, COMMANDS), "pliant-lab": (LAB, LAB_COMMANDS)}


class Help(Case):
    def test_lists_every_command(self):
        for program, commands in PROGRAMS.values():
            for words in (["--help"], ["-h"], ["help"]):
                text = self.expect(0, *words, program=program).stdout
                self.assertEqual(re.findall(r"(?m)^  ([a-z-]+) ", text.split("Examples:")[0]), commands)

    def test_each_command_teaches_by_example(self):
        for name, (program, commands) in PROGRAMS.items():
            for command in commands:
                text = self.expect(0, command, "--help", program=program).stdout
                self.assertIn(f"Usage: {name} {command}", text)
                self.assertIn(f"{name} {command}", text.split("Examples:")[1])
                self.assertEqual(text, self.expect(0, "help", command, program=program).stdout)

    def test_examples_are_accepted(self):
        """Every option that an example names exists."""
        for program, commands in PROGRAMS.values():
            for command in commands:
                options, examples = pliant(command, "--help", program=program).stdout.split("Examples:")
                for word in examples.split():
                    if word.startswith("--"):
                        self.assertIn(word, options, f"in the examples of {command}")

    def test_lines_fit_a_terminal(self):
        for program, commands in PROGRAMS.values():
            for command in commands:
                for line in pliant(command, "--help", program=program).stdout.split("Examples:")[0].splitlines():
                    self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        for name, (program, _) in PROGRAMS.items():
            self.assertRegex(self.expect(0, "--version", program=program).stdout, rf"^{name} \d+\.\d+\.\d+\n$")


class WrongUse(Case):
    def assert_wrong(self, hint, *words):
        result = self.expect(2, *words)
        self.assertEqual(result.stdout, "")
        self.assertIn("pliant: ", result.stderr)
        self.assertIn(hint, result.stderr)

    def test_no_command(self):
        self.assertIn("Usage:", self.expect(2).stderr)

    def test_a_command_of_the_other_program_is_named(self):
        for name, program, commands in (("pliant-lab", BINARY, LAB_COMMANDS), ("pliant", LAB, COMMANDS)):
            for command in set(commands) - {"completion", "manual", "help"}:
                self.assertIn(f"did you mean '{name} {command}'?", self.expect(2, command, program=program).stderr)
        self.assert_wrong("'pliant-lab experiment'", "experimnt")

    def test_nearest_is_named(self):
        self.assert_wrong("'inspect'", "inspcet", "x.obj")
        self.assert_wrong("--threads", "run", "x.json", "--thread", "2")
        self.assert_wrong("--output?", "run", "x.json", "--out", "here")
        self.assert_wrong("'triangle'", "models", "triangel")
        self.assert_wrong("There are obj, ply", "run", "x.json", "--format", "fbx")
        self.assert_wrong("`pliant check x.json`", "inspect", "x.json")
        self.assert_wrong("'vtkhdf'", "run", "x.json", "--format", "pc2,vtkhfd")
        self.assert_wrong("'dihedral'", "inspect", "grid:3x3", "--bending", "dihedrla")
        self.assert_wrong("'union'", "inspect", "grid:3x3", "--rule", "unoin")

    def test_nothing_near(self):
        self.assert_wrong("pliant --help", "xyzzy-plugh")
        self.assert_wrong("unknown option", "--frobnicate")
        self.assert_wrong("pliant run --help", "run", "x.json", "--qqqqqqqq")

    def test_values_are_checked(self):
        self.assert_wrong("from 1 to 64", "run", "x.json", "--threads", "0")
        self.assert_wrong("whole number", "run", "x.json", "--frames", "ten")
        self.assert_wrong("whole number", "run", "x.json", "--frames", "99999999999999999999")
        self.assert_wrong("WIDTHxHEIGHT", "run", "x.json", "--size", "640")
        self.assert_wrong("6 numbers", "render", "x.pc2", "-o", "a.png", "--camera", "1,2,3,4,5,nan")
        self.assert_wrong("needs a value", "run", "x.json", "--frames")
        self.assert_wrong("takes no value", "run", "x.json", "--render=yes")

    def test_a_scene_is_found_by_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = {"pliant": 1, "title": "Mine", "deformables": [{"mesh": {"grid": {"columns": 3, "rows": 3}}}]}
            (pathlib.Path(folder) / "flag.json").write_text(json.dumps(scene))
            for name, said in [("flag", "Mine"), (f"{folder}/flag", "Mine"), ("first", "A cloth falls on a ball"),
                               ("scenes/first", "A cloth falls on a ball")]:
                result = subprocess.run([BINARY, "check", name], capture_output=True, text=True, timeout=60, cwd=folder)
                self.assertIn(said, result.stdout, result.stderr)
            result = subprocess.run([BINARY, "check", "flga"], capture_output=True, text=True, timeout=60, cwd=folder)
            self.assertIn("cannot open 'flga'", result.stderr)

    def test_operands_are_checked(self):
        self.assert_wrong("SCENE is missing (A scene file", "run")
        self.assertIn("`list` names them", self.expect(2, "experiment", program=LAB).stderr)
        self.assert_wrong("one too many", "run", "a.json", "b.json")
        self.assert_wrong("OUT is missing", "convert", "a.obj")
        self.assert_wrong("is missing", "render")
        self.assert_wrong(".mp4", "render", "a.pc2", "-o", "a.gif")
        self.assert_wrong("convert", "convert", "a.obj", "a.unknown")

    def test_endings_of_meshes_are_checked(self):
        self.assertIn("cube: files without an ending cannot be read; use .obj", self.expect(1, "inspect", "cube").stderr)
        self.assertIn("a.xyz: files ending in '.xyz' cannot be read; use .obj", self.expect(1, "inspect", "a.xyz").stderr)

    def test_full_disk_on_stdout(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([BINARY, "models"], stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write", result.stderr)


class Shells(Case):
    def script(self, shell, name):
        text = self.expect(0, "completion", shell, program=PROGRAMS[name][0]).stdout
        path = self.folder / f"{name}.{shell}"
        path.write_text(text)
        return path, text

    def test_scripts_know_all_commands_and_options(self):
        for shell in ("bash", "zsh", "fish"):
            for name, options in (("pliant", ("checkpoint-every", "vtkhdf", "triangle_signed")), ("pliant-lab", ("repetitions", "kelager-fig3"))):
                _, text = self.script(shell, name)
                for word in (*PROGRAMS[name][1], *options):
                    self.assertIn(word, text)

    def test_syntax(self):
        for shell in ("bash", "zsh", "fish"):
            for name in PROGRAMS:
                path, _ = self.script(shell, name)
                if shutil.which(shell):
                    result = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, timeout=60)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))

    def complete(self, *words):
        path, _ = self.script("bash", words[0])
        line = " ".join(f"'{word}'" for word in words)
        program = (f"source {path}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _{words[0].replace('-', '_')}; "
                   'printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", program], capture_output=True, text=True, timeout=60).stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("pliant", "ins"), ["inspect"])
        self.assertEqual(self.complete("pliant", "run", "--check"), ["--checkpoint-every"])
        self.assertEqual(self.complete("pliant", "run", "--simd", "sc"), ["scalar"])
        self.assertIn("triangle_edge", self.complete("pliant", "models", "tri"))
        self.assertEqual(self.complete("pliant-lab", "experiment", "kelager-fig3"), ["kelager-fig3"])


class Manual(Case):
    def test_names_every_command_and_option(self):
        for name, (program, commands) in PROGRAMS.items():
            text = self.expect(0, "manual", program=program).stdout.replace("\\-", "-")
            for command in commands:
                self.assertIn(f"{name} {command}", text)
            self.assertIn("--checkpoint-every" if name == "pliant" else "--repetitions", text)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_accepts_it(self):
        for program, _ in PROGRAMS.values():
            result = subprocess.run(["mandoc", "-Tlint", "-Werror"], input=pliant("manual", program=program).stdout, capture_output=True,
                                    text=True, timeout=60)
            self.assertEqual((result.returncode, result.stdout), (0, ""))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_accepts_it(self):
        for program, _ in PROGRAMS.values():
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=pliant("manual", program=program).stdout, capture_output=True,
                                    text=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue("EXIT STATUS" in re.sub(".\b", "", result.stdout))


if __name__ == "__main__":
    unittest.main()
