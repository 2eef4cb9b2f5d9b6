"""Every public function of the headers is called by the package, or stands in tools/unbound.txt with the reason why not."""
import ast
import pathlib
import re
import unittest

from support import ROOT

import pliant
from pliant._library import ffi
from pliant._part import Part

PACKAGE = pathlib.Path(pliant.__file__).parent
GENERATED = {"_bindings.py", "_documentation.py"}


def public_functions():
    """Names that the headers declare with PLI_API."""
    found = set()
    for header in sorted((ROOT / "include/pliant").glob("*.h")):
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*|//[^\n]*", "", header.read_text(), flags=re.M)
        declared = re.findall(r"\bPLI_API\b[^;(]*?\b(pli_\w+)\s*\(", text)
        if len(declared) != len(re.findall(r"\bPLI_API\b", text)):
            raise AssertionError(f"{header.name} declares something that is not a function")
        found.update(declared)
    return found


def kinds(base):
    """The kinds of the parts that a class, with those derived from it, stands for."""
    return {base._kind, *(kind for each in base.__subclasses__() for kind in kinds(each))} - {""}


class Calls(ast.NodeVisitor):
    """Functions that a module calls: attributes, names in texts, "pli_{kind}_..." of all kinds that a class has, definitions."""

    def __init__(self, module):
        self.module, self.found, self.parts = module, set(), kinds(Part)

    def visit_ClassDef(self, node):
        before, made = self.parts, getattr(self.module, node.name, None)
        if isinstance(made, type) and issubclass(made, Part):
            self.parts = kinds(made)
        self.generic_visit(node)
        self.parts = before

    def visit_FunctionDef(self, node):
        for part in node.body:  # What decorators name is documentation.
            self.visit(part)

    def visit_Attribute(self, node):
        if re.fullmatch(r"pli_\w+", node.attr):
            self.found.add(node.attr)
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str) and re.fullmatch(r"pli_\w+[^\W_]", node.value):
            self.found.add(node.value)

    def visit_JoinedStr(self, node):
        parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
        inserted = [ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)]
        if parts[0].startswith("pli_") and len(inserted) == 1 and inserted[0].endswith("._kind"):
            names = {"".join(parts).replace("*", kind) for kind in self.parts}
            self.found.update(name for name in names if re.fullmatch(r"\w+", name))
        self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id in ("definition", "_definition") and isinstance(node.args[0], ast.Constant):
            self.found.add(f"{node.args[0].value}_default")
        self.generic_visit(node)


def called():
    found = set()
    for path in PACKAGE.glob("*.py"):
        if path.name not in GENERATED:
            module = pliant if path.stem == "__init__" else __import__(f"pliant.{path.stem}", fromlist=["_"])
            calls = Calls(module)
            calls.visit(ast.parse(path.read_text()))
            found |= calls.found
    return found


def unbound():
    """{function: reason}. A reason is a line at the margin, the functions it is for are indented below it."""
    found, reason = {}, None
    for line in (ROOT / "bindings/python/tools/unbound.txt").read_text().splitlines():
        if not line.startswith(" "):
            reason = line.strip() or reason
            continue
        for name in line.split():
            if name in found:
                raise AssertionError(f"{name} stands twice in unbound.txt")
            found[name] = reason
    return found


class Bound(unittest.TestCase):
    maxDiff = None

    def test_every_function_is_bound_or_has_a_reason(self):
        public, bound, left = public_functions(), called(), unbound()
        self.assertGreater(len(public), 250)
        self.assertEqual(sorted(public - bound - set(left)), [], "neither called nor in unbound.txt")
        self.assertEqual(sorted(set(left) & bound), [], "called, and in unbound.txt")
        self.assertEqual(sorted(set(left) - public), [], "in unbound.txt, and in no header")
        for name, reason in left.items():
            self.assertRegex(reason or "", r"^[A-Z].{20,}\.$", name)

    def test_what_is_called_is_declared(self):
        kinds_of_structs = {name for names in ffi.list_types() for name in names}
        self.assertEqual(sorted(name for name in called() - public_functions() - kinds_of_structs
                                if not name.startswith("pli_python_")), [])


if __name__ == "__main__":
    unittest.main()
