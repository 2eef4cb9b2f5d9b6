"""What the documents say is run: each block of a command, of C, of Python and of JSON, in the order of its page, and links are followed.

A comment before a block says what it is for: `<!-- file: NAME -->` keeps the block as a file for those after it, `<!-- not run: WHY -->`
leaves it out, and `<!-- leaves: FILE... -->` names files that are there after it. Commands simulate a few frames, into a folder of
the test's own.
"""
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
BLOCK = re.compile(r"(?:^<!-- (file|not run|leaves): ([^\n]*?) -->\n+)?^```(sh|c|python|json)\n(.*?)^```$", re.M | re.S)
FEW = {"run": ["--frames", "2"], "render": ["--frames", "2"], "bench": ["--quick"]}


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
            if header.name != "deprecated.h":
                for name in re.findall(r"^PLI_API [^;(]*?(pli_\w+)\(", header.read_text(encoding="utf-8"), re.M):
                    self.assertIn(name, text)
        scene = (self.output / "scene.md").read_text(encoding="utf-8")
        for key in ("deformables[]", "settings", "colliders[]", "| `substeps` |"):
            self.assertIn(key, scene)


if __name__ == "__main__":
    unittest.main()
