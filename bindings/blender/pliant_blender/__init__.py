"""Pliant in Blender: cloth, paper, leaves and balloons, live and baked, bit-identical to `pliant run`."""
bl_info = {
    "name": "Pliant cloth",
    "author": "The Pliant authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Physics, Properties > Scene",
    "description": "Cloth that neither stretches nor goes through itself, live and baked",
    "doc_url": "",
    "category": "Physics",
}


def register():
    """Loads the library first: where that fails, Blender shows why and the add-on stays off."""
    from . import library
    library.library()
    from . import changes, live, operators, panels, properties
    for each in (properties, operators, panels, live, changes):
        each.register()


def unregister():
    """Removes everything that register has made, sessions included."""
    from . import changes, live, operators, panels, properties
    for each in (changes, live, panels, operators, properties):
        each.unregister()
