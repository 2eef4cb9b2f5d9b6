// Changed values are written to the places of the scene's JSON that the loader reads them from: sets and attachments are numbered
// through the file.
#include "files/scene_copy.h"

#include "session/values.h"
#include "files/scene_numbers.h"
#include "files/scene_paints.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <jansson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- state at the start ------------------------------------------------------------------------- */

static int32_t count_of(const pli_constraint_type *type)
{
    int32_t count = 0;
    while (pli_constraint_type_parameter(type, count))
        count++;
    return count;
}

static struct pli_view_held held_of(const pli_world *world, int32_t i)
{
    struct pli_view_held held = {.handle = pli_world_attachment_at(world, i)};
    pli_attachment_def def;
    pli_attachment_particles(world, held.handle, NULL, 0, &held.particle_count, NULL);
    if (pli_attachment_get_def(world, held.handle, &def, NULL) == PLI_STATUS_OK)
        held.enabled = def.enabled;
    return held;
}

pli_status pli_view_baseline_read(pli_view_baseline *b, const pli_world *world, int32_t collider_count,
                                  const char *path, pli_error *error)
{
    *b = (pli_view_baseline){.held_count = pli_world_attachment_count(world), .collider_count = collider_count};
    if (path && pli_cli_file_read(path, &b->text, &b->text_size, error) != PLI_STATUS_OK)
        return error->status;
    b->held = calloc((size_t)b->held_count + 1, sizeof *b->held);
    b->poses = calloc((size_t)b->collider_count + 1, sizeof *b->poses);
    pli_status status = pli_session_values_read(&b->values, world, error);
    if (status == PLI_STATUS_OK && (!b->held || !b->poses))
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene's values");
    if (status != PLI_STATUS_OK) {
        pli_view_baseline_release(b);
        return status;
    }
    for (int32_t i = 0; i < b->held_count; i++)
        b->held[i] = held_of(world, i);
    for (int32_t i = 0; i < b->collider_count; i++) {
        pli_collider_def def;
        if (pli_collider_get_def(world, pli_world_collider_at(world, i), &def, NULL) == PLI_STATUS_OK)
            b->poses[i] = def.pose;
    }
    return PLI_STATUS_OK;
}

void pli_view_baseline_release(pli_view_baseline *b)
{
    pli_session_values_release(&b->values);
    free(b->held);
    free(b->poses);
    free(b->text);
    *b = (pli_view_baseline){0};
}

/* ---- values as JSON ----------------------------------------------------------------------------- */

static json_t *value_of(const pli_property *p, const double *values)
{
    if (p->kind == PLI_PROPERTY_BOOLEAN)
        return json_boolean(values[0] != 0.0);
    if (p->kind == PLI_PROPERTY_CHOICE && p->choices)
        return json_string(p->choices[(int32_t)values[0]].name);
    if (p->kind != PLI_PROPERTY_VECTOR)
        return pli_view_json_number(values[0]);
    json_t *list = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(list, pli_view_json_number(values[k]));
    return list;
}

static json_t *vector_of(pli_vec3 v)
{
    const double values[3] = {(double)v.x, (double)v.y, (double)v.z};
    return value_of(&(pli_property){.kind = PLI_PROPERTY_VECTOR}, values);
}

/* ---- changes ------------------------------------------------------------------------------------ */

typedef struct copy {
    const pli_view_baseline *start;
    const pli_world *world;
    const pli_view_copy_def *def;
    json_t *root;
    int32_t changes;
} copy;

// Whether keyframes of the scene animate a value of this name.
static bool is_led(const copy *c, const char *name)
{
    size_t i;
    json_t *keyframe;
    json_array_foreach (json_object_get(c->root, "keyframes"), i, keyframe) {
        const char *path = json_string_value(json_object_get(keyframe, "path")),
                   *dot = path ? strrchr(path, '.') : NULL;
        if (dot && strcmp(dot + 1, name) == 0)
            return true;
    }
    return false;
}

static void put_group(copy *c, const char *group_name)
{
    const pli_descriptor_group *group = pli_descriptor_group_find(group_name);
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        double before[3] = {0}, after[3] = {0};
        pli_property_read(p, &c->start->values.settings, before);
        pli_property_read(p, c->def->settings, after);
        if (memcmp(before, after, sizeof after) == 0 || is_led(c, p->name))
            continue;
        json_object_set_new(pli_view_json_item(c->root, group_name, JSON_OBJECT), p->name, value_of(p, after));
        c->changes++;
    }
}

static json_t *deformable_json(const copy *c, pli_deformable deformable)
{
    int32_t i = 0, count = pli_world_deformable_count(c->world);
    while (i < count && pli_world_deformable_at(c->world, i).id != deformable.id)
        i++;
    return json_array_get(json_object_get(c->root, "deformables"), (size_t)i);
}

// The type of the world's i-th set as a scene names it. A set that bends by a rigidity alone takes no other value from its material,
// unlike the sets that the scene lists.
static json_t *named_set(const copy *c, int32_t i)
{
    static const char *const of_material[] = {"damping", "yield", "hardening"};
    pli_constraints set = pli_world_constraints_at(c->world, i);
    pli_constraints_info info;
    if (pli_constraints_get_info(c->world, set, &info, NULL) != PLI_STATUS_OK)
        return NULL;
    json_t *json = json_pack("{ss}", "type", info.type->name);
    double value;
    for (size_t n = 0; info.type->bending && n < sizeof of_material / sizeof *of_material; n++)
        if (pli_constraints_get_parameter(c->world, set, of_material[n], &value, NULL) == PLI_STATUS_OK)
            json_object_set_new(json, of_material[n], pli_view_json_number(value));
    return json;
}

// The JSON of the world's i-th set, which is the k-th of its deformable; the sets of a deformable are consecutive. Sets that a material
// or a rigidity creates follow those of the scene. When such a set is written, all sets before it are written too, since a scene that
// lists sets gets no others.
static json_t *set_json(const copy *c, const pli_constraints_info *info, int32_t i, int32_t k)
{
    json_t *sets = pli_view_json_item(deformable_json(c, info->deformable), "constraints", JSON_ARRAY);
    if (!sets)
        return NULL;
    for (int32_t j = (int32_t)json_array_size(sets); j <= k; j++)
        if (json_array_append_new(sets, named_set(c, i - (k - j))) != 0)
            return NULL;
    json_t *set = json_array_get(sets, (size_t)k);
    const char *type = json_string_value(json_object_get(set, "type"));
    return type && strcmp(type, info->type->name) == 0 ? set : NULL;
}

// The world's i-th set, the k-th of its deformable.
static pli_status put_set(copy *c, int32_t i, int32_t k, const double *before, pli_error *error)
{
    pli_constraints set = pli_world_constraints_at(c->world, i);
    pli_constraints_info info;
    pli_status status = pli_constraints_get_info(c->world, set, &info, error);
    for (int32_t n = 0; status == PLI_STATUS_OK && n < count_of(info.type); n++) {
        const pli_property *p = pli_constraint_type_parameter(info.type, n);
        double now[3] = {0};
        status = pli_constraints_get_parameter(c->world, set, p->name, &now[0], error);
        if (status != PLI_STATUS_OK || now[0] == before[n] || is_led(c, p->name))
            continue;
        json_t *json = set_json(c, &info, i, k);
        if (!json)
            return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED,
                                "the scene and the world have different constraints: '%s' has no place in the file",
                                info.name);
        json_object_set_new(json, p->name, value_of(p, now));
        c->changes++;
    }
    return status;
}

static pli_status put_sets(copy *c, pli_error *error)
{
    const double *before = c->start->values.parameters;
    pli_deformable of = {0};
    int32_t k = 0;
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_world_constraints_count(c->world) && status == PLI_STATUS_OK; i++) {
        pli_constraints_info info;
        status = pli_constraints_get_info(c->world, pli_world_constraints_at(c->world, i), &info, error);
        if (status != PLI_STATUS_OK)
            break;
        k = info.deformable.id == of.id ? k + 1 : 0;
        of = info.deformable;
        status = put_set(c, i, k, before, error);
        before += count_of(info.type);
    }
    return status;
}

// A plate in the file counts instead of the one that a material or a rigidity makes, so it is written completely.
static void put_plate(const copy *c, json_t *json, pli_deformable deformable)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("plate");
    json_t *plate = pli_view_json_item(json, "plate", JSON_OBJECT);
    for (int32_t i = 0; plate && i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        const double value[3] = {pli_session_deformable_value(c->world, deformable, p)};
        json_object_set_new(plate, p->name, value_of(p, value));
    }
}

static void put_deformables(copy *c)
{
    const double *before = c->start->values.deformable_values;
    for (int32_t i = 0; i < c->start->values.deformable_count; i++) {
        const pli_deformable deformable = pli_world_deformable_at(c->world, i);
        json_t *json = deformable_json(c, deformable);
        const pli_property *p;
        for (int32_t k = 0; (p = pli_session_deformable_property_at(k)); k++) {
            const double now[3] = {pli_session_deformable_value(c->world, deformable, p)};
            if (now[0] == *before++ || !json || is_led(c, p->name))
                continue;
            if (pli_session_is_of_plate(p))
                put_plate(c, json, deformable);
            else
                json_object_set_new(json, p->name, value_of(p, now));
            c->changes++;
        }
    }
}

/* ---- attachments and poses ---------------------------------------------------------------------- */

// The k-th attachment of the file.
static json_t *attachment_json(const copy *c, int32_t k)
{
    size_t i, j;
    json_t *deformable, *item;
    json_array_foreach (json_object_get(c->root, "deformables"), i, deformable)
        json_array_foreach (json_object_get(deformable, "attachments"), j, item)
            if (k-- == 0)
                return item;
    return NULL;
}

// Vertices that cuts added are not in the scene's mesh.
static json_t *particles_of(const copy *c, pli_attachment attachment, pli_deformable deformable)
{
    int32_t count = 0, most = pli_mesh_topology(pli_deformable_rest_mesh(c->world, deformable))->vertex_count;
    pli_attachment_particles(c->world, attachment, NULL, 0, &count, NULL);
    int32_t *particles = calloc((size_t)count + 1, sizeof *particles);
    json_t *list = json_array();
    if (particles)
        pli_attachment_particles(c->world, attachment, particles, count, &count, NULL);
    for (int32_t i = 0; particles && i < count; i++)
        if (particles[i] < most)
            json_array_append_new(list, json_integer(particles[i]));
    free(particles);
    return list;
}

static int32_t place_at_start(const copy *c, pli_attachment attachment)
{
    for (int32_t i = 0; i < c->start->held_count; i++)
        if (c->start->held[i].handle.id == attachment.id)
            return i;
    return -1;
}

// Updates an attachment of the scene that now holds other particles.
static void put_changed(copy *c, int32_t place, pli_attachment attachment, pli_deformable deformable)
{
    static const char *const selectors[] = {"particles", "box", "all", "corners", "row", "column"};
    json_t *json = attachment_json(c, place);
    if (!json)
        return;
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++)
        json_object_del(json, selectors[i]);
    json_object_set_new(json, "particles", particles_of(c, attachment, deformable));
    c->changes++;
}

static void put_attachments(copy *c)
{
    for (int32_t i = 0; i < pli_world_attachment_count(c->world); i++) {
        pli_attachment attachment = pli_world_attachment_at(c->world, i);
        pli_attachment_def def;
        int32_t place = place_at_start(c, attachment), count = 0;
        // A deformable that the program itself created is not in the file.
        if (pli_attachment_get_def(c->world, attachment, &def, NULL) != PLI_STATUS_OK ||
            !deformable_json(c, def.deformable))
            continue;
        pli_attachment_particles(c->world, attachment, NULL, 0, &count, NULL);
        if (place >= 0 && !def.enabled && c->start->held[place].enabled) {
            json_object_set_new(attachment_json(c, place), "enabled", json_false());
            c->changes++;
        } else if (place >= 0 && count != c->start->held[place].particle_count) {
            put_changed(c, place, attachment, def.deformable);
        }
        if (place >= 0 || !def.fixed || !def.enabled)
            continue;
        json_array_append_new(pli_view_json_item(deformable_json(c, def.deformable), "attachments", JSON_ARRAY),
                              json_pack("{so}", "particles", particles_of(c, attachment, def.deformable)));
        c->changes++;
    }
}

// The scene's colliders are the last ones at the start; shapes of bodies come before them.
static void put_poses(copy *c)
{
    json_t *colliders = json_object_get(c->root, "colliders");
    int32_t first = c->start->collider_count - (int32_t)json_array_size(colliders);
    for (int32_t i = first; i < c->start->collider_count && first >= 0; i++) {
        pli_collider_def def;
        json_t *json = json_array_get(colliders, (size_t)(i - first));
        if (pli_collider_get_def(c->world, pli_world_collider_at(c->world, i), &def, NULL) != PLI_STATUS_OK ||
            json_object_get(json, "motion") || json_object_get(json, "body") ||
            memcmp(&def.pose, &c->start->poses[i], sizeof def.pose) == 0)
            continue;
        json_object_set_new(pli_view_json_item(json, "pose", JSON_OBJECT), "position", vector_of(def.pose.position));
        c->changes++;
    }
}

/* ---- painted values ----------------------------------------------------------------------------- */

// Listed factors of the sets are replaced by values of the deformable.
static void put_layer(copy *c, const pli_session_layer *p)
{
    size_t k;
    json_t *set, *json = deformable_json(c, pli_world_deformable_at(c->world, p->deformable));
    const char *name = pli_session_quantity_name(p->quantity);
    json_array_foreach (json_object_get(json, "constraints"), k, set)
        if (strcmp(name, "stiffness") == 0)
            json_object_del(set, "painted");
    c->changes += pli_view_paints_put(json, name, p->values, p->count);
}

/* ---- the file ----------------------------------------------------------------------------------- */

static pli_status write_json(const json_t *root, const char *to, pli_error *error)
{
    char *text = pli_view_json_text(root);
    if (!text)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene");
    const void *const pieces[] = {text, "\n"};
    const size_t sizes[] = {strlen(text), 1};
    pli_status status = pli_cli_file_write(to, pieces, sizes, 2, error);
    free(text);
    return status;
}

pli_status pli_view_scene_copy(const pli_view_baseline *baseline, const pli_world *world, const pli_view_copy_def *def,
                               const char *to, int32_t *changes, pli_error *error)
{
    json_error_t place;
    copy c = {baseline, world, def, json_loadb(baseline->text, baseline->text_size, 0, &place), 0};
    if (!c.root)
        return pli_cli_fail(error, PLI_STATUS_PARSE, "the scene as it was loaded, line %d: %s", place.line, place.text);
    put_group(&c, "settings");
    put_group(&c, "contact");
    put_deformables(&c);
    pli_status status = put_sets(&c, error);
    put_attachments(&c);
    put_poses(&c);
    for (int32_t i = 0; def->paint && i < def->paint->count && status == PLI_STATUS_OK; i++)
        put_layer(&c, def->paint->layers[i]);
    *changes = c.changes;
    if (status == PLI_STATUS_OK)
        status = write_json(c.root, to, error);
    json_decref(c.root);
    return status;
}
