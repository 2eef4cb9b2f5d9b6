"""Each library exports the functions that its public headers declare with PLI_API, and nothing else."""
import os
import re
import subprocess
import unittest

SOURCE = os.environ.get("PLIANT_SOURCE_DIR", ".")
BUILD = os.environ.get("PLIANT_BUILD_DIR", "build/release")
HEADERS = {
    "pliant_scene": ("mesh_file.h", "mesh_attributes.h", "cache.h", "scene.h", "plugin.h", "guess.h"),
    "pliant_render": ("render.h",),
    "pliant_ode": ("ode.h",),
}


def declared(header):
    with open(f"{SOURCE}/include/pliant/{header}", encoding="utf-8") as file:
        text = re.sub(r"//.*", "", file.read())
    return set(re.findall(r"^PLI_API\b[^;(]*?\b(\w+)\s*\(", text, re.MULTILINE))


def exported(library):
    """Defined symbols of the dynamic table; the tools' own begin with two underscores."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1].split("@")[0] for line in lines.splitlines()}
    return {name for name in names if not name.startswith("__") and name not in ("_init", "_fini")}


class Exports(unittest.TestCase):
    def test_every_library_exports_what_its_headers_declare(self):
        found = 0
        for name, headers in HEADERS.items():
            library = f"{BUILD}/lib{name}.so"
            if not os.path.exists(library):
                continue
            found += 1
            wanted = set().union(*(declared(header) for header in headers))
            with self.subTest(library=name):
                self.assertGreater(len(wanted), 5)
                self.assertEqual(sorted(exported(library) - wanted), [], "exported, but in no public header")
                self.assertEqual(sorted(wanted - exported(library)), [], "declared, but not exported")
        self.assertGreater(found, 0, f"no library was found in {BUILD}")

    def test_libraries_are_looked_for_beside_the_program_alone(self):
        """An empty element of the path is the folder where a program is started, which may be a stranger's."""
        looked = 0
        for name in sorted(os.listdir(BUILD)):
            path = f"{BUILD}/{name}"
            if not os.path.isfile(path) or not (name.endswith(".so") or os.access(path, os.X_OK)):
                continue
            lines = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
            for places in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", lines):
                looked += 1
                wrong = [place for place in places.split(":") if place != "$ORIGIN" and not place.startswith(("$ORIGIN/", "/usr/"))]
                self.assertEqual(wrong, [], name)
        self.assertGreater(looked, 0)

    @unittest.skipUnless(os.path.exists(f"{BUILD}/pliant"), "there is no command in this build")
    def test_the_command_starts_with_few_libraries(self):
        """What formats and videos link is loaded when one is read or written: libav alone brings more than a hundred."""
        lines = subprocess.run(["ldd", f"{BUILD}/pliant"], capture_output=True, text=True, check=True).stdout
        names = {line.split()[0].split("/")[-1] for line in lines.splitlines()}
        # Of the system, of JSON, tables and pictures, and what sanitizers bring.
        known = r"(libpliant(_scene|_render)?|libjansson|libsqlite3|libepoxy|libpng16|libz|libc|libm|libdl|linux-vdso|ld-linux|libgcc_s|libasan|libubsan|libstdc|librt|libpthread)\b"
        self.assertEqual([name for name in sorted(names) if not re.match(known, name)], [])


unittest.main()
