"""All sources of the core compile as one file, without warnings: with its kernels, for one back end."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALTERNATIVES = {"src/base/tasks_single.c": "src/base/tasks.c"}


class SingleFile(unittest.TestCase):
    def compile(self, *, without=(), also=""):
        sources = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("src/**/*.c"))
        self.assertGreater(len(sources), 200)
        names = [name for name in sources if name not in without]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "core.c"
            file.write_text("#define _POSIX_C_SOURCE 200809L\n" + "".join(f'#include "{ROOT / name}"\n' for name in names) + also)
            return subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-DPLI_BACKEND=scalar", f"-I{ROOT / 'src'}",
                                   f"-I{ROOT / 'include'}", str(file)], capture_output=True, text=True)

    def test_the_core_is_one_unit(self):
        for left_out, kept in (*ALTERNATIVES.items(), *((b, a) for a, b in ALTERNATIVES.items())):
            with self.subTest(kept):
                result = self.compile(without=[left_out])
                self.assertEqual(result.returncode, 0, result.stderr[:4000])

    def test_a_repeated_definition_fails(self):
        result = self.compile(without=ALTERNATIVES, also="static int pli_generator_count;\n")
        self.assertIn("pli_generator_count", result.stderr)

    def test_the_amalgamation_compiles(self):
        """For all back ends, as C17 and as GNU C; its header also as C++. That its bits are the library's takes minutes of compilation."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "scripts/amalgamate", "-o", folder], check=True, capture_output=True)
            compiler = os.environ.get("CC", "cc")
            (pathlib.Path(folder) / "header.cpp").write_text('#include "pliant.h"\nint main() { return pli_version() == nullptr; }\n')
            for command in ([compiler, "-std=c17", "pliant.c"], [compiler, "pliant.c"], [os.environ.get("CXX", "c++"), "header.cpp"]):
                with self.subTest(command):
                    result = subprocess.run([*command, "-fsyntax-only", "-Wall", "-Wextra", "-Werror"], cwd=folder, capture_output=True, text=True)
                    self.assertEqual(result.returncode, 0, result.stderr[:4000])


if __name__ == "__main__":
    unittest.main()
