"""Properties of scenes and objects in Blender, made from the rows by which the library describes its own."""
import functools
import math
import os

import bpy
import numpy as np
from bpy import props
from bpy.props import CollectionProperty, PointerProperty

from .library import descriptors, group, painted

# A bake takes settings once, so they cannot be animated.
BoolProperty, BoolVectorProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty = (
    functools.partial(getattr(props, f"{name}Property"), options=set())
    for name in ("Bool", "BoolVector", "Enum", "Float", "FloatVector", "Int", "String"))
LARGEST = 3.4e38
# What follows from the Blender scene, or that its playback cannot show.
SETTINGS = [row for row in group("settings") if row["name"] not in ("gravity", "wind", "gust_strength", "air_density")]
CLOTH = [row for row in group("deformable") if row["name"] not in ("paused",)]
COLLIDER = [row for row in group("collider") if row["section"] != "basic" or row["name"] == "one_sided"]
BENDING = [each for each in descriptors()["types"] if each["bending"]]
MEMBRANE, VOLUME = ([each for each in descriptors()["types"] if each["name"] == name][0] for name in ("membrane", "volume"))


def sentence(row):
    """The tooltip: what it means, a word of help, the unit. Blender adds the full stop."""
    said = " ".join(part for part in (row["summary"], row.get("help")) if part)
    return (said + (f" [{row['unit']}]" if row.get("unit") else "")).rstrip(".")


def _numeric(row):
    low, high = row.get("minimum"), row.get("maximum")
    soft = row.get("soft") if (row.get("soft") or {}).get("times") == "one" else None
    kept = {"name": row["label"], "description": sentence(row)}
    if row["kind"] == "integer":
        low, high = low if low is not None else -2**31, high if high is not None else 2**31 - 1
        return {**kept, "min": int(low), "max": int(high), "default": int(row["default"] or 0)}
    # What has no default is not given unless it is set: 0 then stands for that.
    unset = row.get("default") is None
    kept |= {"min": 0.0 if unset else max(-LARGEST, -math.inf if low is None else low),
             "max": min(LARGEST, math.inf if high is None else high)}
    if soft:
        kept |= {"soft_min": 0.0 if unset else soft["minimum"], "soft_max": soft["maximum"]}
    return kept | {"precision": 6, "step": 1}


def annotation(row):
    """The property of Blender for a row."""
    kept, kind = {"name": row["label"], "description": sentence(row)}, row["kind"]
    if kind == "number":
        return FloatProperty(default=row["default"] or 0.0, **_numeric(row))
    if kind == "integer":
        return IntProperty(**_numeric(row))
    if kind == "boolean":
        return BoolProperty(default=row["default"], **kept)
    if kind == "vector":
        return FloatVectorProperty(default=row["default"], size=3, **_numeric(row))
    if kind == "layer":
        return IntProperty(min=0, max=31, default=0, **kept)
    if kind == "layers":
        return BoolVectorProperty(size=32, default=[True] * 32, subtype="LAYER", **kept)
    items = [(each["name"], each["label"], each["summary"]) for each in row["choices"]]
    return EnumProperty(items=items, default=row["default"], **kept)


def short(value):
    """A number of 32 bits as few digits that give it back."""
    return float(str(np.float32(value)))


def given(owner, rows):
    """{key: value} for a scene file of the properties that differ from their defaults."""
    found = {}
    for row in rows:
        name, kind, default = row["name"], row["kind"], row.get("default")
        value = getattr(owner, name)
        if kind == "number":
            if np.float32(value) != np.float32(default or 0.0):
                found[name] = short(value)
        elif kind == "vector":
            if [np.float32(each) for each in value] != [np.float32(each) for each in default]:
                found[name] = [short(each) for each in value]
        elif kind == "layers":
            if not all(value):
                found[name] = [i for i, bit in enumerate(value) if bit]
        elif value != (default or 0 if kind in ("integer", "layer") else default):
            found[name] = value
    return found


def made(name, rows, more=None):
    """A class of properties: one for each row, and others."""
    annotations = {row["name"]: annotation(row) for row in rows}
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": annotations | (more or {})})


def _kinds():
    yield ("NONE", "Nothing", "Pliant leaves this object alone")
    yield ("CLOTH", "Cloth", "Pliant simulates it: cloth, paper, leaves, balloons")
    yield ("COLLIDER", "Collider", "Cloth collides with it, as its modifiers and its animation have it at each frame")


def _guesses():
    yield ("AUTO", "By its shape", "Cloth, a shell or a balloon, as its shape says")
    yield ("CLOTH", "Cloth", "It hangs from its upper border, or falls")
    yield ("SHELL", "Shell", "It stands on its lowest points and keeps its shape")
    yield ("BALLOON", "Balloon", "A shell that keeps its volume as well")


def _presets():
    yield ("OWN", "Own numbers", "The numbers below")
    for each in descriptors()["materials"]:
        yield (each["name"], each["label"], f"{each['summary']} {each['source']}"[:900])


def _models():
    yield ("MATERIAL", "What the material says", "Stretch and bending follow from the material's measured numbers")
    yield ("PLATE", "Plate", "Bending solved for the whole sheet simultaneously, with the requested rigidity")
    for each in BENDING:
        yield (each["name"], each["label"], each["summary"])


Material = made("PliantMaterial", group("material"), {
    "preset": EnumProperty(name="Material", items=list(_presets()), default="cotton",
                           description="A fabric with measured numbers, or your own")})
Plate = made("PliantPlate", group("plate"))
Membrane = made("PliantMembrane", MEMBRANE["parameters"])
Volume = made("PliantVolume", VOLUME["parameters"])
Bends = {each["name"]: made("Pliant" + each["label"].title().replace(" ", "").replace("-", ""), each["parameters"])
         for each in BENDING}
Bending = type("PliantBending", (bpy.types.PropertyGroup,),
               {"__annotations__": {name: PointerProperty(type=kind) for name, kind in Bends.items()}})
Painted = type("PliantPainted", (bpy.types.PropertyGroup,), {"__annotations__": {
    "what": EnumProperty(name="What", items=[(name, name.capitalize(), said) for name, said in painted().items()],
                         description="The number that differs from place to place"),
    "vertex_group": StringProperty(name="Vertex group", description="Weights 0 to 1 stand for the two numbers beside"),
    "low": FloatProperty(name="At weight 0", default=0.0, precision=6, description="Number where the weight is 0"),
    "high": FloatProperty(name="At weight 1", default=1.0, precision=6, description="Number where the weight is 1")}})
Collider = made("PliantCollider", COLLIDER)
Cloth = made("PliantCloth", CLOTH, {
    "own_density": BoolProperty(name="Own density", description="The density below instead of the material's"),
    "own_thickness": BoolProperty(name="Own thickness", default=True,
                                  description="The distance that contact keeps below instead of the material's thickness"),
    "own_friction": BoolProperty(name="Own friction", description="The friction below instead of the material's"),
    "material": PointerProperty(type=Material), "plate": PointerProperty(type=Plate),
    "bending": PointerProperty(type=Bending),
    "membrane": PointerProperty(type=Membrane), "volume": PointerProperty(type=Volume),
    "model": EnumProperty(name="Bending", items=list(_models()), description="The bending model"),
    "stretch_model": EnumProperty(name="Stretch model", items=[("distance", "Edges", "Edges keep their lengths"),
                                                               ("membrane", "Membrane", MEMBRANE["summary"])],
                                  description="What resists stretching where the bending model is chosen here"),
    "inflate": BoolProperty(name="Inflate", description="Keeps the volume of a closed mesh, as a balloon does"),
    "pins": StringProperty(name="Pins", description="Vertex group whose vertices with a weight above 0.5 are pinned. They "
                                                    "follow the object, its parents and the modifiers above Pliant"),
    "sew": BoolProperty(name="Sew loose edges", description="Edges without a face pull their two vertices together, as Blender's sewing does"),
    "seam_time": FloatProperty(name="Closing time", default=1.0, min=0.001, max=1e4, soft_max=10.0, precision=3,
                               description="Time after which the seams are closed [s]"),
    "seam_gap": FloatProperty(name="Gap", default=0.005, min=0.0, max=1e3, soft_max=0.05, precision=4,
                              description="Length that is left of the longest sewn edge; contact keeps at least the thickness [m]"),
    "seam_compliance": FloatProperty(name="Compliance", default=0.01, min=0.0, max=1e6, soft_max=1.0, precision=5,
                                     description="Inverse stiffness of a sewn edge; the larger, the weaker it pulls [m^2/J]"),
    "joints": StringProperty(options={"HIDDEN"}, description="Pairs of vertices that join the pieces of a shell"),
    "taken_for": EnumProperty(name="Taken for", items=list(_guesses()), update=lambda cloth, context: _on_guess(cloth, context),
                              description="What the object is. A change sets stiffness, thickness, pins and substeps again"),
    "reason": StringProperty(options={"SKIP_SAVE"}),
    "painted": CollectionProperty(type=Painted)})
Item = type("PliantObject", (bpy.types.PropertyGroup,), {"__annotations__": {
    "kind": EnumProperty(name="Pliant", items=list(_kinds()), update=lambda item, context: _on_kind(item, context),
                         description="What the object is in the simulation"),
    "cloth": PointerProperty(type=Cloth), "collider": PointerProperty(type=Collider)}})
World = made("PliantScene", SETTINGS, {
    "air_density": FloatProperty(name="Air density", default=1.2, min=0.0, max=1e6, soft_max=5.0, precision=4,
                                 description="Density of the air, which gives wind and drag their force; 0 for none [kg/m^3]"),
    "ccd": annotation(group("contact")[0]),
    "threads": IntProperty(name="Threads", default=min(os.cpu_count() or 1, 64), min=1, max=64,
                           description="Number of threads. Results do not depend on it"),
    "live": BoolProperty(name="Live", default=True,
                         description="Simulates while the animation plays forwards from the first frame, unless it is baked"),
    "checkpoint": IntProperty(name="Checkpoint", default=50, min=1, max=100000,
                              description="Frames of a bake between two states from which it can be resumed"),
    "message": StringProperty(name="Message", options={"SKIP_SAVE"})})

_register_classes, _unregister_classes = bpy.utils.register_classes_factory([
    Material, Plate, Membrane, Volume, *Bends.values(), Bending, Painted, Collider, Cloth, Item, World])


def _on_kind(item, context):
    from . import cache
    cache.fit_modifier(item.id_data)
    # A flat sheet, and what has been set before, are left as they are.
    if item.kind == "CLOTH" and not item.cloth.is_property_set("taken_for") and not item.cloth.reason:
        _on_guess(item.cloth, context)


def _on_guess(cloth, context):
    from . import guess
    item = cloth.id_data
    if item.type == "MESH":
        cloth.reason = guess.try_apply(item, context.scene, cloth.taken_for)


def register():
    _register_classes()
    bpy.types.Object.pliant = PointerProperty(type=Item)
    bpy.types.Scene.pliant = PointerProperty(type=World)


def unregister():
    del bpy.types.Object.pliant, bpy.types.Scene.pliant
    _unregister_classes()
