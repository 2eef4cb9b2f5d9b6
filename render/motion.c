#include "motion.h"

#include "passes/drawing.h"
#include <pliant/math.h>

#include <stdlib.h>
#include <string.h>

static pli_view previous_of(const pli_render_frame *f, int32_t mesh)
{
    return f->previous_positions ? f->previous_positions[mesh] : (pli_view){0};
}

static bool mesh_moves(const pli_render_frame *f, int32_t i)
{
    const pli_view now = f->meshes[i].positions, before = previous_of(f, i);
    for (int32_t v = 0; v < before.count; v++)
        if (memcmp(pli_view_at(now, v), pli_view_at(before, v), 3 * sizeof(float)) != 0)
            return true;
    return false;
}

static bool anything_moves(const pli_render_frame *f)
{
    if (f->previous_camera && memcmp(f->previous_camera, &f->camera, sizeof f->camera) != 0)
        return true;
    for (int32_t i = 0; f->previous_poses && i < f->shape_count; i++)
        if (memcmp(&f->previous_poses[i], &f->shapes[i].collider.pose, sizeof *f->previous_poses) != 0)
            return true;
    for (int32_t i = 0; i < f->mesh_count; i++)
        if (mesh_moves(f, i))
            return true;
    return false;
}

bool pli_motion_open(pli_motion *m, const pli_render_frame *f, int32_t samples)
{
    *m = (pli_motion){.frame = f};
    if (!(f->shutter > 0.0f) || !pli_light_moves(samples) || f->first_sample > 0 || !anything_moves(f))
        return true;
    m->meshes = calloc((size_t)f->mesh_count + 1, sizeof *m->meshes);
    m->shapes = calloc((size_t)f->shape_count + 1, sizeof *m->shapes);
    m->positions = calloc((size_t)f->mesh_count + 1, sizeof *m->positions);
    bool complete = m->meshes && m->shapes && m->positions;
    for (int32_t i = 0; complete && i < f->mesh_count; i++)
        if (mesh_moves(f, i)) {
            m->positions[i] = malloc(3 * sizeof(float) * (size_t)f->meshes[i].positions.count);
            complete = m->positions[i] != NULL;
        }
    return complete;
}

bool pli_motion_is_any(const pli_motion *m) { return m->positions != NULL; }

// A value that did not change remains so in every bit.
static float between(float now, float before, float back) { return now + back * (before - now); }

static pli_vec3 point_between(pli_vec3 now, pli_vec3 before, float back)
{
    return (pli_vec3){between(now.x, before.x, back), between(now.y, before.y, back), between(now.z, before.z, back)};
}

static pli_quat turn_between(pli_quat now, pli_quat before, float back)
{
    // A rotation has two quaternions, of which the nearer one is taken.
    const float dot = now.x * before.x + now.y * before.y + now.z * before.z + now.w * before.w;
    const float sign = dot < 0.0f ? -1.0f : 1.0f;
    const pli_quat q = {between(now.x, sign * before.x, back), between(now.y, sign * before.y, back),
                        between(now.z, sign * before.z, back), between(now.w, sign * before.w, back)};
    const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return length > 0.0f ? (pli_quat){q.x / length, q.y / length, q.z / length, q.w / length} : now;
}

static void place_mesh(const pli_motion *m, int32_t i, float back)
{
    const pli_view now = m->frame->meshes[i].positions, before = previous_of(m->frame, i);
    float *to = m->positions[i];
    for (int32_t v = 0; v < now.count; v++)
        for (int k = 0; k < 3; k++)
            to[3 * v + k] = between(pli_view_at(now, v)[k], pli_view_at(before, v)[k], back);
    m->meshes[i].positions = (pli_view){to, now.count, 3 * sizeof(float)};
    m->meshes[i].normals = (pli_view){0};
}

void pli_motion_place(const pli_motion *m, float back, pli_render_frame *frame)
{
    const pli_render_frame *f = m->frame;
    for (int32_t i = 0; i < f->mesh_count; i++) {
        m->meshes[i] = f->meshes[i];
        if (m->positions[i])
            place_mesh(m, i, back);
    }
    for (int32_t i = 0; i < f->shape_count; i++) {
        pli_transform *pose = &m->shapes[i].collider.pose;
        m->shapes[i] = f->shapes[i];
        if (!f->previous_poses || memcmp(&f->previous_poses[i], pose, sizeof *pose) == 0)
            continue;
        pose->position = point_between(pose->position, f->previous_poses[i].position, back);
        pose->rotation = turn_between(pose->rotation, f->previous_poses[i].rotation, back);
    }
    if (f->previous_camera) {
        frame->camera.eye = point_between(f->camera.eye, f->previous_camera->eye, back);
        frame->camera.target = point_between(f->camera.target, f->previous_camera->target, back);
    }
    frame->meshes = m->meshes;
    frame->shapes = m->shapes;
}

void pli_motion_close(pli_motion *m)
{
    for (int32_t i = 0; m->positions && i < m->frame->mesh_count; i++)
        free(m->positions[i]);
    free(m->positions);
    free(m->meshes);
    free(m->shapes);
    *m = (pli_motion){0};
}
