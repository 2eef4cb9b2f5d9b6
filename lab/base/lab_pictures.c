// Collects meshes and worlds, and draws them as pictures of a table in the report.
#include "base/lab_pictures.h"

#include "base/lab_camera.h"
#include "base/lab_palette.h"

#include <pliant/math.h>

#include <pliant/render.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, SAMPLES = 8, HIDDEN_MAX = 16 };

static const float least_aspect = 0.8f, most_aspect = 2.0f, plain_field_of_view = 35.0f;
static const pli_vec3 up = {0.0f, 1.0f, 0.0f}, corner = {0.55f, 0.42f, 0.85f};

// The content of one picture. Meshes are retained, positions are copies.
typedef struct picture {
    char *caption;
    pli_render_mesh *meshes;
    pli_render_shape *shapes;
    int32_t mesh_count, shape_count;
    float *seen; // Points that the camera must show, 3 floats each.
    int32_t seen_count;
    pli_vec3 toward;
    float field_of_view;
    bool ground;
    float ground_height;
    pli_vec3 background;
    pli_camera camera;
} picture;

struct lab_gallery {
    lab *owner;
    lab_gallery_def def;
    bool drawn; // False in the quick version.
    pli_collider hidden[HIDDEN_MAX];
    int32_t hidden_count;
    picture *pictures;
    int32_t count;
};

static void release_picture(picture *p)
{
    for (int32_t i = 0; i < p->mesh_count; i++) {
        pli_mesh_destroy((pli_mesh *)p->meshes[i].mesh);
        free((float *)p->meshes[i].positions.data);
    }
    free(p->caption);
    free(p->meshes);
    free(p->shapes);
    free(p->seen);
}

static void release(void *gallery)
{
    lab_gallery *g = gallery;
    for (int32_t i = 0; i < g->count; i++)
        release_picture(&g->pictures[i]);
    free(g->pictures);
}

lab_gallery *lab_gallery_open(lab *l, const lab_gallery_def *def)
{
    lab_gallery *g = lab_memory(l, 1, sizeof *g);
    g->owner = l;
    g->def = *def;
    g->drawn = !lab_is_quick(l);
    lab_keep(l, g, release);
    return g;
}

void lab_gallery_hide(lab_gallery *g, pli_collider collider)
{
    if (g->hidden_count < HIDDEN_MAX)
        g->hidden[g->hidden_count++] = collider;
}

/* ---- collecting ----------------------------------------------------------------------------- */

static bool is_black(pli_vec3 v) { return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f; }

static picture *add_picture(lab_gallery *g, const char *caption)
{
    size_t length = strlen(caption) + 1;
    g->pictures = lab_grow(g->pictures, (size_t)g->count + 1, sizeof *g->pictures);
    picture *p = &g->pictures[g->count++];
    *p = (picture){.caption = memcpy(lab_grow(NULL, length, 1), caption, length),
                   .toward = is_black(g->def.toward) ? corner : g->def.toward,
                   .field_of_view = plain_field_of_view,
                   .ground = g->def.ground,
                   .ground_height = g->def.ground_height,
                   .background = {0.80f, 0.83f, 0.87f}};
    return p;
}

static void see(picture *p, const float *points, int32_t count)
{
    if (count == 0)
        return;
    p->seen = lab_grow(p->seen, 3 * (size_t)(p->seen_count + count), sizeof *p->seen);
    memcpy(&p->seen[3 * (size_t)p->seen_count], points, 3 * (size_t)count * sizeof *points);
    p->seen_count += count;
}

// Adds a mesh whose vertices are in the frame of `pose`.
static void add_mesh(picture *p, const pli_mesh *mesh, pli_view vertices, pli_transform pose, pli_scene_look look,
                     bool seen)
{
    float *positions = lab_grow(NULL, 3 * (size_t)vertices.count + 1, sizeof *positions);
    for (int32_t i = 0; i < vertices.count; i++) {
        const float *v = pli_view_at(vertices, i);
        pli_vec3 at = pli_add(pli_rotate(pose.rotation, (pli_vec3){v[0], v[1], v[2]}), pose.position);
        memcpy(&positions[3 * i], &at, 3 * sizeof(float));
    }
    p->meshes = lab_grow(p->meshes, (size_t)p->mesh_count + 1, sizeof *p->meshes);
    p->meshes[p->mesh_count++] = (pli_render_mesh){.mesh = pli_mesh_retain(mesh),
                                                   .positions = {positions, vertices.count, 12},
                                                   .front = look.front,
                                                   .back = look.back,
                                                   .flat = look.flat};
    if (seen)
        see(p, positions, vertices.count);
}

static const pli_transform nowhere = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

static pli_scene_look plain_look(const lab_gallery *g, int32_t i)
{
    int32_t count = 0;
    while (count < LAB_LOOKS_MAX && !is_black(g->def.looks[count].front))
        count++;
    return count > 0 ? g->def.looks[i % count]
                     : (pli_scene_look){.front = {0.06f, 0.22f, 0.48f}, .back = {0.70f, 0.42f, 0.06f}};
}

static void add_deformable(lab_gallery *g, picture *p, pli_world *world, int32_t i, const pli_scene *scene)
{
    pli_deformable deformable = pli_world_deformable_at(world, i);
    const pli_mesh *mesh;
    pli_error error;
    lab_note(g->owner, pli_deformable_get_mesh(world, deformable, &mesh, &error), &error);
    if (lab_ok(g->owner))
        add_mesh(p, mesh, pli_deformable_positions(world, deformable), nowhere,
                 scene ? pli_scene_get_look(scene, i) : plain_look(g, i), true);
}

// Adds a collider that is neither mesh nor hull.
static void add_shape(lab_gallery *g, picture *p, const pli_collider_def *def, pli_scene_look look, bool seen)
{
    pli_mesh *faces = NULL;
    pli_error error;
    p->shapes = lab_grow(p->shapes, (size_t)p->shape_count + 1, sizeof *p->shapes);
    p->shapes[p->shape_count] = (pli_render_shape){.collider = *def, .colour = look.front};
    p->shapes[p->shape_count++].collider.body = (pli_rigid_body){0};
    if (!seen || !pli_shape_at((int32_t)def->shape)->bounded)
        return;
    lab_note(g->owner, pli_shape_tessellate(def, PLI_SHAPE_RESOLUTION, NULL, &faces, &error), &error);
    if (!lab_ok(g->owner))
        return;
    const pli_topology *t = pli_mesh_topology(faces);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        const float *v = &t->positions[3 * i];
        pli_vec3 at = pli_add(pli_rotate(def->pose.rotation, (pli_vec3){v[0], v[1], v[2]}), def->pose.position);
        see(p, &at.x, 1);
    }
    pli_mesh_destroy(faces);
}

static bool is_hidden(const lab_gallery *g, pli_collider collider)
{
    for (int32_t i = 0; i < g->hidden_count; i++)
        if (g->hidden[i].id == collider.id)
            return true;
    return false;
}

static void add_collider(lab_gallery *g, picture *p, pli_world *world, int32_t i, const pli_scene *scene)
{
    static const pli_scene_look grey = {.front = {0.35f, 0.35f, 0.36f}, .back = {0.35f, 0.35f, 0.36f}};
    pli_collider collider = pli_world_collider_at(world, i);
    pli_collider_def def;
    pli_error error;
    if (is_hidden(g, collider) || (scene && !pli_scene_collider_visible(scene, i)))
        return;
    lab_note(g->owner, pli_collider_get_def(world, collider, &def, &error), &error);
    lab_note(g->owner, pli_collider_pose(world, collider, &def.pose, &error), &error);
    if (!lab_ok(g->owner))
        return;
    pli_scene_look look = is_black(g->def.colliders.front) ? grey : g->def.colliders;
    if (scene) {
        pli_vec3 colour = pli_scene_collider_colour(scene, i);
        look = (pli_scene_look){.front = colour, .back = colour, .flat = pli_scene_collider_flat(scene, i)};
    }
    bool seen = g->def.surroundings || def.body.id != 0;
    if (pli_shape_at((int32_t)def.shape)->takes_mesh)
        add_mesh(p, pli_collider_mesh(world, collider), pli_collider_vertices(world, collider), def.pose, look, seen);
    else
        add_shape(g, p, &def, look, seen);
}

static void add_all(lab_gallery *g, picture *p, pli_world *world, const pli_scene *scene)
{
    for (int32_t i = 0; i < pli_world_deformable_count(world) && lab_ok(g->owner); i++)
        add_deformable(g, p, world, i, scene);
    for (int32_t i = 0; i < pli_world_collider_count(world) && lab_ok(g->owner); i++)
        add_collider(g, p, world, i, scene);
}

void lab_gallery_add(lab_gallery *g, const char *caption, const pli_mesh *mesh, const float *positions)
{
    if (!g->drawn || !lab_ok(g->owner))
        return;
    const pli_topology *t = pli_mesh_topology(mesh);
    add_mesh(add_picture(g, caption), mesh, (pli_view){positions ? positions : t->positions, t->vertex_count, 12},
             nowhere, plain_look(g, 0), true);
}

void lab_gallery_add_world(lab_gallery *g, const char *caption, pli_world *world)
{
    if (g->drawn && lab_ok(g->owner))
        add_all(g, add_picture(g, caption), world, NULL);
}

void lab_gallery_add_scene(lab_gallery *g, const char *caption, const lab_scene *s)
{
    if (!g->drawn || !lab_ok(g->owner))
        return;
    picture *p = add_picture(g, caption);
    pli_scene_view view = pli_scene_get_view(s->scene);
    if (is_black(g->def.toward) && !view.fitted) {
        p->toward = pli_sub(view.eye, view.target);
        p->field_of_view = view.field_of_view;
    }
    p->ground = view.ground;
    p->ground_height = view.ground_height;
    p->background = view.background;
    add_all(g, p, s->world, s->scene);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static pli_view points_of(const picture *p) { return (pli_view){p->seen, p->seen_count, 12}; }

static lab_lens lens_of(const picture *p, float aspect) { return (lab_lens){p->toward, up, p->field_of_view, aspect}; }

// Height of the gallery's pictures: the geometric mean of what their cameras ask for.
static int32_t height_of(const lab_gallery *g, const pli_view *views)
{
    double sum = 0.0;
    for (int32_t i = 0; i < g->count; i++) {
        bool all = g->def.fit == LAB_FIT_RUN;
        sum += log((double)lab_camera_aspect(all ? views : &views[i], all ? g->count : 1,
                                             lens_of(&g->pictures[i], 1.0f), least_aspect, most_aspect));
    }
    return 2 * (int32_t)lround(0.5 * WIDTH / exp(sum / g->count));
}

static void place_cameras(lab_gallery *g, const pli_view *views, float aspect)
{
    float far = 0.0f;
    for (int32_t i = 0; i < g->count; i++) {
        picture *p = &g->pictures[i];
        lab_lens lens = lens_of(p, aspect);
        p->camera = g->def.fit == LAB_FIT_RUN ? lab_camera_fit(views, g->count, &lens)
                                              : lab_camera_fit(&views[i], 1, &lens);
        far = fmaxf(far, lab_camera_distance(&views[i], 1, &p->camera));
    }
    for (int32_t i = 0; i < g->count && g->def.fit == LAB_FIT_FOLLOW; i++)
        lab_camera_retreat(&views[i], 1, far, &g->pictures[i].camera);
}

static pli_status draw(lab_gallery *g, const picture *p, pli_renderer *renderer, int32_t height, uint8_t *pixels,
                       const char *name, pli_error *error)
{
    int32_t mark = lab_mark(g->owner);
    pli_render_frame frame = pli_render_frame_default();
    frame.camera = p->camera;
    frame.up = up;
    frame.background = p->background;
    frame.wireframe = g->def.wireframe;
    frame.ground = p->ground;
    frame.ground_height = p->ground_height;
    frame.meshes = p->meshes;
    frame.mesh_count = p->mesh_count;
    frame.shapes = p->shapes;
    frame.shape_count = p->shape_count;
    pli_status status = pli_renderer_draw(renderer, &frame, pixels, error);
    if (status == PLI_STATUS_OK) {
        lab_palette_apply(pixels, WIDTH * height);
        status = pli_image_write_png(lab_format(g->owner, "%s/%s", lab_folder(g->owner), name), pixels, WIDTH, height,
                                     error);
    }
    lab_release_to(g->owner, mark);
    return status;
}

static void draw_all(lab_gallery *g, pli_renderer *renderer, int32_t height)
{
    uint8_t *pixels = lab_grow(NULL, (size_t)WIDTH * (size_t)height, 4);
    for (int32_t i = 0; i < g->count && lab_ok(g->owner); i++) {
        pli_error error;
        const char *name = lab_format(g->owner, "%s-%02d.png", g->def.name, (int)i);
        lab_note(g->owner, draw(g, &g->pictures[i], renderer, height, pixels, name, &error), &error);
    }
    free(pixels);
}

static void write_table(lab_gallery *g)
{
    lab *l = g->owner;
    for (int32_t start = 0; start < g->count; start += g->def.columns) {
        for (int32_t i = start; i < start + g->def.columns; i++)
            lab_say(l, "| %s%s", i < g->count ? g->pictures[i].caption : "", i < g->count ? " " : "");
        lab_say(l, "|\n");
        for (int32_t i = 0; i < g->def.columns && start == 0; i++)
            lab_say(l, "%s%s", i == 0 ? "| --- |" : " --- |", i + 1 == g->def.columns ? "\n" : "");
        for (int32_t i = start; i < start + g->def.columns; i++) {
            if (i < g->count)
                lab_say(l, "| ![%s](%s-%02d.png) ", g->pictures[i].caption, g->def.name, (int)i);
            else
                lab_say(l, "| ");
        }
        lab_say(l, "|\n");
    }
    lab_say(l, "\n");
}

void lab_gallery_close(lab_gallery *g)
{
    pli_renderer *renderer;
    pli_error error;
    if (g->count == 0 || !lab_ok(g->owner))
        return;
    pli_view *views = lab_grow(NULL, (size_t)g->count, sizeof *views);
    for (int32_t i = 0; i < g->count; i++)
        views[i] = points_of(&g->pictures[i]);
    int32_t height = height_of(g, views);
    place_cameras(g, views, (float)WIDTH / (float)height);
    free(views);
    if (pli_renderer_create(WIDTH, height, SAMPLES, &renderer, &error) != PLI_STATUS_OK) {
        lab_say(g->owner, "*No pictures: %s.*\n\n", error.message);
        return;
    }
    draw_all(g, renderer, height);
    pli_renderer_destroy(renderer);
    if (lab_ok(g->owner))
        write_table(g);
}
