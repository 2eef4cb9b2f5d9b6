#!/usr/bin/env python3
"""The public headers: each compiles alone in every dialect, and the libraries export the functions that it declares, which a test names."""
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("PLIANT_SOURCE_DIR", os.getcwd())
BUILD = os.environ.get("PLIANT_BUILD_DIR", os.path.join(SOURCE, "build/release"))
loader = importlib.machinery.SourceFileLoader("layout", os.path.join(SOURCE, "tools/layout"))
layout = importlib.util.module_from_spec(importlib.util.spec_from_loader("layout", loader))
sys.dont_write_bytecode = True
loader.exec_module(layout)
LIBRARIES = {"ode": ["ode.h"], "scene": ["cache.h", "file_source.h", "guess.h", "mesh_attributes.h", "mesh_file.h", "plugin.h", "scene.h"], "render": ["render.h", "film.h"]}
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# What MSVC does not have; its own words are understood by clang for that target.
MSVC = ["--target=x86_64-pc-windows-msvc", "-ffreestanding", "-U__clang__", "-DPLI_SHARED", "-isystem", os.path.join(SOURCE, "tests/headers/msvc")]
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what)


def has(program):
    return subprocess.run(["which", program], capture_output=True).returncode == 0


def compiles(text, command):
    """The compiler's words, or None when it is content."""
    run = subprocess.run([*command, "-I", os.path.join(SOURCE, "include"), "-fsyntax-only", "-"], input=text,
                         capture_output=True, text=True)
    return None if run.returncode == 0 else run.stderr


def test_each_header_compiles_alone():
    dialects = {
        "C17": ["gcc", "-std=c17", "-xc", *WARN],
        "C++11": ["g++", "-std=c++11", "-xc++", *WARN, "-Wold-style-cast"],
    }
    if has("clang"):
        dialects["clang"] = ["clang", "-std=c17", "-xc", *WARN]
        dialects["MSVC, C"] = ["clang", *MSVC, "-std=c17", "-xc", *WARN]
        dialects["MSVC, building"] = ["clang", *MSVC, "-DPLI_BUILDING", "-std=c17", "-xc", *WARN]
        dialects["MSVC, C++"] = ["clang", *MSVC, "-std=c++11", "-xc++", *WARN, "-Wold-style-cast"]
    for name, command in dialects.items():
        if not has(command[0]):
            continue
        for header in layout.headers():
            said = compiles(f"#include <pliant/{header}>\n#include <pliant/{header}>\nint nothing;\n", command)
            check(said is None, f"{header} as {name}:\n{said}")


def declared(headers):
    found = set()
    for header in headers:
        if header in layout.headers():
            found |= set(re.findall(r"PLI_API\s[^;({]*?\b(pli_\w+)\s*\(", layout.code_of(header)))
    return found


def core_headers():
    return [header for header in layout.headers() if not any(header in own for own in LIBRARIES.values())]


def exported(name):
    path = os.path.join(BUILD, f"lib{name}.so")
    if not os.path.exists(path):
        return None
    names = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in names.splitlines() if " T " in line} - {"_init", "_fini"}


def test_exports_are_what_headers_declare():
    for name, headers in [("pliant", core_headers())] + [(f"pliant_{k}", v) for k, v in LIBRARIES.items()]:
        there, wanted = exported(name), declared(headers)
        if there is None:
            continue
        check(len(wanted) > 5, f"{name}: {len(wanted)} functions declared")
        check(not wanted - there, f"lib{name} lacks {sorted(wanted - there)}")
        # The file formats and pictures still show their insides.
        if name in ("pliant", "pliant_ode"):
            check(not there - wanted, f"lib{name} exports {sorted(there - wanted)} without a declaration")


def test_every_function_is_named_by_a_test():
    text = ""
    for folder, _, files in os.walk(os.path.join(SOURCE, "tests")):
        for name in files:
            if name.endswith((".c", ".h", ".cpp")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text += file.read()
    words = set(re.findall(r"\bpli_\w+", text))
    for name in sorted(declared(layout.headers())):
        plain = re.sub(r"_with$", "", name)
        check(name in words or plain in words or inline_over(name) & words, f"{name} is named by no test")


def inline_over(name):
    """Inline functions of the headers that call it."""
    found = set()
    for header in layout.headers():
        for match in re.finditer(r"static inline [\w ]+?\*?(pli_\w+)\([^)]*\)\s*\{(.*?)\n\}", layout.code_of(header), re.S):
            if re.search(rf"\b{name}\(", match.group(2)):
                found.add(match.group(1))
    return found


def main():
    with tempfile.TemporaryDirectory():
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test()
    print("headers hold" if failures == 0 else f"{failures} failures")
    return failures > 0


sys.exit(main())
