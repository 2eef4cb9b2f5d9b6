// Appearance of deformables: their own, the appearance of their parts, and the edges along which hems and seams run.
#include "scene/scene_texture.h"
#include "scene_format/scene_values.h"
#include <pliant/math.h>

#include <stdlib.h>
#include <string.h>

enum { NO_PART = -1 };

static json_t *item_at(const pli_scene *scene, int32_t deformable)
{
    json_t *list = json_object_get(scene->root, "deformables");
    return deformable >= 0 ? json_array_get(list, (size_t)deformable) : NULL;
}

static json_t *parts_of(const pli_scene *scene, int32_t deformable)
{
    return json_object_get(json_object_get(item_at(scene, deformable), "look"), "parts");
}

pli_scene_look pli_scene_get_look(const pli_scene *scene, int32_t deformable)
{
    json_t *look = json_object_get(item_at(scene, deformable), "look");
    const scene_table *table = scene_find_key(scene_find_key(&scene_root, "deformables")->inner, "look")->inner;
    const pli_vec3 front = scene_vector(look, "front", (pli_vec3){0.75f, 0.25f, 0.16f});
    const pli_vec3 hem = scene_vector(look, "hem_colour", front);
    const bool hemmed = scene_number(look, "hem", 0.0) > 0.0;
    pli_scene_look found = {
        .front = front,
        .back = scene_vector(look, "back", (pli_vec3){0.16f, 0.3f, 0.45f}),
        .flat = scene_boolean(look, "flat", false),
        .pattern = scene_choice(look, "pattern", table, 0),
        .pattern_size = (float)scene_number(look, "pattern_size", 0.05),
        .weave = (float)scene_number(look, "weave", 0.0),
        .sheen = (float)scene_number(look, "sheen", 0.25),
        .gloss = (float)scene_number(look, "gloss", 0.0),
        .transmission = (float)scene_number(look, "transmission", 0.1),
        .thickness = (float)scene_number(look, "thickness", 0.0),
        .rim = scene_vector(look, "rim", hemmed ? hem : front),
        .hem = (float)scene_number(look, "hem", 0.0),
        .hem_colour = hem,
        .seam = (float)scene_number(look, "seam", 0.0),
        .seam_colour = scene_vector(look, "seam_colour", front),
    };
    found.image = scene_look_image(scene, look, "image", &found.image_width, &found.image_height);
    found.back_image = scene_look_image(scene, look, "back_image", &found.back_image_width, &found.back_image_height);
    return found;
}

/* ---- parts -------------------------------------------------------------------------------------- */

// Whether all vertices of a face are inside a box, at their positions in the scene.
static bool face_in_box(const pli_topology *t, int32_t face, const pli_transform *pose, json_t *box)
{
    pli_vec3 low = scene_vector(box, "minimum", (pli_vec3){0}), high = scene_vector(box, "maximum", (pli_vec3){0});
    for (int32_t c = t->face_offsets[face]; c < t->face_offsets[face + 1]; c++) {
        const float *at = t->positions + 3 * (size_t)t->face_vertices[c];
        pli_vec3 p = pli_add(pli_rotate(pose->rotation, (pli_vec3){at[0], at[1], at[2]}), pose->position);
        if (!(p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z))
            return false;
    }
    return box != NULL;
}

static void mark_group(const pli_mesh_attributes *attributes, const char *name, int32_t part, int32_t *parts)
{
    for (int32_t g = 0; attributes && name && g < attributes->group_count; g++) {
        const pli_mesh_group *group = &attributes->groups[g];
        if (group->kind == PLI_GROUP_VERTICES || strcmp(group->name, name) != 0)
            continue;
        for (int32_t k = 0; k < group->count; k++)
            parts[group->elements[k]] = part;
    }
}

// The number of the last part that contains each face, or none; the caller frees it. NULL when memory runs out or there is no mesh.
static int32_t *find_parts(const pli_scene *scene, int32_t deformable)
{
    const pli_mesh *mesh = pli_scene_mesh(scene, deformable);
    const pli_topology *t = mesh ? pli_mesh_topology(mesh) : NULL;
    const pli_transform pose = scene_pose(json_object_get(item_at(scene, deformable), "pose"));
    int32_t *parts = t ? malloc(((size_t)t->face_count + 1) * sizeof *parts) : NULL;
    for (int32_t f = 0; parts && f < t->face_count; f++)
        parts[f] = NO_PART;
    size_t i;
    json_t *part;
    json_array_foreach (parts_of(scene, deformable), i, part) {
        json_t *box = json_object_get(part, "box");
        for (int32_t f = 0; parts && box && f < t->face_count; f++)
            if (face_in_box(t, f, &pose, box))
                parts[f] = (int32_t)i;
        if (parts)
            mark_group(pli_scene_mesh_attributes(scene, deformable), scene_text(part, "group", NULL), (int32_t)i,
                       parts);
    }
    return parts;
}

static pli_vec3 colour_of(json_t *part) { return scene_vector(part, "colour", (pli_vec3){0.5f, 0.5f, 0.5f}); }

// Colours of the faces' fronts or backs.
static bool write_colours(const pli_scene *scene, int32_t deformable, bool backs, float *colours)
{
    int32_t *parts = find_parts(scene, deformable);
    if (!parts)
        return false;
    const pli_scene_look look = pli_scene_get_look(scene, deformable);
    const int32_t faces = pli_mesh_topology(pli_scene_mesh(scene, deformable))->face_count;
    for (int32_t f = 0; f < faces; f++) {
        json_t *part = parts[f] == NO_PART ? NULL : json_array_get(parts_of(scene, deformable), (size_t)parts[f]);
        pli_vec3 colour = part ? colour_of(part) : backs ? look.back : look.front;
        if (part && backs)
            colour = scene_vector(part, "back", pli_scale(colour, 0.75f));
        memcpy(colours + 3 * (size_t)f, &colour, sizeof colour);
    }
    free(parts);
    return true;
}

bool pli_scene_face_colours(const pli_scene *scene, int32_t deformable, float *colours)
{
    return json_array_size(parts_of(scene, deformable)) > 0 && write_colours(scene, deformable, false, colours);
}

bool pli_scene_back_colours(const pli_scene *scene, int32_t deformable, float *colours)
{
    size_t i;
    json_t *part;
    bool any = false;
    json_array_foreach (parts_of(scene, deformable), i, part)
        any = any || json_object_get(part, "back");
    return any && write_colours(scene, deformable, true, colours);
}

/* ---- edges -------------------------------------------------------------------------------------- */

bool pli_scene_look_edges(const pli_scene *scene, int32_t deformable, uint8_t *edges)
{
    int32_t *parts = find_parts(scene, deformable);
    if (!parts)
        return false;
    const pli_topology *t = pli_mesh_topology(pli_scene_mesh(scene, deformable));
    int32_t *neighbours = malloc((3 * (size_t)t->triangle_count + 1) * sizeof *neighbours);
    const bool found = neighbours && pli_find_triangle_neighbors(t->triangles, t->triangle_count, t->vertex_count,
                                                                 neighbours, NULL) == PLI_STATUS_OK;
    for (int32_t k = 0; found && k < 3 * t->triangle_count; k++) {
        const int32_t other = neighbours[k] < 0 ? NO_PART : parts[t->triangle_faces[neighbours[k] / 3]];
        edges[k] = PLI_SCENE_EDGE_NONE;
        if (neighbours[k] < 0)
            edges[k] = PLI_SCENE_EDGE_HEM;
        else if (other != parts[t->triangle_faces[k / 3]])
            edges[k] = PLI_SCENE_EDGE_SEAM;
    }
    free(neighbours);
    free(parts);
    return found;
}
