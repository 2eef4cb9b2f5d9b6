"""What the documents say is run: each block of a command, of C, of Python and of JSON, in the order of its page, and links are followed.

A comment before a block says what it is for: `<!-- file: NAME -->` keeps the block as a file for those after it, `<!-- not run: WHY -->`
leaves it out, and `<!-- leaves: FILE... -->` names files that are there after it. Commands simulate a few frames, into a folder of
the test's own.
"""
import ast
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["PLIANT_BUILD_DIR"])
COMMAND = pathlib.Path(os.environ["PLIANT_BIN"])
LAB = pathlib.Path(os.environ["PLIANT_LAB"])
BLOCK = re.compile(r"(?:^<!-- (file|not run|leaves): ([^\n]*?) -->\n+)?^```(sh|c|python|json)\n(.*?)^```$", re.M | re.S)
OTHER_OPTIONS = {"--help", "--enable-unsafe-webgpu"}  # Every command has the one; Chromium has the other.
FEW = {"run": ["--frames", "2"], "render": ["--size", "64x64", "--quality", "draft"]}


def pages():
    return sorted([*SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/tutorials/*.md"), SOURCE / "README.md"])


def module(path):
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class Blocks(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        for name in ("scenes", "examples"):
            shutil.copytree(SOURCE / name, self.folder / name)
        (self.folder / "include").symlink_to(SOURCE / "include")
        self.environment = {**os.environ, "PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}

    def test_every_block_runs(self):
        ran = {"sh": 0, "c": 0, "python": 0, "json": 0}
        for page in pages():
            for mark, what, language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
                if mark == "not run":
                    self.assertGreater(len(what), 10, f"{page}: a block that is not run wants a reason")
                    continue
                if mark == "file":
                    (self.folder / what).write_text(text, encoding="utf-8")
                with self.subTest(page=page.name, block=text[:60]):
                    getattr(self, language)(text, what if mark == "file" else "")
                    missing = [name for name in what.split() if mark == "leaves" and not (self.folder / name).is_file()]
                    self.assertEqual(missing, [], f"{page.name}: not left by {text}")
                    ran[language] += 1
        self.assertGreater(min(ran["sh"], ran["c"], ran["json"]), 0)

    def sh(self, text, name):
        for line in text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if not words:
                continue
            if words[0] == "pliant" and len(words) > 1:
                words = self.few(words)
            result = subprocess.run(words, cwd=self.folder, env=self.environment, text=True, capture_output=True, timeout=60)
            self.assertEqual(result.returncode, 0, f"{line}\n{result.stdout}{result.stderr}")

    def few(self, words):
        """The same command with few frames and small pictures: what is asked for later counts."""
        words = words + FEW.get(words[1], [])
        return words + ["--size", "64x64", "--quality", "draft", "--video", "none"] if "--render" in words else words

    def c(self, text, name):
        libraries = [f"-I{SOURCE}/include", f"{BUILD}/libpliant.a", "-lm", "-pthread"]
        source = self.folder / (name or "block.c")
        source.write_text(text, encoding="utf-8")
        program = self.folder / "block"
        whole = "int main(" in text
        words = ["cc", "-std=c17", "-Wall", "-Wextra", str(source)]
        words += ["-o", str(program), *libraries] if whole else ["-fPIC", "-shared", f"-I{SOURCE}/include", "-o", str(source.with_suffix(".so"))]
        result = subprocess.run(words, cwd=self.folder, text=True, capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stderr)
        if whole:
            done = subprocess.run([program], cwd=self.folder, text=True, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)

    def python(self, text, name):
        compile(text, name or "block", "exec")
        interpreter = SOURCE / "build/python/environment/bin/python"
        if interpreter.exists():
            done = subprocess.run([interpreter, "-c", text], cwd=self.folder, text=True, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)

    def json(self, text, name):
        if "pliant" in json.loads(text) and name:
            plugins = ["--plugin", "./rope.so"] if '"cord"' in text else []
            done = subprocess.run([COMMAND, "check", name, *plugins], cwd=self.folder, text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Installed(Blocks):
    """The README's commands, after installation, from an empty folder. Those that take a minute are run in their own tests."""

    test_every_block_runs = None
    LONG = {"experiment", "validate", "bench"}

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        prefix = pathlib.Path(place.name) / "prefix"
        self.folder = pathlib.Path(place.name) / "empty"
        self.folder.mkdir()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        self.environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": f"{prefix}/lib"}

    def test_the_readmes_commands_run_from_any_folder(self):
        blocks = [text for _, _, language, text in BLOCK.findall((SOURCE / "README.md").read_text(encoding="utf-8")) if language == "sh"]
        lines = [line for text in blocks for line in text.splitlines()]
        self.assertGreater(len(lines), 5)
        for line in lines:
            if shlex.split(line, comments=True)[1] not in self.LONG:
                self.sh(line, "")


class Statements(unittest.TestCase):
    """What pages say of the house, held against the house: names, options, files, keys, limits and counts."""

    @classmethod
    def setUpClass(cls):
        cls.texts = {page: page.read_text(encoding="utf-8") for page in [*pages(), SOURCE / "CONTRIBUTING.md", SOURCE / "SECURITY.md",
                                                                         SOURCE / "bindings/python/README.md"]}
        cls.spans = {page: re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
                     for page, text in cls.texts.items()}
        cls.descriptors = json.loads(cls.say("models", "--json"))

    @staticmethod
    def say(*words):
        return subprocess.run([COMMAND, *words], text=True, capture_output=True, check=True).stdout

    @staticmethod
    def sources(*folders):
        return "".join(path.read_text(encoding="utf-8") for folder in folders for kind in "hc" for path in (SOURCE / folder).rglob(f"*.{kind}"))

    def test_names_of_the_interface_exist(self):
        inside = set(re.findall(r"\bpli_\w+", self.sources("include", "src", "io", "cli", "ode", "render", "bindings/python/native")))
        for page, text in self.texts.items():
            # What an example of a page defines is a name too, and one that ends in _ is the beginning of several.
            for name in set(re.findall(r"\bpli_[a-z0-9_]+", text)):
                known = name in inside or (name.endswith("_") and any(other.startswith(name) for other in inside))
                self.assertTrue(known, f"{page.name}: {name} is not in the sources")

    @staticmethod
    def options_of(program):
        """The options of each command of a program."""
        say = lambda *words: subprocess.run([program, *words], text=True, capture_output=True, check=True).stdout  # noqa: E731
        return {command: set(re.findall(r"--[a-z][a-z-]*", say(command, "--help"))) for command in re.findall(r"^  ([a-z-]+) +[A-Z]", say("--help"), re.M)}

    def test_options_exist(self):
        programs = {"pliant": self.options_of(COMMAND), "pliant-lab": self.options_of(LAB)}
        self.assertGreater(len(programs["pliant"]), 15)
        every = set().union({"--version"}, *[options for commands in programs.values() for options in commands.values()])
        for page, spans in self.spans.items():
            for words, span in [(span.split(), span) for span in spans]:
                commands = programs.get(words[0], {})
                if commands and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]) and words[1][0] != "-":
                    self.assertIn(words[1], commands, f"{page.name}: `{span}`")
                of = commands.get(words[1], every) if len(words) > 1 else every
                for option in re.findall(r"(?:^|\s)(--[a-z][a-z-]*)", span) if commands or words[0][:2] == "--" else ():
                    if option not in OTHER_OPTIONS:
                        self.assertIn(option, of, f"{page.name}: `{span}`")

    def test_files_exist(self):
        """Paths begin at the repository, or at a folder that a page is about."""
        roots = [SOURCE / folder for folder in ("", "src", "tests", "web", "web/page", "web/package", "web/gpu")]
        for page, spans in self.spans.items():
            for span in spans:
                if re.fullmatch(r"(?:\w+/)+[\w.-]+", span) and any((root / span.split("/")[0]).is_dir() for root in roots):
                    built = span.split("/")[0] in ("build", "out")
                    there = any((root / (span + end)).exists() for root in roots for end in ("", ".c", ".h", ".py"))
                    # A property test is named as ctest names it, without the folder of its subject.
                    there = there or any((SOURCE / "tests/properties").glob(f"*/{span.partition('properties/')[2]}.c"))
                    self.assertTrue(built or there, f"{page.name}: {span} is not there")

    def test_settings_exist(self):
        known = set(json.loads(self.say("schema"))["properties"]["settings"]["properties"])
        for page, text in self.texts.items():
            for name in re.findall(r"(?<!_)\bsettings\.([a-z_]+)\b(?!\()", text):
                self.assertIn(name, known, f"{page.name}: settings.{name}")

    def test_limits_stand_in_the_files_that_are_named(self):
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \|$", self.texts[SOURCE / "docs/limits.md"], re.M)
        self.assertGreater(len(rows), 10)
        for what, number, where in rows:
            text = self.say(*where.split()[1:]) if where.startswith("pliant ") else (SOURCE / where).read_text(encoding="utf-8")
            found = re.findall(r"2\^(\d+)", number)
            wanted = [rf"<< {found[0]}\b|2\^{found[0]}\b|1 << {found[0]}|INT32_MAX / {2 ** 31 // 2 ** int(found[0])}\b"] if found else \
                [r"<< 31\b"] if "2 GiB" in number else [str(int(count) * 10**6) for count in re.findall(r"(\d+) million", number)] or \
                [rf"\b{count}\b" for count in re.findall(r"\b\d+\b(?! m)", number)] or [re.escape(number.split()[0])]
            for pattern in wanted:
                self.assertTrue(re.search(pattern, text), f"limits.md: {what}: {number} is not in {where}")

    def test_counts(self):
        numbers = dict(zip("eight nine ten eleven twelve thirteen fourteen fifteen".split(), range(8, 16)))
        bending = [kind["name"] for kind in self.descriptors["types"] if kind["bending"]]
        said = re.search(r"\| bending \| (\w+) models", self.texts[SOURCE / "docs/comparison.md"])[1]
        self.assertEqual(numbers[said], len(bending))
        strips = json.loads((SOURCE / "scenes/models.json").read_text(encoding="utf-8"))["deformables"]
        self.assertIn("Six models", self.texts[SOURCE / "docs/tutorials/compare-models.md"])
        self.assertEqual(len(strips), 6)

    def test_columns_of_a_recording(self):
        with tempfile.TemporaryDirectory() as place:
            self.say("run", str(SOURCE / "scenes/first.json"), "-n", "1", "-q", "-f", "none", "-o", place, "--record", f"{place}/stats.csv")
            columns = (pathlib.Path(place) / "stats.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
        text = self.texts[SOURCE / "docs/troubleshooting.md"] + self.texts[SOURCE / "docs/tutorials/figure.md"]
        named = set(re.findall(r"`(ms_\w+|stretch_max|tracking_error)`", text))
        self.assertGreaterEqual(named, {"ms_contacts", "ms_project", "ms_ccd", "stretch_max", "tracking_error"})
        self.assertLessEqual(named, set(columns))

    def test_versions_of_the_platforms(self):
        page = self.texts[SOURCE / "docs/platforms.md"]
        oldest = re.search(r"\| Python \| (\d+)\.(\d+) or newer", page)
        self.assertIn(f'python_requires=">={oldest[1]}.{oldest[2]}"', (SOURCE / "bindings/python/setup.py").read_text(encoding="utf-8"))
        for path in [*(SOURCE / "bindings/python/pliant").glob("*.py"), *(SOURCE / "bindings/blender/pliant_blender").rglob("*.py")]:
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(int(oldest[1]), int(oldest[2])))
        blender = re.search(r"\| Blender \| (\d+)\.(\d+) or newer", page)
        self.assertIn(f'"blender": ({blender[1]}, {blender[2]}, 0)', (SOURCE / "bindings/blender/pliant_blender/__init__.py").read_text(encoding="utf-8"))


class Site(unittest.TestCase):
    """The pages that are made, and links of all, without mkdocs; with it, the site."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.output = pathlib.Path(place.name)
        self.build = module(SOURCE / "docs/site/build.py")

    def test_links_lead_somewhere_and_the_site_is_built(self):
        if importlib.util.find_spec("mkdocs"):
            words = [sys.executable, SOURCE / "docs/site/build.py", "--command", COMMAND, "--output", self.output]
            done = subprocess.run(words, text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.every_link_of_the_site()
        else:
            self.build.reference.write(SOURCE, COMMAND, self.output / "source/docs/reference")
            shutil.copytree(SOURCE / "scenes", self.output / "source/scenes")
            self.assertEqual(self.build.gather(self.output / "source"), [])

    def every_link_of_the_site(self):
        site = self.output / "site"
        targets = re.compile(r'(?:href|src)="([^":]*)"')
        found = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
        names = {page: set(re.findall(r'id="([^"]*)"', text)) for page, text in found.items()}
        bad = []
        for page, text in found.items():
            for target in set(targets.findall(text)):
                file, _, place = target.partition("#")
                there = (page.parent / file).resolve() if file else page
                if not there.is_file() or (place and there in names and place not in names[there]):
                    bad.append(f"{page.relative_to(site)}: {target}")
        self.assertEqual(bad, [])
        self.assertGreater(len(found), 60)

    def test_the_reference_is_whole(self):
        self.build.reference.write(SOURCE, COMMAND, self.output)
        text = "".join(page.read_text(encoding="utf-8") for page in (self.output / "api").glob("*.md"))
        for header in (SOURCE / "include/pliant").glob("*.h"):
            for name in re.findall(r"^PLI_API [^;(]*?(pli_\w+)\(", header.read_text(encoding="utf-8"), re.M):
                self.assertIn(name, text)
        scene = (self.output / "scene.md").read_text(encoding="utf-8")
        for key in ("deformables[]", "settings", "colliders[]", "| `substeps` |"):
            self.assertIn(key, scene)


if __name__ == "__main__":
    unittest.main()
