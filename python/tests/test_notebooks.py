"""Notebooks: their cells run in order, what they compute is held against closed forms and the experiments, and their stored
outputs are what the cells give.

PLIANT_UPDATE=1 stores the outputs anew.
"""
import ast
import contextlib
import io
import json
import math
import os
import re
import sys
import types
import unittest
import xml.etree.ElementTree
from unittest import mock

import numpy as np
from support import ROOT

KAPPA = ROOT / "python/notebooks/kappa.ipynb"


def run_cell(source, names):
    """Runs a cell, and gives its outputs as a notebook has them: what it prints, and its last expression."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, KAPPA.name, "exec"), names)
        if last:
            value = eval(compile(last, KAPPA.name, "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": {"image/svg+xml": [value._repr_svg_()]}, "execution_count": None, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


class Slider:
    """What the notebook needs of ipywidgets: it remembers the function and the slider that it was given."""

    def __init__(self):
        self.module = types.ModuleType("ipywidgets")
        self.module.FloatSlider = lambda **values: types.SimpleNamespace(**values)
        self.module.interact = lambda function, kappa: vars(self).update(function=function, kappa=kappa)


def corners(svg, kind):
    """The points of all shapes of a kind."""
    root = xml.etree.ElementTree.fromstring(svg)
    return [np.array([pair.split(",") for pair in shape.get("points").split()], float)
            for shape in root.iter(f"{{http://www.w3.org/2000/svg}}{kind}")]


class Kappa(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.book, cls.slider = json.loads(KAPPA.read_text()), Slider()
        cls.cells = [cell for cell in cls.book["cells"] if cell["cell_type"] == "code"]
        cls.names = {"__name__": "__main__"}
        with mock.patch.dict(sys.modules, {"ipywidgets": cls.slider.module}):
            cls.outputs = [run_cell("".join(cell["source"]), cls.names) for cell in cls.cells]

    def assert_same(self, stored, given, what):
        """Equal, but for one unit in the last digit of numbers: drawings go through numpy's products, which sum in an order of the machine's."""
        number = r"-?\d+(?:\.\d+)?"
        stored, given = json.dumps(stored), json.dumps(given)
        self.assertEqual(re.sub(number, "#", stored), re.sub(number, "#", given), what)
        for a, b in zip(re.findall(number, stored), re.findall(number, given)):
            digits = len(a.partition(".")[2])
            self.assertLessEqual(abs(float(a) - float(b)), 1.01 * 10.0 ** -digits if digits else 0.0, what)

    def test_stored_outputs_are_what_the_cells_give(self):
        if os.environ.get("PLIANT_UPDATE"):
            for cell, outputs in zip(self.cells, self.outputs):
                cell["outputs"] = outputs
            KAPPA.write_text(json.dumps(self.book, indent=1, ensure_ascii=False) + "\n")
        for cell, outputs in zip(self.cells, self.outputs):
            self.assert_same(cell["outputs"], outputs, "".join(cell["source"])[:60])

    def test_ribbon_hangs_as_the_closed_form_says(self):
        edge = 5 / 9
        for kappa in (0.004, 0.01, 0.03, 0.06, 0.1):
            turn, length = 2 * math.asin(1.5 * kappa / edge), 0.0
            row = self.names["ribbon"](kappa)[:10].astype(float)
            for j, step in enumerate(np.diff(row, axis=0)):
                angle = min(j * turn, math.pi / 2)
                length += edge * math.sin(angle)
                within = math.radians(0.1 if angle < math.pi / 2 else 4)  # What hangs straight down swings for long.
                self.assertAlmostEqual(math.atan2(-step[1], step[0]), angle, delta=within, msg=f"{kappa}, edge {j}")
            self.assertAlmostEqual(self.names["drops"][kappa], length, delta=0.005, msg=str(kappa))
        self.assertAlmostEqual(self.names["drops"][0], 0, delta=0.005)

    def test_panels_are_those_of_the_experiment(self):
        """The same fabric, computed by a program in C; the page has three digits."""
        page = (ROOT / "docs/experiments.md").read_text().partition('<a id="kelager-fig8">')[2]
        row = re.search(r"^\| 5 \|((?: \d\.\d{3} \|){6})$", page, re.MULTILINE).group(1)
        np.testing.assert_allclose(self.names["sags"], [float(sag) for sag in re.findall(r"[\d.]+", row)], rtol=0, atol=6e-4)

    def test_figure_shows_what_the_paper_says(self):
        a, b, c, _, e, f = self.names["sags"]
        self.assertGreater(min(b / a, c / b), 1.5)  # The three kappas grade.
        self.assertLess(c, 1 / 3)                   # And the last is still a bent fabric.
        self.assertAlmostEqual(self.names["power_of_kappa"], 1, delta=0.25)
        self.assertLess(self.names["power_of_k"], 0.5 * self.names["power_of_kappa"])
        self.assertGreater(self.names["change"], 2)
        self.assertEqual(len(corners(self.names["figure"]._repr_svg_(), "polygon")), 6 * 81)

    def test_slider_bends_by_kappa(self):
        slider, lowest = self.slider.kappa, []
        self.assertIs(self.slider.function, self.names["show"])
        for kappa in np.linspace(slider.min, slider.max, 5):
            svg = self.slider.function(kappa)._repr_svg_()
            faces, (formula,) = corners(svg, "polygon"), corners(svg, "polyline")
            self.assertEqual(len(faces), 81 + 9)
            drawn = np.vstack(faces[81:])  # The ribbon, whose front edge goes along the formula.
            distance = np.linalg.norm(drawn[:, None] - formula[None], axis=2).min(axis=0)
            self.assertLess(distance.max(), 8, f"kappa {kappa}: pixels, 50 a metre, between the ribbon and its formula")
            lowest.append((np.vstack(faces[:81])[:, 1].max(), drawn[:, 1].max()))
        self.assertTrue((np.diff(lowest, axis=0) > 4).all(), lowest)  # Each is lower than the one before.

    def test_it_works_without_widgets(self):
        names = dict(self.names)
        with mock.patch.dict(sys.modules, {"ipywidgets": None}):
            for cell in self.cells[-2:]:
                outputs = run_cell("".join(cell["source"]), names)
        self.assertEqual(outputs, self.outputs[-1])


if __name__ == "__main__":
    unittest.main()
