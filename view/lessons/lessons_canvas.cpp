// The drawings of lessons, by the draw lists of Dear ImGui.
#include "lessons/lessons_canvas.h"

#include "lessons/neighbors.h"
#include "viewer.h"

#include <imgui.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

const ImU32 ink = IM_COL32(225, 228, 232, 255), faint = IM_COL32(120, 130, 140, 255), red = IM_COL32(225, 95, 75, 255),
            teal = IM_COL32(70, 180, 190, 255), shade = IM_COL32(70, 180, 190, 45), paper = IM_COL32(24, 28, 33, 255);

// A rectangle of the panel, and the scale of a plane in it.
struct plane {
    ImDrawList *draw;
    ImVec2 low, high, origin; // Origin of the plane [pixels].
    float scale;              // Pixels per metre.

    ImVec2 at(double x, double y) const { return {origin.x + scale * (float)x, origin.y - scale * (float)y}; }
};

plane open_plane(float height)
{
    const ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height);
    const ImVec2 high(low.x + size.x, low.y + size.y);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, high, paper, 4.0f);
    draw->PushClipRect(low, high, true);
    return {draw, low, high, ImVec2(0.5f * (low.x + high.x), 0.5f * (low.y + high.y)), size.x / 3.2f};
}

void close_plane(const plane &p)
{
    p.draw->PopClipRect();
    ImGui::SetCursorScreenPos(p.low);
    ImGui::Dummy(ImVec2(p.high.x - p.low.x, p.high.y - p.low.y));
}

/* ---- points that can be dragged ----------------------------------------------------------------- */

void drag(const plane &p, double point[2], const char *name)
{
    const ImVec2 c = p.at(point[0], point[1]);
    const float r = 0.7f * ImGui::GetFontSize();
    ImGui::SetCursorScreenPos(ImVec2(c.x - r, c.y - r));
    ImGui::InvisibleButton(name, ImVec2(2.0f * r, 2.0f * r));
    const bool active = ImGui::IsItemActive();
    if (active) {
        const ImVec2 by = ImGui::GetIO().MouseDelta;
        point[0] = std::fmin(std::fmax(point[0] + (double)(by.x / p.scale), -1.5), 1.5);
        point[1] = std::fmin(std::fmax(point[1] - (double)(by.y / p.scale), -0.9), 1.4);
    }
    p.draw->AddCircleFilled(c, 0.45f * r, active || ImGui::IsItemHovered() ? red : ink);
    p.draw->AddText(ImVec2(c.x + 0.7f * r, c.y - 1.7f * r), ink, name);
}

// The height over the common centre, and the circle that kappa allows.
void triangle(const plane &p, const pli_view_points *points, const pli_view_projection *r)
{
    const double c[2] = {(points->now[0][0] + points->now[1][0] + points->now[2][0]) / 3.0,
                         (points->now[0][1] + points->now[1][1] + points->now[2][1]) / 3.0};
    const ImVec2 centre = p.at(c[0], c[1]), v = p.at(points->now[2][0], points->now[2][1]);
    if (points->relation == PLI_SENSE_AT_MOST)
        p.draw->AddCircleFilled(centre, p.scale * (float)r->target, shade, 64);
    p.draw->AddCircle(centre, p.scale * (float)r->target, teal, 64, 1.5f);
    p.draw->AddLine(centre, v, teal, 2.0f);
    p.draw->AddCircleFilled(centre, 3.0f, teal);
    p.draw->AddText(ImVec2(centre.x + 6.0f, centre.y + 2.0f), teal, "c");
}

void relations(pli_view_points *points)
{
    static const char *const names[] = {"h = h0 + kappa", "at most", "at least"};
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            ImGui::SameLine();
        if (ImGui::RadioButton(names[i], points->relation == (pli_sense)i))
            points->relation = (pli_sense)i;
    }
}

void draw_points(pli_view_lessons *l)
{
    static const char *const triple[] = {"b0", "b1", "v"}, *const tips[] = {"2", "3"};
    pli_view_points *points = &l->points;
    const bool three = points->count == 3;
    if (points->count == 0)
        return;
    points->kappa = three ? l->value : 0.0;
    points->weights[0] = three ? 1.0 : l->value;
    plane p = open_plane(12.5f * ImGui::GetFontSize());
    p.origin.y += three ? 2.6f * ImGui::GetFontSize() : 0.0f;
    const pli_view_projection r = pli_view_points_project(points);
    const int32_t order[] = {0, three ? 2 : 1, 1};
    for (int i = 0; i < points->count - (three ? 0 : 1); i++) {
        const double *a = points->now[order[i]], *b = points->now[three ? order[(i + 1) % 3] : 1];
        p.draw->AddLine(p.at(a[0], a[1]), p.at(b[0], b[1]), faint, 1.5f);
    }
    if (three)
        triangle(p, points, &r);
    for (int i = 0; i < points->count; i++) {
        const ImVec2 from = p.at(points->now[i][0], points->now[i][1]);
        const ImVec2 to = p.at(points->now[i][0] + r.moves[i][0], points->now[i][1] + r.moves[i][1]);
        if (r.acts && std::hypot(to.x - from.x, to.y - from.y) > 1.0f) {
            p.draw->AddLine(from, to, red, 2.5f);
            p.draw->AddCircle(to, 0.4f * ImGui::GetFontSize(), red, 24, 1.5f);
        }
    }
    for (int i = 0; i < points->count; i++)
        drag(p, points->now[i], three ? triple[i] : tips[i]);
    p.draw->AddText(ImVec2(p.low.x + 8.0f, p.low.y + 5.0f), r.acts && std::fabs(r.value) > 1e-9 ? red : faint,
                    r.acts ? "red: one projection" : "allowed: nothing moves");
    close_plane(p);
    if (three)
        relations(points);
    if (ImGui::Button("Project once"))
        for (int i = 0; i < points->count; i++)
            for (int k = 0; k < 2; k++)
                points->now[i][k] += r.moves[i][k];
    ImGui::SameLine();
    if (ImGui::Button("At first"))
        pli_view_points_begin(points, points->type);
}

/* ---- neighbours --------------------------------------------------------------------------------- */

// The rows of a mesh of few triangles, in two columns; those that were found are coloured.
void draw_rows(const plane &p, const pli_view_row *rows, int32_t count, int32_t walked)
{
    const float line = 1.1f * ImGui::GetFontSize();
    const ImVec2 from(p.low.x + 0.62f * (p.high.x - p.low.x), p.low.y + 0.5f * line);
    for (int32_t i = 0; i < count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%s %d %d  %d", i == walked ? ">" : "  ", (int)rows[i].low, (int)rows[i].high,
                 (int)rows[i].edge);
        p.draw->AddText(ImVec2(from.x, from.y + line * (float)i), rows[i].shared ? red : ink, text);
    }
}

// The first mesh of the scene at rest, from above. Shared edges that were found are red.
void draw_mesh(pli_viewer *v, const pli_lesson *lesson)
{
    const pli_mesh *mesh = pli_deformable_rest_mesh(v->session.world, pli_world_deformable_at(v->session.world, 0));
    const pli_topology *t = mesh ? pli_mesh_topology(mesh) : nullptr;
    const bool strides = lesson->value.choices != nullptr;
    const int32_t walked = strides ? INT32_MAX : (int32_t)v->desk->lessons.value;
    pli_view_row *rows = t ? pli_view_rows_make(t, walked, strides ? (int32_t)v->desk->lessons.value + 1 : 1) : nullptr;
    if (!rows)
        return;
    plane p = open_plane(12.5f * ImGui::GetFontSize());
    float low[2] = {FLT_MAX, FLT_MAX}, high[2] = {-FLT_MAX, -FLT_MAX};
    const bool few = t->triangle_count <= 2;
    for (int32_t i = 0; i < t->vertex_count; i++)
        for (int k = 0; k < 2; k++) {
            const float x = t->positions[3 * i + 2 * k];
            low[k] = std::fmin(low[k], x), high[k] = std::fmax(high[k], x);
        }
    const float width = (p.high.x - p.low.x) * (few ? 0.6f : 1.0f) - 36.0f, height = p.high.y - p.low.y - 36.0f;
    // A strip lies along the longer side.
    const int across = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
    p.scale = std::fmin(width / (high[across] - low[across]),
                        height / std::fmax(high[1 - across] - low[1 - across], 1e-6f));
    p.origin = ImVec2(p.low.x + 18.0f + 0.5f * width, p.low.y + 18.0f + 0.5f * height);
    const auto place = [&](int32_t vertex) {
        const float *x = &t->positions[3 * vertex];
        return p.at((double)(x[2 * across] - 0.5f * (low[across] + high[across])),
                    -(double)(x[2 - 2 * across] - 0.5f * (low[1 - across] + high[1 - across])));
    };
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        p.draw->AddLine(place(rows[i].low), place(rows[i].high), rows[i].shared ? red : faint,
                        rows[i].shared ? 2.5f : 1.0f);
    for (int32_t i = 0; i < t->vertex_count && t->vertex_count < 20; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", (int)i);
        p.draw->AddCircleFilled(place(i), 3.0f, ink);
        p.draw->AddText(ImVec2(place(i).x + 4.0f, place(i).y + 2.0f), ink, name);
    }
    if (few)
        draw_rows(p, rows, 3 * t->triangle_count, walked);
    free(rows);
    close_plane(p);
}

/* ---- Algorithm 1 -------------------------------------------------------------------------------- */

void draw_net(const pli_view_algorithm *a)
{
    plane p = open_plane(8.5f * ImGui::GetFontSize());
    p.scale *= 1.6f;
    // From the side: the net starts level, and its free part swings down. Its middle is half a metre below the start.
    const auto place = [&](const double *x) { return p.at(x[0] + 0.35 * x[2], x[1] - 0.75 - 0.15 * x[2]); };
    for (int32_t e = 0; e < a->edge_count; e++) {
        p.draw->AddLine(place(a->x[a->edges[e][0]]), place(a->x[a->edges[e][1]]), faint, 1.0f);
        p.draw->AddLine(place(a->p[a->edges[e][0]]), place(a->p[a->edges[e][1]]), teal, 1.5f);
    }
    for (int32_t i = 0; i < a->count; i++)
        p.draw->AddCircleFilled(place(a->p[i]), 3.0f, a->w[i] > 0.0 ? teal : red);
    close_plane(p);
}

void draw_algorithm(pli_viewer *v)
{
    pli_view_algorithm *a = &v->desk->lessons.algorithm;
    if (a->count == 0)
        return;
    draw_net(a);
    for (int32_t i = 0; i < pli_view_algorithm_lines(); i++) {
        const pli_view_algorithm_line *line = pli_view_algorithm_line_at(i);
        const ImVec4 colour = i == a->line ? ImVec4(0.88f, 0.37f, 0.29f, 1.0f)
                                           : ImGui::GetStyleColorVec4(ImGuiCol_Text);
        ImGui::TextColored(colour, "%s", i == a->line ? ">" : "");
        ImGui::SameLine(1.2f * ImGui::GetFontSize());
        ImGui::TextColored(colour, "%s", line->number);
        ImGui::SameLine(4.6f * ImGui::GetFontSize());
        ImGui::TextColored(colour, "%s", line->text);
    }
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextWrapped("%s", pli_view_algorithm_line_at(a->line)->meaning);
    ImGui::PopStyleColor();
    bool whole = false, next = ImGui::Button("Next line");
    ImGui::SameLine();
    whole = ImGui::Button("Whole step");
    for (bool ends = !(next || whole); !ends;) {
        const double dt = 1.0 / pli_scene_frames_per_second(v->session.scenes[0]);
        ends = pli_view_algorithm_next(a, v->session.world, dt);
        if (ends)
            pli_session_step(&v->session);
        ends = ends || !whole;
    }
}

} // namespace

void pli_lesson_draw(pli_viewer *v, const pli_lesson *lesson)
{
    if (lesson->canvas == PLI_LESSON_POINTS)
        draw_points(&v->desk->lessons);
    else if (lesson->canvas == PLI_LESSON_NEIGHBORS)
        draw_mesh(v, lesson);
    else if (lesson->canvas == PLI_LESSON_ALGORITHM)
        draw_algorithm(v);
}
