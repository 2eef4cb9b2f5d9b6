"""Builds the wheel: modules, bindings and docstrings made from the installed headers, and the libraries themselves.

Where the libraries are: PLIANT_BUILD, a build tree (build/release beside this folder, unless said). Headers: PLIANT_INCLUDE
(include beside this folder). scripts/build-python builds what is missing, and then the wheel.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "tools"))
import bindings  # noqa: E402

BUILD = pathlib.Path(os.environ.get("PLIANT_BUILD", HERE.parents[1] / "build/release"))
INCLUDE = pathlib.Path(os.environ.get("PLIANT_INCLUDE", HERE.parents[1] / "include"))
LICENCE = pathlib.Path(os.environ.get("PLIANT_LICENSE", HERE.parents[1] / "LICENSE"))
LIBRARIES = ("libpliant.so.0", "libpliant_scene.so.0", "libpliant_python.so")
OPTIONAL = ("libpliant_ode.so.0",)  # Needs ODE on the system; without it, scenes with bodies are refused with a message.


def json_library():
    """The JSON library that libpliant_scene is linked with, which travels along."""
    listed = subprocess.run(["ldd", BUILD / "libpliant_scene.so.0"], capture_output=True, text=True, check=True).stdout
    return pathlib.Path(re.search(r"libjansson\S* => (\S+)", listed).group(1))


class BuildPackage(build_py):
    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib, "pliant")
        libraries = package / "lib"
        libraries.mkdir(parents=True, exist_ok=True)
        wanted = [BUILD / name for name in LIBRARIES] + [BUILD / name for name in OPTIONAL if (BUILD / name).exists()]
        for source in [*wanted, json_library()]:
            if not source.exists():
                sys.exit(f"{source} is missing; scripts/build-python builds it")
            shutil.copy(source, libraries / source.name)
        licence = pathlib.Path("/usr/share/doc/libjansson4/copyright")
        if licence.exists():
            shutil.copy(licence, libraries / "jansson-copyright")
        shutil.copy(LICENCE, package / "LICENSE")
        text = bindings.declarations(INCLUDE, HERE / "native/kept_memory.h")
        bindings.module(text, "pliant._bindings").emit_python_code(str(package / "_bindings.py"))
        made = package / "_bindings.py"
        made.write_text(made.read_text().replace("import _cffi_backend\n", "import _cffi_backend  # type: ignore\n"))
        said = bindings.documentation(INCLUDE)
        rows = "".join(f"    {name!r}: {said[name]!r},\n" for name in sorted(said))
        (package / "_documentation.py").write_text(f'"""Made from the headers by tools/bindings.py."""\nTEXT = {{\n{rows}}}\n')


class Wheel(bdist_wheel):
    """The libraries are of one platform, and the same for every Python 3, since nothing is compiled against it."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibraries(Distribution):
    def has_ext_modules(self):
        return True


setup(
    name="pliant",
    version="0.1.0",
    description="Position-Based Dynamics for cloth, leaves, shells and balloons",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    packages=["pliant"],
    package_data={"pliant": ["py.typed"]},
    python_requires=">=3.9",
    install_requires=["cffi>=1.12", "numpy>=1.21"],
    cmdclass={"build_py": BuildPackage, "bdist_wheel": Wheel},
    distclass=WithLibraries,
)
