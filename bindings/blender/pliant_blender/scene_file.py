"""Writes the simulation as a scene of Pliant: scene.json, a PLY file for each mesh, a PC2 file for each collider that moves.

`pliant run` of that file gives the bits that a bake gives, since the bake loads it too.
"""
import hashlib
import json

import numpy as np

from . import cache
from .library import group
from .properties import BENDING, CLOTH, COLLIDER, MEMBRANE, SETTINGS, VOLUME, given, short

OWN = ("density", "thickness", "friction")


def rate(scene):
    """Frames per second."""
    return scene.render.fps / scene.render.fps_base


def numbers(values):
    return [short(each) for each in values]


def write_ply(path, positions, sizes, corners, painted=()):
    """A mesh with a property of its vertices for each painted number."""
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(positions)}"]
    header += [f"property float {name}" for name in ("x", "y", "z")]
    header += [f"property float painted_{what}" for what, _ in painted]
    header += [f"element face {len(sizes)}", "property list int int vertex_indices", "end_header", ""]
    columns = np.column_stack([positions, *(weights for _, weights in painted)]).astype("<f4")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    faces = np.insert(corners, starts, sizes).astype("<i4")
    path.write_bytes("\n".join(header).encode() + columns.tobytes() + faces.tobytes())


def material(own):
    """The key "material" of a deformable."""
    if own.material.preset != "OWN":
        return {"preset": own.material.preset}
    numbers_of_it = given(own.material, group("material"))
    return numbers_of_it or {"density": short(own.material.density)}


def constraint_sets(own):
    """The key "constraints", or None where the material decides."""
    if own.model == "MATERIAL" and not own.inflate:
        return None
    sets = [{"type": own.stretch_model,
             **(given(own.membrane, MEMBRANE["parameters"]) if own.stretch_model == "membrane" else {})}]
    for row in BENDING:
        if row["name"] == own.model:
            sets.append({"type": row["name"], **given(getattr(own.bending, row["name"]), row["parameters"])})
    if own.model == "MATERIAL":
        sets.append({"type": "isometric"})
    if own.inflate:
        sets.append({"type": "volume", **given(own.volume, VOLUME["parameters"])})
    return sets


def sheet(own):
    """The keys of an item of "deformables" that follow from the settings of a cloth alone."""
    made = {"material": material(own)} | {key: value for key, value in given(own, CLOTH).items() if key not in OWN}
    made |= {key: short(getattr(own, key)) for key in OWN if getattr(own, f"own_{key}")}
    sets = constraint_sets(own)
    if sets:
        made["constraints"] = sets
    if own.model == "PLATE":
        made["plate"] = given(own.plate, group("plate"))
        if "rigidity" not in made["plate"]:
            del made["plate"]  # Without a bending set, the plate takes the rigidity of the material.
    if own.painted:
        made["painted"] = {row.what: {"attribute": f"painted_{row.what}", "from": short(row.low), "to": short(row.high)}
                           for row in own.painted}
    return made


def seam(cloth, own, number):
    """The set that closes the loose edges of a cloth: tethers that shorten."""
    return {"type": "tether", "name": f"sewing {number}", "particles": [int(each) for each in cloth.seams.ravel()],
            "compliance": short(own.seam_compliance)}


def deformable(cloth, own, number):
    """An item of "deformables"."""
    made = {"name": cloth.name, "mesh": {"file": f"meshes/{cloth.file}.ply"}} | sheet(own)
    sets = made.pop("constraints", [])
    joints = json.loads(own.joints or "[]")
    # Modifiers that change the vertices change their numbers.
    if sets and joints and max(joints) < len(cloth.positions):
        sets.append({"type": "distance", "name": "joints", "particles": joints})
    if len(cloth.seams):
        sets = (sets or [{"type": "membrane"}]) + [seam(cloth, own, number)]
    return made | ({"constraints": sets} if sets else {})


def attachments(cloth, tracks, per_second):
    """A frame of its own for each pinned vertex, so that it can go where the vertex goes."""
    made = [{"particles": [int(each)]} for each in cloth.pins]
    if len(tracks) < 2:
        return made
    start = tracks[0].astype(np.float32)
    shifts = np.array([each.astype(np.float32) - start for each in tracks])
    for i in np.flatnonzero(np.abs(shifts).max(axis=(0, 2)) > 0) if len(cloth.pins) else ():
        made[i]["motion"] = {"keyframes": [{"time": frame / per_second, "position": numbers(shift)}
                                           for frame, shift in enumerate(shifts[:, i])]}
    return made


def keyed(path, values, per_second):
    """A keyframe track, or nothing where the value stays."""
    if all(np.array_equal(each, values[0]) for each in values):
        return []
    return [{"path": path, "keys": [[frame / per_second, numbers(each) if np.ndim(each) else short(each)]
                                    for frame, each in enumerate(values)]}]


def solver(world):
    """The settings of the world that are set in Blender."""
    return given(world, SETTINGS) | {"air_density": short(world.air_density)}


def colliding(own):
    """The keys of a collider that follow from its settings alone."""
    return given(own, COLLIDER)


def settings(world, plan):
    return solver(world) | {"gravity": numbers(plan.first.gravity), "wind": numbers(plan.first.wind), "gust_strength": short(plan.first.gusts)}


def write(folder, scene, plan, moments, frames):
    """Writes the scene; `moments` are those of all frames, or of the first alone for a session that is told the others. Returns the
    fingerprint of all that was written."""
    per_second, meshes = rate(scene), folder / "meshes"
    meshes.mkdir(parents=True, exist_ok=True)
    made = {"pliant": 1, "title": scene.name, "up": "z", "frames": frames, "frames_per_second": per_second,
            "settings": settings(scene.pliant, plan), "contact": {"ccd": scene.pliant.ccd}, "deformables": []}
    if plan.gust_size > 0:
        made["gust_length"] = short(plan.gust_size)
    for i, each in enumerate(plan.cloths):
        own = scene.objects[each.name].pliant.cloth
        write_ply(meshes / f"{each.file}.ply", each.positions, each.sizes, each.corners, each.painted)
        row = deformable(each, own, i)
        held = attachments(each, [moment.pins[i] for moment in moments], per_second)
        made["deformables"].append(row | ({"attachments": held} if held else {}))
    made["colliders"] = [_collider(folder, scene, i, each, moments, per_second) for i, each in enumerate(plan.colliders)]
    made["keyframes"] = [row for name, key in (("wind", "wind"), ("gravity", "gravity"), ("gust_strength", "gusts"))
                         for row in keyed(f"settings.{name}", [getattr(each, key) for each in moments], per_second)]
    made["keyframes"] += [{"path": f"deformables.{i}.constraints.{len(made['deformables'][i]['constraints']) - 1}.slack", "keys": each.closing}
                          for i, each in enumerate(plan.cloths) if len(each.seams)]
    made["view"] = {"ground": False}
    (folder / "scene.json").write_text(json.dumps({key: value for key, value in made.items() if value != []}, indent=1))
    return fingerprint(folder, made)


def _collider(folder, scene, i, each, moments, per_second):
    name = f"meshes/collider-{each.file}"
    write_ply(folder / f"{name}.ply", each.positions, each.sizes, each.corners)
    made = {"shape": "mesh", "mesh": {"file": f"{name}.ply"}, **colliding(scene.objects[each.name].pliant.collider)}
    (folder / f"{name}.pc2").unlink(missing_ok=True)
    if any(not np.array_equal(moment.colliders[i], each.positions) for moment in moments):
        with cache.Writer(folder / f"{name}.pc2", len(each.positions), 0) as written:
            for frame, moment in enumerate(moments):
                written.put(frame, moment.colliders[i])
        made["animation"] = {"file": f"{name}.pc2", "speed": per_second / 60.0}
    return made


def fingerprint(folder, made):
    """Of a scene and the files that it names."""
    found = hashlib.sha256(json.dumps(made, sort_keys=True).encode())
    for each in made["deformables"] + made["colliders"]:
        for key in ("mesh", "animation"):
            if key in each:
                found.update((folder / each[key]["file"]).read_bytes())
    return found.hexdigest()
