// Rules of bodies and joints that involve several keys, and of keys that name a body.
#include "scene_format/scene_rules_bodies.h"

#include "scene_format/scene_rules.h"
#include "scene_format/scene_values.h"

#include <stdio.h>
#include <string.h>

static void wrong(scene_diagnostics *f, const char *path, const char *text)
{
    scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "%s", text);
}

int scene_body_index(json_t *root, const char *name)
{
    size_t i;
    json_t *body;
    json_array_foreach (json_object_get(root, "bodies"), i, body)
        if (strcmp(scene_text(body, "name", ""), name) == 0)
            return (int)i;
    return -1;
}

static void check_body(scene_diagnostics *f, json_t *body, size_t b, double *total)
{
    char path[SCENE_BODY_PATH];
    json_t *shapes = json_object_get(body, "shapes"), *shape;
    size_t i;
    snprintf(path, sizeof path, "bodies[%zu]", b);
    if (!shapes == !json_object_get(body, "shape"))
        wrong(f, path, "needs exactly one of shapes and shape");
    else if (!shapes)
        scene_check_shape(f, path, body, false, total);
    snprintf(path, sizeof path, "bodies[%zu].shapes", b);
    if (shapes && json_array_size(shapes) == 0)
        wrong(f, path, "is empty; a body needs at least one shape");
    snprintf(path, sizeof path, "bodies[%zu].mass", b);
    if (json_object_get(body, "mass") && json_object_get(body, "density"))
        wrong(f, path, "is given in addition to the density; give one of the two");
    json_array_foreach (shapes, i, shape) {
        snprintf(path, sizeof path, "bodies[%zu].shapes[%zu]", b, i);
        scene_check_shape(f, path, shape, false, total);
    }
}

// Checks that the key of an object names an existing body.
static void check_name(scene_diagnostics *f, json_t *root, json_t *object, const char *before, const char *key)
{
    const char *name = scene_text(object, key, NULL), *names[SCENE_NAMES_MAX];
    char path[SCENE_BODY_PATH];
    size_t i;
    int count = 0;
    json_t *body;
    if (!name || (name[0] && scene_body_index(root, name) >= 0))
        return;
    json_array_foreach (json_object_get(root, "bodies"), i, body)
        if (count < SCENE_NAMES_MAX && json_object_get(body, "name"))
            names[count++] = scene_text(body, "name", "");
    snprintf(path, sizeof path, "%.150s.%s", before, key);
    if (count > 0)
        scene_report_unknown(f, path, "unknown body", name, names, count);
    else
        scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "unknown body '%s': no body has a name", name);
}

static void check_attachments(scene_diagnostics *f, json_t *root)
{
    char path[SCENE_BODY_PATH];
    size_t d, i;
    json_t *deformable, *attachment;
    json_array_foreach (json_object_get(root, "deformables"), d, deformable) {
        json_array_foreach (json_object_get(deformable, "attachments"), i, attachment) {
            snprintf(path, sizeof path, "deformables[%zu].attachments[%zu]", d, i);
            check_name(f, root, attachment, path, "body");
            if (json_object_get(attachment, "body") &&
                (json_object_get(attachment, "motion") || json_object_get(attachment, "fixed")))
                wrong(f, path, "attaches to a body, whose motion it shares: leave out motion and fixed");
        }
    }
}

static void check_colliders(scene_diagnostics *f, json_t *root)
{
    char path[SCENE_BODY_PATH];
    size_t i;
    json_t *collider;
    json_array_foreach (json_object_get(root, "colliders"), i, collider) {
        const pli_shape_info *info = pli_shape_find(scene_text(collider, "shape", ""));
        bool carried = json_object_get(collider, "body") != NULL;
        snprintf(path, sizeof path, "colliders[%zu]", i);
        check_name(f, root, collider, path, "body");
        if (carried && (json_object_get(collider, "motion") || json_object_get(collider, "animation")))
            wrong(f, path, "is carried by a body: leave out motion and animation");
        if (carried && info && !info->bounded)
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "is a %s, which no body can carry; use a box",
                         info->name);
        if (!carried && json_array_size(json_object_get(root, "bodies")) > 0 && info && !info->convex)
            scene_report(f, PLI_STATUS_OK, true, path, "bodies pass through a %s; add hulls or boxes for them",
                         info->name);
    }
}

// Checks that the camera follows an existing deformable.
static void check_follow(scene_diagnostics *f, json_t *root)
{
    const char *name = scene_text(json_object_get(root, "view"), "follow", NULL), *names[SCENE_NAMES_MAX];
    int count = 1;
    size_t i;
    json_t *item;
    names[0] = "everything";
    json_array_foreach (json_object_get(root, "deformables"), i, item)
        if (count < SCENE_NAMES_MAX && json_object_get(item, "name"))
            names[count++] = scene_text(item, "name", "");
    for (int k = 0; name && k < count; k++)
        if (strcmp(names[k], name) == 0)
            return;
    if (name)
        scene_report_unknown(f, "view.follow", "unknown deformable", name, names, count);
}

void scene_check_bodies(scene_diagnostics *f, json_t *root, double *total)
{
    char path[SCENE_BODY_PATH];
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(root, "bodies"), i, item)
        check_body(f, item, i, total);
    json_array_foreach (json_object_get(root, "joints"), i, item) {
        snprintf(path, sizeof path, "joints[%zu]", i);
        check_name(f, root, item, path, "body");
        check_name(f, root, item, path, "to");
    }
    check_attachments(f, root);
    check_colliders(f, root);
    check_follow(f, root);
}
