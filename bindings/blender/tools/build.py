#!/usr/bin/env python3
"""Makes the archive that Blender installs: the add-on, its binding for ctypes, and the libraries.

    bindings/blender/tools/build.py --build build/release --output build/blender

The binding is made from the headers, preprocessed as for the Python package, so that layouts and signatures are those of the
libraries in the archive. cffi reads the declarations here; in Blender nothing but ctypes is needed.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PACKAGE = "pliant_blender"
LIBRARIES = ("libpliant.so.0", "libpliant_scene.so.0")
OPENING = '''"""Made from the headers of Pliant by bindings/blender/tools/build.py: structs and functions of the library, for ctypes."""
import ctypes as C

'''


def declarations(include):
    """The public headers as cffi reads them."""
    sys.path.insert(0, str(ROOT / "bindings/python/tools"))
    sys.dont_write_bytecode = True
    import bindings
    return bindings.declarations(include, "/dev/null")


def ctypes_name(kind):
    """A C type in ctypes. Pointers are addresses; callers know what they point to."""
    if kind.kind == "primitive":
        if kind.cname in ("float", "double"):
            return f"C.c_{kind.cname}"
        if kind.cname in ("_Bool", "bool"):
            return "C.c_bool"
        import cffi
        size, signed = cffi.FFI().sizeof(kind.cname), not kind.cname.startswith(("u", "size_t"))
        return "C.c_char" if kind.cname == "char" else f"C.c_{'' if signed else 'u'}int{8 * size}"
    if kind.kind == "enum":
        return "C.c_int32"
    if kind.kind == "struct":
        return kind.cname.removeprefix("struct ")
    if kind.kind == "array":
        return f"{ctypes_name(kind.item)} * {kind.length}"
    if kind.kind == "pointer" and kind.item.cname == "char":
        return "C.c_char_p"
    if kind.kind in ("pointer", "function"):
        return "C.c_void_p"
    if kind.kind == "void":
        return "None"
    raise ValueError(f"no ctypes for {kind}")


def binding(text, library):
    """Source of the module: every struct that is no mere name, and every function that the library has."""
    import cffi
    ffi = cffi.FFI()
    ffi.cdef(text)
    lib = ffi.dlopen(str(library))
    lines, known = [], set()

    def struct(kind):
        name = kind.cname.removeprefix("struct ")
        if name in known or not kind.fields:
            return
        known.add(name)
        for _, field in kind.fields:
            inner = field.type.item if field.type.kind == "array" else field.type
            if inner.kind == "struct":
                struct(inner)
        rows = ", ".join(f'("{label}", {ctypes_name(field.type)})' for label, field in kind.fields)
        lines.append(f'class {name}(C.Structure):\n    _fields_ = [{rows}]\n')

    for name in ffi.list_types()[0]:
        if ffi.typeof(name).kind == "struct":
            struct(ffi.typeof(name))
    functions = []
    for name in sorted(set(re.findall(r"\b(pli_\w+)\s*\(", text))):
        kind = ffi.typeof(getattr(lib, name)) if name not in known and hasattr(lib, name) else None
        if kind is None or kind.kind != "function" or kind.ellipsis:
            continue
        arguments = ", ".join(ctypes_name(each) for each in kind.args)
        functions.append(f'    "{name}": ({ctypes_name(kind.result)}, [{arguments}]),')
    return OPENING + "\n".join(lines) + "\nFUNCTIONS = {\n" + "\n".join(functions) + '\n}\n'


def json_library(build):
    """The JSON library that libpliant_scene is linked with, which travels along."""
    listed = subprocess.run(["ldd", build / "libpliant_scene.so.0"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"libjansson\S* => (\S+)", listed)
    return [pathlib.Path(found.group(1))] if found else []


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options.add_argument("--output", type=pathlib.Path, default=ROOT / "build/blender")
    given = options.parse_args()
    libraries = [given.build / name for name in LIBRARIES] + json_library(given.build)
    for each in libraries:
        if not each.exists():
            sys.exit(f"{each} is missing; `make build` builds it")
    given.output.mkdir(parents=True, exist_ok=True)
    archive = given.output / "pliant-blender.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for source in sorted((ROOT / "bindings/blender" / PACKAGE).glob("*.*")):
            made.write(source, f"{PACKAGE}/{source.name}")
        made.write(ROOT / "LICENSE", f"{PACKAGE}/LICENSE")
        licence = pathlib.Path("/usr/share/doc/libjansson4/copyright")
        if licence.exists():
            made.write(licence, f"{PACKAGE}/lib/jansson-copyright")
        made.writestr(f"{PACKAGE}/binding.py", binding(declarations(ROOT / "include"), given.build / LIBRARIES[1]))
        for each in libraries:
            made.write(each, f"{PACKAGE}/lib/{each.name}")
    print(archive)


main()
