// The other run is drawn as thin grey edges over the picture, which hide nothing. Handles are three axes of the same length on any
// display.
#include "ghost.h"

#include "session/tools.h"
#include "stage.h"

extern "C" {
}

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

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

float distance(pli_vec3 a, pli_vec3 b)
{
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return std::sqrt(x * x + y * y + z * z);
}

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

namespace {

// Where a distance from a centre has a value along the edges of a triangle: no point, or two.
int crossings(const pli_vec3 corners[3], pli_vec3 centre, float radius, float ends[2][3])
{
    int count = 0;
    for (int k = 0; k < 3 && count < 2; k++) {
        const pli_vec3 a = corners[k], b = corners[(k + 1) % 3];
        const float da = distance(a, centre) - radius, db = distance(b, centre) - radius;
        if ((da < 0.0f) == (db < 0.0f))
            continue;
        const float t = da / (da - db);
        ends[count][0] = a.x + t * (b.x - a.x), ends[count][1] = a.y + t * (b.y - a.y);
        ends[count++][2] = a.z + t * (b.z - a.z);
    }
    return count;
}

// Draws where the distance from the point under the pointer is the radius, on the part of the surface that the tool affects.
bool contour(const pli_viewer *v, const projection &p, const pli_ray_hit *hit, float radius, float thick)
{
    const pli_mesh *mesh;
    int32_t count = 0, drawn = 0;
    const pli_view places = pli_deformable_positions(v->session.world, hit->deformable);
    if (pli_deformable_get_mesh(v->session.world, hit->deformable, &mesh, nullptr) != PLI_STATUS_OK)
        return false;
    const pli_topology *t = pli_mesh_topology(mesh);
    float *weights = pli_session_sample(v->session.world, hit->deformable, pli_session_nearest(hit), hit->position,
                                        radius, &count);
    for (int32_t i = 0; weights && i < t->triangle_count; i++) {
        const int32_t *corner = t->triangles + 3 * (size_t)i;
        pli_vec3 corners[3];
        float ends[2][3];
        ImVec2 from, to;
        if (!(weights[corner[0]] > 0.0f || weights[corner[1]] > 0.0f || weights[corner[2]] > 0.0f))
            continue;
        for (int k = 0; k < 3; k++) {
            const float *at = pli_view_at(places, corner[k]);
            corners[k] = {at[0], at[1], at[2]};
        }
        if (crossings(corners, hit->position, radius, ends) == 2 && p.point(ends[0], &from) && p.point(ends[1], &to)) {
            ImGui::GetBackgroundDrawList()->AddLine(from, to, IM_COL32(20, 26, 32, 150), thick + 1.5f);
            ImGui::GetBackgroundDrawList()->AddLine(from, to, IM_COL32(250, 250, 250, 240), thick);
            drawn++;
        }
    }
    free(weights);
    return drawn > 2;
}

// A ring that is smaller than the triangles lies in the plane of the face.
void flat_ring(const projection &p, const pli_ray_hit *hit, float radius)
{
    enum { SIDES = 40 };
    const pli_vec3 n = hit->normal, other = std::fabs(n.y) < 0.9f ? pli_vec3{0, 1, 0} : pli_vec3{1, 0, 0};
    const pli_vec3 a = unit(cross(n, other)), b = cross(n, a);
    ImVec2 points[SIDES];
    int count = 0;
    for (int i = 0; i < SIDES; i++) {
        const float turn = 6.2831853f * (float)i / SIDES, c = radius * std::cos(turn), s = radius * std::sin(turn);
        const float at[] = {hit->position.x + c * a.x + s * b.x, hit->position.y + c * a.y + s * b.y,
                            hit->position.z + c * a.z + s * b.z};
        count += p.point(at, &points[count]);
    }
    ImGui::GetBackgroundDrawList()->AddPolyline(points, count, IM_COL32(20, 26, 32, 150), ImDrawFlags_Closed, 3.0f);
    ImGui::GetBackgroundDrawList()->AddPolyline(points, count, IM_COL32(250, 250, 250, 240), ImDrawFlags_Closed, 1.5f);
}

// The patch that the tool affects under the pointer, and where the brush has half its strength.
void ring(const pli_viewer *v)
{
    const float half = 0.541f; // (1 - d^2)^2 is 1/2 there.
    const ImVec2 at = ImGui::GetMousePos();
    pli_camera camera;
    pli_ray_hit hit;
    if (!pli_viewer_has_radius(v) || v->session.tools.hands[0].holds || v->session.show ||
        ImGui::GetIO().WantCaptureMouse || !ImGui::IsMousePosValid(&at))
        return;
    const pli_vec3 ray = pli_viewer_ray(v, at.x, at.y, &camera);
    if (!pli_world_ray(v->session.world, camera.eye, ray, 1e6f, UINT32_MAX, &hit))
        return;
    const projection p = projection_of(v);
    const float radius = pli_viewer_radius(v, hit.deformable);
    if (!contour(v, p, &hit, radius, 2.0f))
        flat_ring(p, &hit, radius);
    else if (v->tool == PLI_SESSION_TOOL_BRUSH)
        contour(v, p, &hit, half * radius, 1.0f);
}

// Vertices that pins and attachments of the scene hold: the Pin tool and Move act on them.
void pins(const pli_viewer *v)
{
    const pli_session *s = &v->session;
    if (s->show || (v->tool != PLI_SESSION_TOOL_PIN && v->tool != PLI_SESSION_TOOL_MOVE))
        return;
    const projection p = projection_of(v);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(s->world, i);
        const pli_view places = pli_deformable_positions(s->world, deformable);
        std::vector<float> held((size_t)places.count + 1);
        pli_session_pinned(s, deformable, held.data(), places.count);
        for (int32_t k = 0; k < places.count; k++) {
            ImVec2 at;
            if (!(held[(size_t)k] > 0.0f) || !p.point(pli_view_at(places, k), &at))
                continue;
            list->AddCircleFilled(at, 4.0f, IM_COL32(20, 26, 32, 200));
            list->AddCircleFilled(at, 2.5f, IM_COL32(240, 180, 90, 255));
        }
    }
}

// The stroke along which a cut will be made.
void cut_line(const pli_viewer *v)
{
    const pli_session_gesture &g = v->session.gestures[0];
    if (!g.pressed || g.tool != PLI_SESSION_TOOL_CUT)
        return;
    const ImVec2 from(v->press_x, v->press_y), to = ImGui::GetMousePos();
    ImGui::GetBackgroundDrawList()->AddLine(from, to, IM_COL32(20, 26, 32, 160), 4.0f);
    ImGui::GetBackgroundDrawList()->AddLine(from, to, IM_COL32(250, 250, 250, 240), 2.0f);
}

// From the grabbed patch to the pointer, with the force; amber at its limit.
void band(const pli_viewer *v)
{
    const pli_session *s = &v->session;
    if (!s->tools.hands[0].holds || s->tools.hands[0].grab.attachment.id == 0)
        return;
    const pli_view places = pli_deformable_positions(s->world, s->tools.hands[0].grab.deformable);
    int32_t count = 0;
    std::vector<int32_t> patch((size_t)s->tools.hands[0].grab.particle_count + 1);
    if (pli_attachment_particles(s->world, s->tools.hands[0].grab.attachment, patch.data(), (int32_t)patch.size(),
                                 &count, nullptr) != PLI_STATUS_OK ||
        count < 1)
        return;
    float centre[3] = {0},
          goal[] = {s->tools.hands[0].target.x, s->tools.hands[0].target.y, s->tools.hands[0].target.z};
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            centre[k] += pli_view_at(places, patch[(size_t)i])[k] / (float)count;
    const pli_vec3 f = s->tools.hands[0].grab.force;
    const float force = std::sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    const bool most = force > 0.98f * s->tools.hands[0].grab.limit;
    const ImU32 colour = most ? IM_COL32(240, 180, 90, 255) : IM_COL32(92, 195, 205, 255);
    const projection p = projection_of(v);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    ImVec2 a, b;
    if (!p.point(centre, &a) || !p.point(goal, &b))
        return;
    char text[60] = "";
    if (force > 0.0f)
        snprintf(text, sizeof text, "%.2g N%s", (double)force, most ? ", the limit" : "");
    list->AddLine(a, b, IM_COL32(20, 26, 32, 140), most ? 6.0f : 4.0f);
    list->AddLine(a, b, colour, most ? 4.0f : 2.0f);
    list->AddCircleFilled(a, 4.0f, colour);
    list->AddCircle(b, 6.0f, colour, 0, 2.0f);
    list->AddText(ImVec2(b.x + 13.0f, b.y - 7.0f), IM_COL32(20, 26, 32, 255), text);
    list->AddText(ImVec2(b.x + 12.0f, b.y - 8.0f), IM_COL32(250, 250, 250, 255), text);
}

} // namespace

void pli_viewer_handles(const pli_viewer *v)
{
    ring(v);
    pins(v);
    cut_line(v);
    band(v);
    pli_transform pose;
    const pli_session *s = &v->session;
    if (!pli_session_moved_pose(s, &pose))
        return;
    static const ImU32 colours[] = {IM_COL32(220, 70, 60, 255), IM_COL32(90, 170, 60, 255),
                                    IM_COL32(60, 110, 220, 255)};
    const projection p = projection_of(v);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const pli_vec3 at = pose.position, to = s->tools.mover.target;
    const float length = 0.12f * v->camera.distance, from[] = {at.x, at.y, at.z}, goal[] = {to.x, to.y, to.z};
    ImVec2 a, b;
    if (!p.point(from, &a))
        return;
    for (int k = 0; k < 3; k++) {
        float end[] = {at.x, at.y, at.z};
        end[k] += length;
        if (p.point(end, &b))
            list->AddLine(a, b, colours[k], v->session.axis < 0 || v->session.axis == k ? 3.0f : 1.0f);
    }
    if (p.point(goal, &b)) {
        list->AddLine(a, b, IM_COL32(240, 190, 60, 255), 1.5f);
        list->AddCircle(b, 5.0f, IM_COL32(240, 190, 60, 255), 0, 2.0f);
    }
}
