// Fills the renderer's frame from a world and its scene.
#include "view/world_view.h"

#include "frame/folders.h"
#include "view/bounds.h"
#include "view/collider_meshes.h"
#include "view/overlays.h"
#include "view/shutter.h"
#include "view/surface_details.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The largest number of triangles that are subdivided for the picture.
enum { WIDTH_DEFAULT = 1280, HEIGHT_DEFAULT = 720, SUBDIVIDED_MOST = 1 << 16 };
static const float legend_least = 0.01f;
// Compression over stretch above which the legend has both signs.
static const float legend_both = 0.25f;

// Samples per pixel.
static const struct {
    const char *name;
    int32_t samples;
} qualities[PLI_CLI_QUALITY_COUNT] = {
    [PLI_CLI_QUALITY_DRAFT] = {"draft", 1},
    [PLI_CLI_QUALITY_PLAIN] = {"plain", 1},
    [PLI_CLI_QUALITY_GOOD] = {"good", 4},
    [PLI_CLI_QUALITY_BEST] = {"best", 16},
};

const char *pli_cli_quality_name(int32_t i) { return i >= 0 && i < PLI_CLI_QUALITY_COUNT ? qualities[i].name : NULL; }

pli_cli_quality pli_cli_quality_chosen(const pli_cli_arguments *arguments, int32_t option)
{
    int32_t chosen = pli_cli_choice(arguments, option);
    return chosen >= 0 ? (pli_cli_quality)chosen : PLI_CLI_QUALITY_GOOD;
}

// Titles of legends, with the unit, and the conversion factors of their values.
static const struct {
    const char *title;
    float scale;
} legends[PLI_MEASURE_COUNT] = {
    [PLI_MEASURE_STRETCH] = {"stretch [%]", 100.0f},     [PLI_MEASURE_BENDING] = {"bending [unit of type]", 1.0f},
    [PLI_MEASURE_SPEED] = {"speed [m/s]", 1.0f},         [PLI_MEASURE_CURVATURE] = {"curvature [1/m]", 1.0f},
    [PLI_MEASURE_RESIDUAL] = {"residual [edges]", 1.0f},
};

struct pli_cli_world_view {
    pli_cli_world_view_def def;
    pli_renderer *renderer;
    pli_scene_view view;
    pli_cli_camera_motion motion;
    pli_camera camera;     // Camera before it moves.
    pli_vec3 start_centre; // The followed centre at the start.
    double seconds;
    pli_render_frame frame;
    bool bare;               // Pictures in a window have no legend.
    float measured[2];       // Smallest and largest value of the measure since it was chosen.
    pli_render_mesh *meshes; // The deformables, then the meshes of visible colliders.
    pli_render_shape *shapes;
    int32_t deformable_count;
    pli_cli_collider_meshes collider_meshes;
    int32_t *numbers;                        // Collider mesh index of each drawn collider mesh.
    pli_render_mesh *instead;                // Meshes drawn in place of deformables; a null mesh for the others.
    float **values;                          // Measured values of each deformable, when there is a measure.
    int32_t *room;                           // Capacity of `values`, in vertices.
    float **positions;                       // Vertex positions of each collider's mesh.
    pli_render_image *images, *shown_images; // Images of the scene's appearance, and the ones in the frame.
    int32_t image_count;
    float **image_coordinates; // Image coordinates of each deformable; null for deformables without an image.
    float **face_colours;      // Colours by part of each deformable; null if its appearance has no parts.
    pli_cli_details details;   // Thickness, hems, seams and backs.
    uint8_t *pixels;
    pli_cli_overlays overlays;
    pli_cli_shutter shutter;
};

/* ---- the view ------------------------------------------------------------------------------- */

static pli_scene_view plain_view(void)
{
    return (pli_scene_view){
        .fitted = true,
        .azimuth = PLI_CAMERA_AZIMUTH,
        .elevation = PLI_CAMERA_ELEVATION,
        .field_of_view = 30.0f,
        .up = {0.0f, 1.0f, 0.0f},
        .width = WIDTH_DEFAULT,
        .height = HEIGHT_DEFAULT,
        .ground = true,
        .measure = -1,
        .background = pli_render_frame_default().background,
        .floor = PLI_RENDER_FLOOR_OAK,
        .shutter = 0.5f,
    };
}

static void world_bounds(const pli_cli_world_view *p, pli_vec3 bounds[2])
{
    bounds[0] = (pli_vec3){INFINITY, INFINITY, INFINITY};
    bounds[1] = (pli_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < p->deformable_count; i++)
        pli_cli_bounds_add(bounds, pli_deformable_positions(p->def.world, pli_world_deformable_at(p->def.world, i)));
    for (int32_t i = p->deformable_count; i < p->frame.mesh_count; i++)
        pli_cli_bounds_add(bounds, p->meshes[i].positions);
    for (int32_t i = 0; i < p->frame.shape_count; i++)
        pli_cli_bounds_add_shape(bounds, &p->shapes[i].collider);
    if (!(bounds[0].x <= bounds[1].x)) {
        bounds[0] = (pli_vec3){-1.0f, -1.0f, -1.0f};
        bounds[1] = (pli_vec3){1.0f, 1.0f, 1.0f};
    }
}

static void place_camera(pli_cli_world_view *p, int32_t width, int32_t height)
{
    pli_vec3 bounds[2];
    world_bounds(p, bounds);
    pli_scene_view *view = &p->view;
    if (!p->def.scene)
        view->ground_height = p->def.bounds ? p->def.bounds[0].y : bounds[0].y;
    // The scene moves after its start, so the view has a margin. A bounding box of all frames of a cache needs none.
    if (p->def.bounds)
        memcpy(bounds, p->def.bounds, sizeof bounds);
    else
        pli_cli_bounds_leave_room(bounds);
    if (p->motion.orbit != 0.0f)
        pli_cli_bounds_turn(bounds, view->up);
    if (p->def.camera)
        p->frame.camera = *p->def.camera;
    else if (view->fitted || p->motion.fits)
        pli_camera_get_fit(bounds[0], bounds[1], view->up, (float)width / (float)height, view->azimuth, view->elevation,
                           &p->frame.camera);
    else
        p->frame.camera = (pli_camera){view->eye, view->target, view->up, view->field_of_view};
    if (p->def.camera) {
        p->frame.camera.up = view->up;
        p->frame.camera.field_of_view = view->field_of_view;
    }
    p->camera = p->frame.camera;
    p->start_centre = pli_cli_followed_centre(p->def.world, p->motion.follow);
}

/* ---- what is drawn -------------------------------------------------------------------------- */

static void plain_look(int32_t i, pli_render_mesh *mesh)
{
    static const pli_vec3 palette[] = {
        {0.55f, 0.08f, 0.06f},
        {0.06f, 0.22f, 0.48f},
        {0.70f, 0.42f, 0.06f},
        {0.08f, 0.36f, 0.20f},
    };
    mesh->front = palette[(size_t)i % (sizeof palette / sizeof *palette)];
    mesh->back = (pli_vec3){0.6f, 0.55f, 0.45f};
    mesh->sheen = 0.25f;
}

// The colours of parts, if the scene's appearance of a deformable has any.
static bool add_parts(pli_cli_world_view *p, int32_t i, pli_render_mesh *mesh)
{
    int32_t faces = pli_mesh_topology(mesh->mesh)->face_count;
    float *colours = calloc(3 * (size_t)faces + 1, sizeof *colours);
    const pli_mesh *own = pli_scene_mesh(p->def.scene, i);
    if (colours && own && pli_mesh_topology(own)->face_count == faces &&
        pli_scene_face_colours(p->def.scene, i, colours)) {
        mesh->face_colours = p->face_colours[i] = colours;
        return true;
    }
    free(colours);
    return colours != NULL;
}

// The image on a deformable, if the scene's appearance has one.
static bool add_image(pli_cli_world_view *p, int32_t i, const pli_scene_look *look)
{
    const pli_mesh *own = pli_scene_mesh(p->def.scene, i);
    if (!(look->image || look->back_image) || !own)
        return true;
    float *coordinates = calloc(6 * (size_t)pli_mesh_topology(own)->triangle_count + 1, sizeof *coordinates);
    p->image_coordinates[i] = coordinates;
    if (!coordinates || !pli_scene_image_coordinates(p->def.scene, i, coordinates))
        return coordinates != NULL;
    if (look->image)
        p->images[p->image_count++] = (pli_render_image){i, look->image_width, look->image_height, look->image,
                                                         coordinates};
    return true;
}

// The images of meshes that still have the scene's triangles. A torn mesh has the same triangles with other vertices.
static void show_images(pli_cli_world_view *p)
{
    p->frame.image_count = 0;
    for (int32_t k = 0; k < p->image_count; k++) {
        const int32_t i = p->images[k].mesh;
        if (pli_mesh_topology(p->meshes[i].mesh)->triangle_count ==
            pli_mesh_topology(pli_scene_mesh(p->def.scene, i))->triangle_count)
            p->shown_images[p->frame.image_count++] = p->images[k];
    }
}

static bool add_deformable(pli_cli_world_view *p, int32_t i)
{
    pli_render_mesh *mesh = &p->meshes[p->frame.mesh_count++];
    mesh->mesh = pli_deformable_rest_mesh(p->def.world, pli_world_deformable_at(p->def.world, i));
    if (p->def.scene) {
        pli_scene_look look = pli_scene_get_look(p->def.scene, i);
        mesh->front = look.front;
        mesh->back = look.back;
        mesh->flat = look.flat;
        mesh->pattern = (pli_render_pattern)look.pattern;
        mesh->pattern_size = look.pattern_size;
        mesh->weave = look.weave;
        mesh->sheen = look.sheen;
        mesh->gloss = look.gloss;
        mesh->transmission = look.transmission;
        if (!add_parts(p, i, mesh) || !add_image(p, i, &look) ||
            !pli_cli_details_add(&p->details, p->def.scene, i, p->image_coordinates[i]))
            return false;
    } else {
        plain_look(i, mesh);
    }
    return true;
}

static bool is_seen(const pli_cli_world_view *p, int32_t collider)
{
    return !p->def.scene || pli_scene_collider_visible(p->def.scene, collider);
}

static pli_vec3 colour_of(const pli_cli_world_view *p, int32_t collider)
{
    return p->def.scene ? pli_scene_collider_colour(p->def.scene, collider) : (pli_vec3){0.5f, 0.5f, 0.5f};
}

static bool add_shell(pli_cli_world_view *p, int32_t collider_mesh)
{
    int32_t collider = p->collider_meshes.numbers[collider_mesh];
    if (!is_seen(p, collider))
        return true;
    int32_t i = p->frame.mesh_count++,
            vertices = pli_mesh_topology(p->collider_meshes.meshes[collider_mesh])->vertex_count;
    p->numbers[i] = collider_mesh;
    p->positions[i] = calloc(3 * (size_t)vertices + 1, sizeof **p->positions);
    p->meshes[i] = (pli_render_mesh){
        .mesh = p->collider_meshes.meshes[collider_mesh],
        .positions = {p->positions[i], vertices, 3 * sizeof(float)},
        .front = colour_of(p, collider),
        .back = colour_of(p, collider),
        .flat = p->def.scene && pli_scene_collider_flat(p->def.scene, collider),
    };
    return p->positions[i] != NULL;
}

static pli_status allocate_meshes(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = pli_cli_collider_meshes_open(p->def.world, &p->collider_meshes, error);
    if (status != PLI_STATUS_OK)
        return status;
    p->deformable_count = pli_world_deformable_count(p->def.world);
    size_t count = (size_t)p->deformable_count + (size_t)p->collider_meshes.count + 1;
    p->meshes = calloc(count, sizeof *p->meshes);
    p->numbers = calloc(count, sizeof *p->numbers);
    p->instead = calloc(count, sizeof *p->instead);
    p->values = calloc(count, sizeof *p->values);
    p->room = calloc(count, sizeof *p->room);
    p->positions = calloc(count, sizeof *p->positions);
    p->face_colours = calloc(count, sizeof *p->face_colours);
    p->images = calloc(count, sizeof *p->images);
    p->shown_images = calloc(count, sizeof *p->shown_images);
    p->image_coordinates = calloc(count, sizeof *p->image_coordinates);
    p->frame.images = p->shown_images;
    p->frame.meshes = p->meshes;
    p->frame.details = pli_cli_details_make(&p->details, (int32_t)count);
    bool complete = p->meshes && p->instead && p->numbers && p->values && p->room && p->positions && p->face_colours &&
                    p->images && p->shown_images && p->image_coordinates && p->frame.details;
    for (int32_t i = 0; i < p->deformable_count && complete; i++)
        complete = add_deformable(p, i);
    for (int32_t i = 0; i < p->collider_meshes.count && complete; i++)
        complete = add_shell(p, i);
    return complete ? PLI_STATUS_OK : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
}

// The drawn colliders, at their current positions.
static pli_status update_shapes(pli_cli_world_view *p, pli_error *error)
{
    p->frame.shape_count = 0;
    for (int32_t i = 0; i < pli_world_collider_count(p->def.world); i++) {
        if (!is_seen(p, i) || pli_cli_collider_mesh_of(&p->collider_meshes, i) >= 0)
            continue;
        pli_render_shape *shape = &p->shapes[p->frame.shape_count++];
        pli_status status = pli_collider_get_def(p->def.world, pli_world_collider_at(p->def.world, i), &shape->collider,
                                                 error);
        if (status != PLI_STATUS_OK)
            return status;
        shape->colour = colour_of(p, i);
        shape->transparency = p->def.scene ? pli_scene_collider_transparency(p->def.scene, i) : 0.0f;
    }
    return PLI_STATUS_OK;
}

// The legend's range comes from the scene, or grows with the visible values, so that colours do not flicker. It begins at 0 while no value
// is far below, and is symmetric from then on.
static void widen_legend(pli_cli_world_view *p)
{
    const float least = legends[p->view.measure].scale * legend_least;
    for (int32_t i = 0; i < p->deformable_count; i++)
        for (int32_t v = 0; v < p->meshes[i].positions.count; v++) {
            p->measured[0] = fminf(p->measured[0], p->values[i][v]);
            p->measured[1] = fmaxf(p->measured[1], p->values[i][v]);
        }
    const bool both = -p->measured[0] > fmaxf(legend_both * p->measured[1], least);
    const float reach = fmaxf(fmaxf(p->measured[1], both ? -p->measured[0] : 0.0f), least);
    p->frame.legend_maximum = reach;
    p->frame.legend_minimum = both ? -reach : 0.0f;
}

static pli_status update_collider_meshes(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = p->deformable_count; i < p->frame.mesh_count && status == PLI_STATUS_OK; i++) {
        if (p->def.source)
            status = p->def.source(p->def.source_user, p->numbers[i], p->positions[i], error);
        else
            pli_cli_collider_mesh_positions(&p->collider_meshes, p->def.world, p->numbers[i], p->positions[i]);
    }
    return status;
}

// Memory is allocated when a measure is first shown, and again for a deformable that has torn, even if no measure was shown meanwhile.
static pli_status grow_values(pli_cli_world_view *p, int32_t i, pli_error *error)
{
    free(p->values[i]);
    p->values[i] = calloc((size_t)p->meshes[i].positions.count + 1, sizeof **p->values);
    p->meshes[i].values = p->values[i];
    p->room[i] = p->values[i] ? p->meshes[i].positions.count : 0;
    return p->values[i] ? PLI_STATUS_OK
                        : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
}

static pli_status update_instead(pli_cli_world_view *p, int32_t i, pli_error *error)
{
    if (p->view.measure >= 0)
        return pli_cli_fail(
            error, PLI_STATUS_UNSUPPORTED,
            "measures cannot be computed from a cache after tearing; set view.measure in the scene and use "
            "`pliant run --render`");
    p->meshes[i].mesh = p->instead[i].mesh;
    p->meshes[i].positions = p->instead[i].positions;
    p->meshes[i].normals = (pli_view){0};
    return PLI_STATUS_OK;
}

static pli_status measure(const pli_cli_world_view *p, int32_t i, pli_deformable deformable, pli_error *error)
{
    int32_t count = p->meshes[i].positions.count;
    pli_status status = pli_deformable_measure(p->def.world, deformable, (pli_measure)p->view.measure, p->values[i],
                                               count, error);
    float scale = legends[p->view.measure].scale;
    for (int32_t v = 0; v < count && status == PLI_STATUS_OK && scale != 1.0f; v++)
        p->values[i][v] *= scale;
    return status;
}

static pli_status update_meshes(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < p->deformable_count && status == PLI_STATUS_OK; i++) {
        if (p->instead[i].mesh) {
            status = update_instead(p, i, error);
            continue;
        }
        pli_deformable deformable = pli_world_deformable_at(p->def.world, i);
        status = pli_deformable_get_mesh(p->def.world, deformable, &p->meshes[i].mesh, error);
        if (status != PLI_STATUS_OK)
            break;
        p->meshes[i].positions = pli_deformable_positions(p->def.world, deformable);
        p->meshes[i].normals = pli_deformable_normals(p->def.world, deformable);
        if (p->view.measure >= 0 && p->meshes[i].positions.count > p->room[i])
            status = grow_values(p, i, error);
        if (p->view.measure >= 0 && status == PLI_STATUS_OK)
            status = measure(p, i, deformable, error);
    }
    for (int32_t i = 0; i < p->deformable_count && status == PLI_STATUS_OK; i++)
        p->meshes[i].subdivided = p->def.quality >= PLI_CLI_QUALITY_GOOD &&
                                  pli_mesh_topology(p->meshes[i].mesh)->triangle_count <= SUBDIVIDED_MOST;
    if (status != PLI_STATUS_OK || p->view.measure < 0)
        return status;
    if (p->view.measure_minimum < p->view.measure_maximum) {
        p->frame.legend_minimum = legends[p->view.measure].scale * p->view.measure_minimum;
        p->frame.legend_maximum = legends[p->view.measure].scale * p->view.measure_maximum;
    } else {
        widen_legend(p);
    }
    return status;
}

/* ---- opening and drawing -------------------------------------------------------------------- */

static void apply_view(pli_cli_world_view *p)
{
    const pli_scene_view *view = &p->view;
    place_camera(p, view->width, view->height);
    p->frame.up = view->up;
    p->frame.background = view->background;
    p->frame.ground = view->ground;
    p->frame.ground_height = view->ground_height;
    p->frame.floor = (pli_render_floor)view->floor;
    p->frame.wireframe = view->wireframe;
    p->frame.draft = p->def.quality == PLI_CLI_QUALITY_DRAFT;
    p->frame.legend = view->measure >= 0 ? legends[view->measure].title : NULL;
}

static pli_status fill(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = allocate_meshes(p, error);
    p->shapes = calloc((size_t)pli_world_collider_count(p->def.world) + 1, sizeof *p->shapes);
    p->pixels = calloc((size_t)p->view.width * (size_t)p->view.height, 4);
    if (status == PLI_STATUS_OK && !(p->shapes && p->pixels))
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
    if (status != PLI_STATUS_OK)
        return status;
    p->frame.shapes = p->shapes;
    status = update_collider_meshes(p, error);
    if (status == PLI_STATUS_OK)
        status = update_shapes(p, error);
    if (status != PLI_STATUS_OK)
        return status;
    apply_view(p);
    return (p->def.hosts ? pli_renderer_create_current : pli_renderer_create)(
        p->view.width, p->view.height, qualities[p->def.quality].samples, &p->renderer, error);
}

pli_status pli_cli_world_view_open(const pli_cli_world_view_def *def, pli_cli_world_view **picture, pli_error *error)
{
    *picture = NULL;
    pli_cli_world_view *p = calloc(1, sizeof *p);
    if (!p)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
    p->def = *def;
    p->frame = pli_render_frame_default();
    p->view = def->scene ? pli_scene_get_view(def->scene) : plain_view();
    if (def->width > 0) {
        p->view.width = def->width;
        p->view.height = def->height;
    }
    if (def->measure >= 0 && def->measure != p->view.measure) {
        p->view.measure = def->measure;
        p->view.measure_minimum = p->view.measure_maximum = 0.0f;
    }
    p->view.wireframe = p->view.wireframe || def->wireframe;
    p->shutter.open = def->shutter < 0.0f ? p->view.shutter : def->shutter;
    p->motion = def->motion ? *def->motion : pli_cli_camera_motion_of(def->scene);
    pli_status status = fill(p, error);
    if (status == PLI_STATUS_OK)
        *picture = p;
    else
        pli_cli_world_view_close(p);
    return status;
}

void pli_cli_world_view_close(pli_cli_world_view *p)
{
    if (!p)
        return;
    pli_renderer_destroy(p->renderer);
    pli_cli_collider_meshes_close(&p->collider_meshes);
    for (int32_t i = 0; p->values && p->positions && p->face_colours && p->image_coordinates && i < p->frame.mesh_count;
         i++) {
        free(p->image_coordinates[i]);
        free(p->face_colours[i]);
        free(p->values[i]);
        free(p->positions[i]);
    }
    free(p->values);
    free(p->room);
    free(p->instead);
    free(p->images);
    free(p->shown_images);
    free(p->image_coordinates);
    free(p->positions);
    free(p->face_colours);
    pli_cli_details_release(&p->details);
    free(p->numbers);
    free(p->meshes);
    free(p->shapes);
    free(p->pixels);
    pli_cli_overlays_release(&p->overlays);
    pli_cli_shutter_release(&p->shutter);
    free(p);
}

void pli_cli_world_view_show(pli_cli_world_view *p, pli_world *world, pli_cli_collider_mesh_source source, void *user)
{
    p->def.world = world;
    p->def.source = source;
    p->def.source_user = user;
    for (int32_t i = 0; i < p->deformable_count; i++)
        p->instead[i].mesh = NULL;
}

void pli_cli_world_view_replace(pli_cli_world_view *p, int32_t deformable, const pli_mesh *mesh, pli_view positions)
{
    p->instead[deformable].mesh = mesh;
    p->instead[deformable].positions = positions;
}

static pli_status update(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = update_meshes(p, error);
    if (status == PLI_STATUS_OK)
        status = update_collider_meshes(p, error);
    if (status == PLI_STATUS_OK)
        status = update_shapes(p, error);
    show_images(p);
    p->frame.detail_count = pli_cli_details_show(&p->details, p->def.scene, p->meshes);
    if (status == PLI_STATUS_OK && !pli_cli_overlays_make(&p->overlays, p->def.world, p->def.overlays))
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
    p->frame.lines = p->overlays.lines, p->frame.line_count = p->overlays.line_count;
    p->frame.keys = p->overlays.keys, p->frame.key_count = p->overlays.key_count;
    return status;
}

void pli_cli_world_view_legend(pli_cli_world_view *p, bool drawn) { p->bare = !drawn; }

void pli_cli_world_view_overlays(pli_cli_world_view *p, uint32_t overlays) { p->def.overlays = overlays; }

void pli_cli_world_view_quality(pli_cli_world_view *p, pli_cli_quality quality) { p->def.quality = quality; }

pli_render_frame *pli_cli_world_view_frame(pli_cli_world_view *p) { return &p->frame; }

void pli_cli_world_view_measure(pli_cli_world_view *p, int32_t measure)
{
    p->view.measure = measure;
    p->view.measure_minimum = p->view.measure_maximum = p->frame.legend_maximum = 0.0f;
    p->measured[0] = p->measured[1] = 0.0f;
    p->frame.legend = measure >= 0 ? legends[measure].title : NULL;
    for (int32_t i = 0; i < p->deformable_count; i++)
        p->meshes[i].values = measure >= 0 ? p->values[i] : NULL;
}

void pli_cli_world_view_values(pli_cli_world_view *p, int32_t deformable, const float *values, const char *title,
                               float maximum)
{
    if (p->view.measure >= 0)
        return;
    p->meshes[deformable].values = values;
    p->frame.legend = title;
    p->frame.legend_minimum = 0.0f;
    p->frame.legend_maximum = maximum;
}

pli_status pli_cli_world_view_draw_to(pli_cli_world_view *p, const pli_render_target *target, int32_t divisor,
                                      pli_error *error)
{
    enum { LEAST = 16 };
    int32_t width = target->width / divisor, height = target->height / divisor;
    pli_status status = update(p, error);
    if (status == PLI_STATUS_OK)
        status = pli_renderer_resize(p->renderer, width > LEAST ? width : LEAST, height > LEAST ? height : LEAST,
                                     qualities[p->def.quality].samples, error);
    pli_render_frame shown = p->frame;
    if (p->bare)
        shown.legend = NULL, shown.key_count = 0;
    return status == PLI_STATUS_OK ? pli_renderer_draw_to(p->renderer, &shown, target, error) : status;
}

bool pli_cli_world_view_is_software(const pli_cli_world_view *p) { return pli_renderer_is_software(p->renderer); }

void pli_cli_world_view_time(pli_cli_world_view *p, double seconds) { p->seconds = seconds; }

// A static camera keeps changes that were made to the frame's own camera.
static void move_camera(pli_cli_world_view *p)
{
    if (p->motion.follow == PLI_SCENE_FOLLOW_NONE && p->motion.orbit == 0.0f)
        return;
    const pli_vec3 centre = pli_cli_followed_centre(p->def.world, p->motion.follow);
    p->frame.camera = pli_cli_camera_moved(&p->motion, &p->camera, p->view.up, p->start_centre, centre, p->seconds);
}

bool pli_cli_world_view_is_blurred(const pli_cli_world_view *p)
{
    return p->def.quality == PLI_CLI_QUALITY_BEST && p->shutter.open > 0.0f;
}

static pli_status keep(pli_cli_world_view *p, pli_error *error)
{
    if (!pli_cli_world_view_is_blurred(p) || pli_cli_shutter_keep(&p->shutter, &p->frame))
        return PLI_STATUS_OK;
    return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
}

pli_status pli_cli_world_view_pass(pli_cli_world_view *p, pli_error *error)
{
    if (!pli_cli_world_view_is_blurred(p))
        return PLI_STATUS_OK;
    pli_status status = update(p, error);
    move_camera(p);
    return status == PLI_STATUS_OK ? keep(p, error) : status;
}

pli_status pli_cli_world_view_draw(pli_cli_world_view *p, pli_error *error)
{
    pli_status status = update(p, error);
    move_camera(p);
    if (status == PLI_STATUS_OK && pli_cli_world_view_is_blurred(p) && !pli_cli_shutter_show(&p->shutter, &p->frame))
        status = pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the picture");
    if (status == PLI_STATUS_OK)
        status = pli_renderer_draw(p->renderer, &p->frame, p->pixels, error);
    return status == PLI_STATUS_OK ? keep(p, error) : status;
}

const uint8_t *pli_cli_world_view_pixels(const pli_cli_world_view *p) { return p->pixels; }

void pli_cli_world_view_size(const pli_cli_world_view *p, int32_t *width, int32_t *height)
{
    *width = p->view.width;
    *height = p->view.height;
}
