// View, colours of colliders, output formats, probes and expectations of a scene.
#include "scene/scene_bodies.h"
#include "scene_format/scene_values.h"
#include <pliant/math.h>

#include <pliant/render.h>

#include <math.h>
#include <string.h>

const char *pli_scene_title(const pli_scene *scene) { return scene_text(scene->root, "title", ""); }

int32_t pli_scene_frame_count(const pli_scene *scene) { return (int32_t)scene_number(scene->root, "frames", 120); }

double pli_scene_frames_per_second(const pli_scene *scene)
{
    return scene_number(scene->root, "frames_per_second", 60.0);
}

// The deformable of a name, or the constant for following none or all of them.
static int32_t followed(const pli_scene *scene, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, item)
        if (name && strcmp(scene_text(item, "name", ""), name) == 0)
            return (int32_t)i;
    return name ? PLI_SCENE_FOLLOW_ALL : PLI_SCENE_FOLLOW_NONE;
}

pli_scene_view pli_scene_get_view(const pli_scene *scene)
{
    json_t *json = json_object_get(scene->root, "view");
    bool z_up = strcmp(scene_text(scene->root, "up", "y"), "z") == 0;
    float range[2] = {0.0f, 0.0f};
    scene_numbers(json, "measure_range", range, 2);
    const scene_table *table = scene_find_key(&scene_root, "view")->inner;
    const pli_scene_view found = {
        .fitted = !json_object_get(json, "eye"),
        .eye = scene_vector(json, "eye", (pli_vec3){0}),
        .target = scene_vector(json, "target", (pli_vec3){0}),
        .field_of_view = (float)scene_number(json, "field_of_view", 30.0),
        .up = z_up ? (pli_vec3){0, 0, 1} : (pli_vec3){0, 1, 0},
        .width = (int32_t)scene_number(json, "width", 960),
        .height = (int32_t)scene_number(json, "height", 540),
        .ground = scene_boolean(json, "ground", true),
        .ground_height = (float)scene_number(json, "ground_height", 0.0),
        .wireframe = scene_boolean(json, "wireframe", false),
        // The first choice means none.
        .measure = scene_choice(json, "measure", table, 0) - 1,
        .measure_minimum = range[0],
        .measure_maximum = range[1],
        .background = scene_vector(json, "background", (pli_vec3){0.6f, 0.57f, 0.53f}),
        .azimuth = (float)scene_number(json, "azimuth", (double)PLI_CAMERA_AZIMUTH),
        .elevation = (float)scene_number(json, "elevation", (double)PLI_CAMERA_ELEVATION),
        .floor = scene_choice(json, "floor", table, PLI_RENDER_FLOOR_OAK),
        .shutter = (float)scene_number(json, "shutter", 0.5),
        .follow = followed(scene, scene_text(json, "follow", NULL)),
        .orbit = (float)scene_number(json, "orbit", 0.0),
        .fits_run = scene_choice(json, "fit", table, 0) == 1,
    };
    return found;
}

// The world's list of colliders begins with the shapes of bodies.
static json_t *collider_at(const pli_scene *scene, int32_t collider)
{
    if (collider >= 0 && collider < scene->body_shape_count)
        return scene->body_shapes[collider].body;
    return json_array_get(json_object_get(scene->root, "colliders"), (size_t)(collider - scene->body_shape_count));
}

pli_vec3 pli_scene_collider_colour(const pli_scene *scene, int32_t collider)
{
    return scene_vector(collider_at(scene, collider), "colour", (pli_vec3){0.55f, 0.57f, 0.6f});
}

bool pli_scene_collider_visible(const pli_scene *scene, int32_t collider)
{
    return scene_boolean(collider_at(scene, collider), "visible", true);
}

float pli_scene_collider_transparency(const pli_scene *scene, int32_t collider)
{
    return (float)scene_number(collider_at(scene, collider), "transparency", 0.0);
}

bool pli_scene_collider_flat(const pli_scene *scene, int32_t collider)
{
    return scene_boolean(collider_at(scene, collider), "flat", false);
}

static json_t *formats_of(const pli_scene *scene)
{
    return json_object_get(json_object_get(scene->root, "output"), "formats");
}

bool pli_scene_tears(const pli_scene *scene)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, item)
        if (json_object_get(item, "tearing"))
            return true;
    return false;
}

int32_t pli_scene_format_count(const pli_scene *scene) { return (int32_t)json_array_size(formats_of(scene)); }

const char *pli_scene_format(const pli_scene *scene, int32_t i)
{
    return json_string_value(json_array_get(formats_of(scene), (size_t)i));
}

int32_t pli_scene_probe_count(const pli_scene *scene)
{
    return (int32_t)json_array_size(json_object_get(scene->root, "probes"));
}

pli_scene_probe pli_scene_get_probe(const pli_scene *scene, int32_t i)
{
    json_t *probes = json_object_get(scene->root, "probes");
    json_t *json = i >= 0 ? json_array_get(probes, (size_t)i) : NULL;
    pli_scene_probe found = {0};
    if (json)
        found = (pli_scene_probe){.name = scene_text(json, "name", ""),
                                  .deformable = scene_text(json, "deformable", NULL),
                                  .measure = scene_text(json, "measure", "position"),
                                  .vertex = (int32_t)scene_number(json, "vertex", 0.0)};
    return found;
}

pli_scene_expect pli_scene_get_expect(const pli_scene *scene)
{
    json_t *json = json_object_get(scene->root, "expect");
    const pli_scene_expect found = {
        .intersection_count = (int32_t)scene_number(json, "intersections", -1.0),
        .end_count = (int32_t)json_array_size(json_object_get(json, "ends")),
        .stretch = scene_number(json, "stretch", (double)INFINITY),
        .stretch_p99 = scene_number(json, "stretch_p99", (double)INFINITY),
        .kinetic_energy = scene_number(json, "kinetic_energy", (double)INFINITY),
        .stretch_end = scene_number(json, "stretch_end", (double)INFINITY),
        .stuck = scene_number(json, "stuck", (double)INFINITY),
    };
    return found;
}

pli_scene_end pli_scene_get_end(const pli_scene *scene, int32_t i)
{
    json_t *ends = json_object_get(json_object_get(scene->root, "expect"), "ends");
    json_t *json = i >= 0 ? json_array_get(ends, (size_t)i) : NULL, *volume = json_object_get(json, "volume");
    pli_scene_end found = {0};
    if (json)
        found = (pli_scene_end){
            .name = scene_text(json, "name", ""),
            .minimum = scene_vector(json, "minimum", (pli_vec3){-INFINITY, -INFINITY, -INFINITY}),
            .maximum = scene_vector(json, "maximum", (pli_vec3){INFINITY, INFINITY, INFINITY}),
            .volume_maximum = (double)INFINITY,
        };
    if (volume) {
        found.volume_minimum = json_number_value(json_array_get(volume, 0));
        found.volume_maximum = json_number_value(json_array_get(volume, 1));
    }
    return found;
}
