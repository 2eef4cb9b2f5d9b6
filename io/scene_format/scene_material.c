// A material is expanded into keys of its deformable that a scene could also contain, so that paths, keyframes and the rest of the loader
// need not know materials. Keys in the scene take precedence:
//
//   density, friction              unless the deformable has them
//   thickness                      unless the deformable has it, when the mesh is known (pli_material_apply)
//   constraints                    a membrane, or edges with the tensile stiffness if they tear by force, unless the deformable has
//                                  constraints; its own edges, membranes and bending sets get the stiffness, rigidity and damping that
//                                  they lack
//   rigidity                       unless the deformable has it
//
// Once the mesh is known, a rigidity is assigned to a plate, with Poisson's ratio, yield and hardening, or to a bending set, unless a
// constraint already bends or the plate has a rigidity.
#include "scene_format/scene_material.h"

#include "scene_format/scene_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pli_status scene_material_of(json_t *material, pli_material_def *def, pli_error *error)
{
    const char *name = json_is_string(material) ? json_string_value(material) : scene_text(material, "preset", NULL);
    const pli_material *preset = pli_material_find(name);
    *def = preset ? preset->def : pli_material_def_default();
    if (name && !preset)
        return pli_fail(error, PLI_STATUS_NOT_FOUND, "no material is called '%.60s'", name);
    if (json_object_get(material, "tensile_stiffness") && !json_object_get(material, "young"))
        def->young = 0.0f;
    scene_properties(material, pli_descriptor_group_find("material"), def);
    return pli_material_resolve(def, error);
}

// A float as the decimal number that it was written as.
static json_t *tidy(float value)
{
    char text[40];
    snprintf(text, sizeof text, "%.7g", (double)value);
    return json_real(strtod(text, NULL));
}

// Whether all values were written without running out of memory. A scene that lacks a value is a different scene.
typedef struct writing {
    bool complete;
} writing;

static void put(writing *w, json_t *object, const char *key, json_t *value)
{
    w->complete = json_object_set_new(object, key, value) == 0 && w->complete;
}

static void give(writing *w, json_t *object, const char *key, float value)
{
    if (!json_object_get(object, key))
        put(w, object, key, tidy(value));
}

static bool is_of_edges(json_t *set)
{
    return strcmp(scene_text(set, "type", ""), "distance") == 0 && !json_object_get(set, "particles") &&
           strcmp(scene_text(set, "generator", "edges"), "edges") == 0;
}

// The plate parameters of a sheet of the material.
static pli_plate plate_of(const pli_material_def *material)
{
    pli_deformable_def sheet = pli_deformable_def_default();
    pli_material_apply(material, &sheet, NULL);
    return sheet.plate;
}

// Adds missing values to a set of the scene.
static void expand_set(writing *w, json_t *set, scene_plugins plugins, const pli_material_def *def)
{
    const pli_constraint_type *type = scene_find_type(plugins, scene_text(set, "type", NULL));
    if (!type || !json_is_object(set))
        return;
    const bool has_own = json_object_get(set, "compliance") || json_object_get(set, "rigidity") ||
                         json_object_get(set, "tensile_stiffness");
    const pli_plate plate = plate_of(def);
    if (type->bending && plate.damping > 0.0f)
        give(w, set, "damping", plate.damping);
    if (type->bending && def->yield > 0.0f && scene_find_parameter(type, "yield")) {
        give(w, set, "yield", def->yield);
        give(w, set, "hardening", def->hardening);
    }
    if (is_of_edges(set) && !has_own && def->tensile_stiffness > 0.0f)
        give(w, set, "tensile_stiffness", def->tensile_stiffness);
    if (scene_find_parameter(type, "warp") && !json_object_get(set, "warp") && !json_object_get(set, "weft")) {
        give(w, set, "warp", def->tensile_stiffness);
        give(w, set, "weft", def->weft_stiffness > 0.0f ? def->weft_stiffness : def->tensile_stiffness);
        give(w, set, "shear", def->shear_stiffness);
        give(w, set, "poisson", def->poisson);
        give(w, set, "warp_x", def->warp[0]);
        give(w, set, "warp_y", def->warp[1]);
        give(w, set, "warp_z", def->warp[2]);
    }
}

// Whether the scene itself gives the weave of the sheet.
static bool says_weave(json_t *deformable)
{
    json_t *material = json_object_get(deformable, "material");
    return json_object_get(material, "weft_stiffness") || json_object_get(material, "shear_stiffness") ||
           json_object_get(material, "warp") || json_object_get(material, "warp_attribute");
}

// Whether the deformable tears by force, which requires edges.
static bool tears_by_force(json_t *deformable)
{
    return json_object_get(json_object_get(deformable, "tearing"), "force") != NULL;
}

static void expand(writing *w, json_t *deformable, scene_plugins plugins, const pli_material_def *def)
{
    give(w, deformable, "density", def->density);
    give(w, deformable, "friction", def->friction);
    if (!json_object_get(deformable, "constraints"))
        put(w, deformable, "constraints",
            json_pack("[{s:s}]", "type",
                      tears_by_force(deformable) && !says_weave(deformable) ? "distance" : "membrane"));
    size_t i;
    json_t *set;
    json_array_foreach (json_object_get(deformable, "constraints"), i, set)
        expand_set(w, set, plugins, def);
    if (def->rigidity > 0.0f)
        give(w, deformable, "rigidity", def->rigidity);
}

static bool is_bending(json_t *set, scene_plugins plugins)
{
    const pli_constraint_type *type = scene_find_type(plugins, scene_text(set, "type", NULL));
    return type && type->bending;
}

// Sets the rigidity of bending sets in the scene that have no value of their own. Returns whether anything bends.
static bool bends_already(writing *w, json_t *deformable, scene_plugins plugins, double rigidity)
{
    bool bends = scene_number(json_object_get(deformable, "plate"), "rigidity", 0.0) > 0.0;
    size_t i;
    json_t *set;
    json_array_foreach (json_object_get(deformable, "constraints"), i, set) {
        const pli_constraint_type *type = scene_find_type(plugins, scene_text(set, "type", NULL));
        const bool has_own = json_object_get(set, "compliance") || json_object_get(set, "rigidity");
        if (is_bending(set, plugins) && type->compliance_scale && !has_own)
            give(w, set, "rigidity", (float)rigidity);
        bends = bends || is_bending(set, plugins);
    }
    return bends;
}

static void bend_by_plate(writing *w, json_t *deformable, double rigidity)
{
    pli_material_def def;
    json_t *material = json_object_get(deformable, "material"), *plate = json_object_get(deformable, "plate");
    if (!plate)
        put(w, deformable, "plate", plate = json_object());
    give(w, plate, "rigidity", (float)rigidity);
    if (!material || scene_material_of(material, &def, NULL) != PLI_STATUS_OK)
        return;
    const pli_plate found = plate_of(&def);
    give(w, plate, "poisson", found.poisson);
    if (found.damping > 0.0f)
        give(w, plate, "damping", found.damping);
    if (found.yield > 0.0f) {
        give(w, plate, "yield", found.yield);
        give(w, plate, "hardening", found.hardening);
    }
}

static void choose_bending(writing *w, json_t *deformable, scene_plugins plugins, const pli_mesh *mesh)
{
    const double rigidity = scene_number(deformable, "rigidity", 0.0);
    if (!(rigidity > 0.0) || bends_already(w, deformable, plugins, rigidity))
        return;
    const char *type = pli_mesh_recommended_bending(mesh);
    if (strcmp(type, "plate") == 0) {
        bend_by_plate(w, deformable, rigidity);
        return;
    }
    if (!json_object_get(deformable, "constraints"))
        put(w, deformable, "constraints", json_array());
    json_t *set = json_pack("{s:s}", "type", type);
    give(w, set, "rigidity", (float)rigidity);
    w->complete = json_array_append_new(json_object_get(deformable, "constraints"), set) == 0 && w->complete;
}

static void choose_thickness(writing *w, json_t *deformable, const pli_mesh *mesh)
{
    pli_material_def material;
    pli_deformable_def def = pli_deformable_def_default();
    json_t *given = json_object_get(deformable, "material");
    def.mesh = mesh;
    if (given && scene_material_of(given, &material, NULL) == PLI_STATUS_OK &&
        pli_material_apply(&material, &def, NULL) == PLI_STATUS_OK)
        give(w, deformable, "thickness", def.thickness);
}

bool scene_fit_to_mesh(json_t *deformable, scene_plugins plugins, const pli_mesh *mesh)
{
    writing w = {true};
    choose_thickness(&w, deformable, mesh);
    choose_bending(&w, deformable, plugins, mesh);
    return w.complete;
}

bool scene_expand_materials(json_t *root, scene_plugins plugins)
{
    writing w = {true};
    size_t i;
    json_t *deformable;
    json_array_foreach (json_object_get(root, "deformables"), i, deformable) {
        json_t *material = json_object_get(deformable, "material");
        pli_material_def def;
        if (material && scene_material_of(material, &def, NULL) == PLI_STATUS_OK)
            expand(&w, deformable, plugins, &def);
    }
    return w.complete;
}

void scene_check_material(scene_diagnostics *f, json_t *deformable, const char *path)
{
    char inner[200];
    pli_material_def def;
    pli_error error;
    json_t *material = json_object_get(deformable, "material"), *set;
    snprintf(inner, sizeof inner, "%.150s.material", path);
    if (material && scene_material_of(material, &def, &error) != PLI_STATUS_OK)
        scene_report(f, error.status, false, inner, "%.380s", error.message);
    size_t i;
    json_array_foreach (json_object_get(deformable, "constraints"), i, set) {
        if (!json_object_get(set, "tensile_stiffness"))
            continue;
        snprintf(inner, sizeof inner, "%.140s.constraints[%zu].tensile_stiffness", path, i);
        if (!is_of_edges(set))
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, inner,
                         "only sets of the type 'distance' from the generator 'edges' have one; give a compliance");
        else if (json_object_get(set, "compliance"))
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, inner,
                         "the set has a compliance too; give one of the two");
    }
}
