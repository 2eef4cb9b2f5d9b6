"""What cffi and the documentation of the package need to know of the library, made from its headers alone.

The C compiler preprocesses them, so that tables which are macros are written out. Declarations of other headers and
inline functions are left out. Used by setup.py while a wheel is built; nothing of it is needed at run time.
"""
import pathlib
import re
import subprocess

HEADERS = ("pliant/pliant.h", "pliant/scene.h", "pliant/mesh_file.h", "pliant/guess.h", "pliant/cache.h", "pliant/plugin.h", "pliant/ode.h")


def declarations(include, own_header, compiler="cc"):
    """Declarations of the public headers below `include`, and of the package's own, as cffi reads them."""
    source = "".join(f"#include <{name}>\n" for name in HEADERS) + f'#include "{own_header}"\n'
    command = [compiler, "-E", "-D__attribute__(x)=", f"-I{include}", "-xc", "-"]
    text = subprocess.run(command, input=source, text=True, capture_output=True, check=True).stdout
    places, kept, wanted = (str(pathlib.Path(include) / "pliant"), str(own_header)), [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            wanted = marker.group(1).startswith(places)
        elif wanted:
            kept.append(line)
    return without_inline_functions("\n".join(kept))


def without_inline_functions(text):
    """Braces are counted, since bodies may have blocks."""
    parts = re.split(r"(?m)^(?=static inline\b)", text)
    for i, part in enumerate(parts[1:], 1):
        depth = 0
        for at, letter in enumerate(part):
            depth += (letter == "{") - (letter == "}")
            if letter == "}" and depth == 0:
                parts[i] = part[at + 1:]
                break
    return "".join(parts)


def module(text, name):
    """Source of the Python module with these declarations, in which nothing is parsed any more when it is imported."""
    import cffi
    ffi = cffi.FFI()
    ffi.cdef(text)
    ffi.set_source(name, None)
    return ffi


def documentation(include):
    """{function: what its header says of it}, as paragraphs."""
    found = {}
    for header in sorted(pathlib.Path(include, "pliant").glob("*.h")):
        found.update(documented_functions(header.read_text(encoding="utf-8")))
    return found


def documented_functions(text):
    found = {}
    for match in re.finditer(r"((?:^[ ]*///.*\n)+)(?:PLI_API|typedef)\b[^;{]*?\b(pli_\w+)\s*(?:\(|\{|;)", text, re.M):
        lines = [line.strip().removeprefix("///").strip() for line in match.group(1).splitlines()]
        found[match.group(2)] = "\n".join(lines)
    return found
