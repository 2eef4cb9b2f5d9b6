// The other run is drawn as thin grey edges over the picture, which hide nothing. Handles are three axes of the same length on any
// display.
#include "ghost.h"

#include "painting.h"

#include <imgui.h>

#include <cmath>

namespace {

// Projects a point of the scene into the window; false behind the eye.
struct projection {
    pli_vec3 eye, side, top, ahead;
    float slope, width, height, shift;

    bool point(const float *p, ImVec2 *at) const
    {
        pli_vec3 way = {p[0] - eye.x, p[1] - eye.y, p[2] - eye.z};
        float depth = way.x * ahead.x + way.y * ahead.y + way.z * ahead.z;
        if (!(depth > 1e-4f))
            return false;
        float x = (way.x * side.x + way.y * side.y + way.z * side.z) / (depth * slope),
              y = (way.x * top.x + way.y * top.y + way.z * top.z) / (depth * slope);
        *at = ImVec2(0.5f * (width + height * x), shift + 0.5f * height * (1.0f - y));
        return std::isfinite(at->x) && std::isfinite(at->y);
    }
};

pli_vec3 unit(pli_vec3 a)
{
    float length = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return length > 0.0f ? pli_vec3{a.x / length, a.y / length, a.z / length} : a;
}

pli_vec3 cross(pli_vec3 a, pli_vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

projection projection_of(const pli_viewer *v)
{
    pli_camera c = pli_view_camera_get(&v->camera);
    projection p;
    p.eye = c.eye;
    p.ahead = unit({c.target.x - c.eye.x, c.target.y - c.eye.y, c.target.z - c.eye.z});
    p.side = unit(cross(p.ahead, c.up));
    p.top = cross(p.side, p.ahead);
    p.slope = std::tan(0.5f * c.field_of_view * 0.0174532925f);
    p.width = pli_viewer_stage_width(v), p.height = pli_viewer_stage_height(v);
    p.shift = pli_viewer_stage_top(v);
    return p;
}

} // namespace

void pli_viewer_ghost(const pli_viewer *v)
{
    const pli_view_other *o = &v->desk->other;
    if (!o->path || o->frame < 0 || !v->desk->ghost)
        return;
    const projection p = projection_of(v);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const ImU32 colour = IM_COL32(40, 45, 55, 70);
    list->PushClipRect(ImVec2(0.0f, p.shift), ImVec2(p.width, p.shift + p.height));
    for (int32_t i = 0; i < o->object_count; i++) {
        const pli_topology *t = pli_mesh_topology(o->objects[i].mesh);
        for (int32_t e = 0; e < t->edge_count; e++) {
            ImVec2 a, b;
            const float *at = o->objects[i].positions;
            if (p.point(at + 3 * (size_t)t->edges[2 * e], &a) && p.point(at + 3 * (size_t)t->edges[2 * e + 1], &b))
                list->AddLine(a, b, colour);
        }
    }
    list->PopClipRect();
}

// Draws the outline of the brush at the pointer.
static void circle(const pli_viewer *v)
{
    const ImVec2 at = ImGui::GetMousePos();
    if (v->tool != PLI_VIEW_BRUSH || ImGui::GetIO().WantCaptureMouse || !ImGui::IsMousePosValid(&at))
        return;
    const float radius = pli_viewer_paint_pixels(v, at.x, at.y);
    ImGui::GetBackgroundDrawList()->AddCircle(at, radius, IM_COL32(30, 30, 30, 160), 0, 3.0f);
    ImGui::GetBackgroundDrawList()->AddCircle(at, radius, IM_COL32(250, 250, 250, 230), 0, 1.5f);
}

void pli_viewer_handles(const pli_viewer *v)
{
    circle(v);
    pli_transform pose;
    const pli_view_session *s = &v->session;
    if (!s->mover.holds || !pli_view_mover_place(&s->mover, s->world, &pose))
        return;
    static const ImU32 colours[] = {IM_COL32(220, 70, 60, 255), IM_COL32(90, 170, 60, 255),
                                    IM_COL32(60, 110, 220, 255)};
    const projection p = projection_of(v);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const pli_vec3 at = pose.position, to = s->mover.target;
    const float length = 0.12f * v->camera.distance, from[] = {at.x, at.y, at.z}, goal[] = {to.x, to.y, to.z};
    ImVec2 a, b;
    if (!p.point(from, &a))
        return;
    for (int k = 0; k < 3; k++) {
        float end[] = {at.x, at.y, at.z};
        end[k] += length;
        if (p.point(end, &b))
            list->AddLine(a, b, colours[k], v->axis < 0 || v->axis == k ? 3.0f : 1.0f);
    }
    if (p.point(goal, &b)) {
        list->AddLine(a, b, IM_COL32(240, 190, 60, 255), 1.5f);
        list->AddCircle(b, 5.0f, IM_COL32(240, 190, 60, 255), 0, 2.0f);
    }
}
