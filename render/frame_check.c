// Defaults of a frame, and its validation.
#include "frame_check.h"

#include <math.h>

pli_render_frame pli_render_frame_default(void)
{
    return (pli_render_frame){.camera = {{0, 1, 3}, {0, 0, 0}, {0, 1, 0}, 35.0f},
                              .up = {0, 1, 0},
                              .background = {0.6f, 0.57f, 0.53f},
                              .ground = true};
}

pli_render_detail pli_render_detail_default(void) { return (pli_render_detail){0}; }

static pli_status check_vector(const char *name, pli_vec3 v, pli_error *error)
{
    if (isfinite(v.x) && isfinite(v.y) && isfinite(v.z))
        return PLI_STATUS_OK;
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the frame's %s is (%g, %g, %g); give finite numbers", name,
                    (double)v.x, (double)v.y, (double)v.z);
}

static pli_status check_camera(const pli_camera *c, pli_error *error)
{
    pli_status status = check_vector("camera.eye", c->eye, error);
    if (status == PLI_STATUS_OK)
        status = check_vector("camera.target", c->target, error);
    if (status == PLI_STATUS_OK)
        status = check_vector("camera.up", c->up, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!(c->field_of_view >= 1.0f && c->field_of_view <= 170.0f))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the camera's field of view is %g; it must be 1 to 170 degrees", (double)c->field_of_view);
    return PLI_STATUS_OK;
}

static pli_status check_array(const char *one, const char *all, const void *array, int32_t count, pli_error *error)
{
    if (count < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the frame's %s_count is %d; give the number of its %s, 0 for none", one, (int)count, all);
    if (count > 0 && !array)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the frame's %s are null but its %s_count is %d; point to them, or set the count to 0", all,
                        one, (int)count);
    return PLI_STATUS_OK;
}

// One vector for each of `count` vertices of mesh i.
static pli_status check_view(int32_t i, const char *name, pli_view view, int32_t count, pli_error *error)
{
    if (view.count != count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "mesh %d of the frame has %d %s for %d vertices; give one for each vertex of its mesh", (int)i,
                        (int)view.count, name, (int)count);
    if (count > 0 && !view.data)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "mesh %d of the frame has %d %s but their data is null; point it to them", (int)i,
                        (int)view.count, name);
    if (count > 0 && view.stride < 12)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "mesh %d of the frame has %s %d bytes apart; the stride must be 12 or more", (int)i, name,
                        (int)view.stride);
    return PLI_STATUS_OK;
}

static pli_status check_mesh(int32_t i, const pli_render_mesh *mesh, pli_view previous, pli_error *error)
{
    if (!mesh->mesh)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "mesh %d of the frame has no faces: its mesh is null; give the pli_mesh of the positions",
                        (int)i);
    int32_t vertices = pli_mesh_topology(mesh->mesh)->vertex_count;
    pli_status status = check_view(i, "positions", mesh->positions, vertices, error);
    if (status == PLI_STATUS_OK && previous.count != 0)
        status = check_view(i, "previous positions", previous, vertices, error);
    if (status == PLI_STATUS_OK && mesh->normals.count != 0)
        status = check_view(i, "normals", mesh->normals, vertices, error);
    return status;
}

// Lines and what their colours mean.
static pli_status check_lines(const pli_render_frame *f, pli_error *error)
{
    enum { LINES_MOST = 1 << 24, KEYS_MOST = 16 };
    pli_status status = check_array("line", "lines", f->lines, f->line_count, error);
    if (status == PLI_STATUS_OK)
        status = check_array("key", "keys", f->keys, f->key_count, error);
    if (status == PLI_STATUS_OK && (f->line_count > LINES_MOST || f->key_count > KEYS_MOST))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the frame has %d lines and %d keys; give at most %d lines and %d keys", (int)f->line_count,
                        (int)f->key_count, LINES_MOST, KEYS_MOST);
    for (int32_t i = 0; i < f->line_count && status == PLI_STATUS_OK; i++) {
        status = check_vector("line's end a", f->lines[i].a, error);
        if (status == PLI_STATUS_OK)
            status = check_vector("line's end b", f->lines[i].b, error);
    }
    for (int32_t i = 0; i < f->key_count && status == PLI_STATUS_OK; i++)
        if (!f->keys[i].name)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "key %d of the frame has no name; give it one", (int)i);
    return status;
}

static pli_status check_mesh_number(const pli_render_frame *f, const char *what, int32_t i, int32_t mesh,
                                    pli_error *error)
{
    if (mesh >= 0 && mesh < f->mesh_count)
        return PLI_STATUS_OK;
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s %d of the frame is on mesh %d of %d; give one of these",
                    what, (int)i, (int)mesh, (int)f->mesh_count);
}

// `what` names it in messages, such as "image".
static pli_status check_image(const char *what, int32_t i, const pli_render_image *image, pli_error *error)
{
    enum { SIDE_MOST = 8192 };
    if (image->width < 1 || image->width > SIDE_MOST || image->height < 1 || image->height > SIDE_MOST)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s %d of the frame is %d x %d; sides go from 1 to %d",
                        what, (int)i, (int)image->width, (int)image->height, SIDE_MOST);
    if (!image->pixels || !image->coordinates)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s %d of the frame has no %s; point it to them", what,
                        (int)i, image->pixels ? "coordinates" : "pixels");
    return PLI_STATUS_OK;
}

static pli_status check_detail(const pli_render_frame *f, int32_t i, const pli_render_detail *detail, pli_error *error)
{
    const struct {
        const char *name;
        float value;
    } lengths[] = {{"thickness", detail->thickness}, {"hem", detail->hem}, {"seam", detail->seam}};
    pli_status status = check_mesh_number(f, "detail", i, detail->mesh, error);
    for (int k = 0; k < 3 && status == PLI_STATUS_OK; k++)
        if (!(lengths[k].value >= 0.0f && isfinite(lengths[k].value)))
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                              "detail %d of the frame has a %s of %g m; give 0 for none, or more", (int)i,
                              lengths[k].name, (double)lengths[k].value);
    if (status == PLI_STATUS_OK && detail->back_image)
        status = check_image("back_image of detail", i, detail->back_image, error);
    return status;
}

pli_status pli_frame_read_details(const pli_render_frame *f, pli_render_detail *details, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < f->detail_count && status == PLI_STATUS_OK; i++) {
        status = check_detail(f, i, &f->details[i], error);
        if (status == PLI_STATUS_OK)
            details[f->details[i].mesh] = f->details[i];
    }
    return status;
}

pli_status pli_frame_check(const pli_render_frame *f, pli_error *error)
{
    pli_status status = check_camera(&f->camera, error);
    if (status == PLI_STATUS_OK)
        status = check_vector("up", f->up, error);
    if (status == PLI_STATUS_OK)
        status = check_vector("background", f->background, error);
    if (status == PLI_STATUS_OK && f->ground && !isfinite(f->ground_height))
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                          "the frame's ground_height is %g; give a finite height, or no ground",
                          (double)f->ground_height);
    if (status == PLI_STATUS_OK && ((int)f->floor < 0 || f->floor > PLI_RENDER_FLOOR_CONCRETE))
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the frame's floor is %d; it must be a pli_render_floor",
                          (int)f->floor);
    if (status == PLI_STATUS_OK)
        status = check_array("mesh", "meshes", f->meshes, f->mesh_count, error);
    if (status == PLI_STATUS_OK)
        status = check_array("shape", "shapes", f->shapes, f->shape_count, error);
    if (status == PLI_STATUS_OK)
        status = check_lines(f, error);
    if (status == PLI_STATUS_OK && (f->first_sample < 0 || f->first_sample > 100000))
        status = pli_fail(
            error, PLI_STATUS_INVALID_ARGUMENT,
            "the frame's first_sample is %d; give the number of samples so far, 0 for a new picture, at most 100000",
            (int)f->first_sample);
    if (status == PLI_STATUS_OK && !(f->shutter >= 0.0f && f->shutter <= 1.0f))
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the frame's shutter is %g; it must be 0 to 1",
                          (double)f->shutter);
    if (status == PLI_STATUS_OK && f->previous_camera)
        status = check_camera(f->previous_camera, error);
    for (int32_t i = 0; i < f->mesh_count && status == PLI_STATUS_OK; i++)
        status = check_mesh(i, &f->meshes[i], f->previous_positions ? f->previous_positions[i] : (pli_view){0}, error);
    if (status == PLI_STATUS_OK)
        status = check_array("image", "images", f->images, f->image_count, error);
    for (int32_t i = 0; i < f->image_count && status == PLI_STATUS_OK; i++) {
        status = check_mesh_number(f, "image", i, f->images[i].mesh, error);
        if (status == PLI_STATUS_OK)
            status = check_image("image", i, &f->images[i], error);
    }
    if (status == PLI_STATUS_OK)
        status = check_array("detail", "details", f->details, f->detail_count, error);
    for (int32_t i = 0; i < f->shape_count && status == PLI_STATUS_OK; i++)
        if (f->shapes[i].collider.shape < 0 || f->shapes[i].collider.shape >= PLI_SHAPE_COUNT)
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                              "shape %d of the frame is of kind %d, which does not exist; start from "
                              "pli_collider_def_default()",
                              (int)i, (int)f->shapes[i].collider.shape);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
