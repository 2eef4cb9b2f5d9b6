// Pictures side by side.
#include "lab/lab_pictures.h"

#include <pliant/render.h>

#include <math.h>

enum { WIDTH = 360, HEIGHT = 270, SAMPLES = 4, MESHES_MAX = 256, SHAPES_MAX = 64 };

struct lab_gallery {
    lab *owner;
    lab_gallery_def def;
    pli_renderer *renderer; // Null where there are no pictures.
    pli_render_frame frame;
    pli_render_mesh meshes[MESHES_MAX];
    pli_render_shape shapes[SHAPES_MAX];
    pli_text captions, images; // Of the row that is not full.
    int32_t count;
    uint8_t *pixels;
};

static void close_renderer(void *renderer) { pli_renderer_destroy(renderer); }

static void release_texts(void *gallery)
{
    lab_gallery *g = gallery;
    pli_text_free(&g->captions);
    pli_text_free(&g->images);
}

static void open_renderer(lab *l, lab_gallery *g)
{
    pli_error error;
    if (lab_is_quick(l) || !lab_ok(l))
        return;
    pli_status status = pli_renderer_create(WIDTH, HEIGHT, SAMPLES, &g->renderer, &error);
    if (status == PLI_STATUS_OK) {
        lab_keep(l, g->renderer, close_renderer);
    } else {
        g->renderer = NULL;
        lab_say(l, "*No pictures: %s.*\n\n", error.message);
    }
}

// Along z and a little from above, as far as a ball around the box needs.
static void look_from_front(pli_camera *camera, pli_vec3 low, pli_vec3 high)
{
    pli_vec3 at = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)};
    float x = high.x - at.x, y = high.y - at.y, z = high.z - at.z;
    float far = 1.02f * sqrtf(x * x + y * y + z * z) / sinf(0.5f * camera->field_of_view * 0.0174532925f);
    camera->target = at;
    camera->eye = (pli_vec3){at.x, at.y + 0.2f * far, at.z + 0.98f * far};
}

lab_gallery *lab_gallery_open(lab *l, const lab_gallery_def *def)
{
    lab_gallery *g = lab_memory(l, 1, sizeof *g);
    g->owner = l;
    g->def = *def;
    lab_keep(l, g, release_texts);
    open_renderer(l, g);
    if (!g->renderer)
        return g;
    g->pixels = lab_memory(l, (size_t)WIDTH * HEIGHT, 4);
    g->frame = pli_render_frame_default();
    g->frame.camera = pli_camera_fit(def->minimum, def->maximum, (pli_vec3){0.0f, 1.0f, 0.0f}, (float)WIDTH / HEIGHT);
    if (def->turned)
        look_from_front(&g->frame.camera, def->minimum, def->maximum);
    g->frame.up = (pli_vec3){0.0f, 1.0f, 0.0f};
    g->frame.background = (pli_vec3){0.80f, 0.83f, 0.87f};
    g->frame.wireframe = def->wireframe;
    g->frame.ground = def->ground;
    g->frame.ground_height = def->ground_height;
    g->frame.meshes = g->meshes;
    g->frame.shapes = g->shapes;
    return g;
}

static void end_row(lab_gallery *g)
{
    if (!g->captions.characters || g->captions.length == 0)
        return;
    if (g->count <= g->def.columns) {
        lab_say(g->owner, "%s|\n|", g->captions.characters);
        for (int32_t i = 0; i < g->def.columns; i++)
            lab_say(g->owner, " --- |");
        lab_say(g->owner, "\n%s|\n", g->images.characters);
    } else {
        lab_say(g->owner, "%s|\n%s|\n", g->captions.characters, g->images.characters);
    }
    g->captions.length = g->images.length = 0;
}

static void draw(lab_gallery *g, const char *caption)
{
    pli_error error;
    int32_t mark = lab_mark(g->owner);
    const char *name = lab_format(g->owner, "%s-%02d.png", g->def.name, (int)g->count);
    const char *path = lab_format(g->owner, "%s/%s", lab_folder(g->owner), name);
    pli_status status = pli_renderer_draw(g->renderer, &g->frame, g->pixels, &error);
    if (status == PLI_STATUS_OK)
        status = pli_image_write_png(path, g->pixels, WIDTH, HEIGHT, &error);
    lab_note(g->owner, status, &error);
    pli_text_add(&g->captions, "| %s ", caption);
    pli_text_add(&g->images, "| ![%s](%s) ", caption, name);
    lab_release_to(g->owner, mark);
    if (++g->count % g->def.columns == 0)
        end_row(g);
}

static pli_render_mesh plain_mesh(const pli_mesh *mesh, pli_view positions)
{
    return (pli_render_mesh){
        .mesh = mesh, .positions = positions, .front = {0.06f, 0.22f, 0.48f}, .back = {0.70f, 0.42f, 0.06f}};
}

void lab_gallery_add(lab_gallery *g, const char *caption, const pli_mesh *mesh, const float *positions)
{
    if (!g->renderer || !lab_ok(g->owner))
        return;
    const pli_topology *t = pli_mesh_topology(mesh);
    g->meshes[0] = plain_mesh(mesh, (pli_view){positions ? positions : t->positions, t->vertex_count, 12});
    g->frame.mesh_count = 1;
    g->frame.shape_count = 0;
    draw(g, caption);
}

static void add_collider(lab_gallery *g, pli_world *world, pli_collider collider)
{
    static const pli_vec3 grey = {0.35f, 0.35f, 0.36f};
    pli_collider_def def;
    pli_error error;
    lab_note(g->owner, pli_collider_get_def(world, collider, &def, &error), &error);
    lab_note(g->owner, pli_collider_pose(world, collider, &def.pose, &error), &error);
    bool faces = def.shape == PLI_SHAPE_MESH || def.shape == PLI_SHAPE_HULL;
    // Walls would hide what is between them.
    bool wall = def.shape == PLI_SHAPE_BOX && fmaxf(def.half_extents.y, def.half_extents.z) > 0.5f;
    if (!lab_ok(g->owner) || def.shape == PLI_SHAPE_PLANE || faces || wall || g->frame.shape_count == SHAPES_MAX)
        return;
    g->shapes[g->frame.shape_count++] = (pli_render_shape){def, grey};
}

void lab_gallery_add_world(lab_gallery *g, const char *caption, pli_world *world)
{
    if (!g->renderer || !lab_ok(g->owner))
        return;
    g->frame.mesh_count = g->frame.shape_count = 0;
    for (int32_t i = 0; i < pli_world_deformable_count(world) && i < MESHES_MAX; i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        const pli_mesh *mesh;
        pli_error error;
        lab_note(g->owner, pli_deformable_get_mesh(world, deformable, &mesh, &error), &error);
        if (lab_ok(g->owner))
            g->meshes[g->frame.mesh_count++] = plain_mesh(mesh, pli_deformable_positions(world, deformable));
    }
    for (int32_t i = 0; i < pli_world_collider_count(world); i++)
        add_collider(g, world, pli_world_collider_at(world, i));
    if (lab_ok(g->owner))
        draw(g, caption);
}

void lab_gallery_close(lab_gallery *g)
{
    while (g->captions.length > 0 && g->count % g->def.columns != 0) {
        pli_text_add(&g->captions, "| ");
        pli_text_add(&g->images, "| ");
        g->count++;
    }
    end_row(g);
    if (g->count > 0)
        lab_say(g->owner, "\n");
}
