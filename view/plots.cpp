// Plots over the frames that are kept: energy, stretch, time of a step. The pointer shows a frame, and a click goes there.
#include "plots.h"

#include <imgui.h>

#include <cfloat>

namespace {

struct curve {
    const char *name, *unit;
    float pli_view_kept::*value;
};

const curve curves[] = {{"energy", "J", &pli_view_kept::energy},
                        {"stretch", "%", &pli_view_kept::stretch},
                        {"step", "ms", &pli_view_kept::milliseconds}};

struct source {
    const pli_view_session *session;
    const curve *drawn;
};

float value_at(void *user, int i)
{
    const source *s = static_cast<const source *>(user);
    return s->session->kept[i].*s->drawn->value;
}

// The kept frame nearest to a place along the plot, 0 to 1.
int32_t frame_at(const pli_view_session *s, float along)
{
    float last = (float)(s->kept_count - 1), i = along * last + 0.5f;
    return s->kept[(int32_t)(i < 0.0f ? 0.0f : i > last ? last : i)].frame;
}

int32_t index_of(const pli_view_session *s, int32_t frame)
{
    int32_t i = 0;
    while (i < s->kept_count - 1 && s->kept[i].frame < frame)
        i++;
    return i;
}

// A line where a frame is.
void mark(const pli_view_session *s, int32_t frame, ImVec2 low, ImVec2 high, ImU32 colour)
{
    float most = (float)(s->kept_count > 1 ? s->kept_count - 1 : 1);
    float x = low.x + (high.x - low.x) * (float)index_of(s, frame) / most;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, low.y), ImVec2(x, high.y), colour);
}

// Draws one curve; returns whether a click chose a frame.
bool plot(const pli_view_session *s, const curve *c, int32_t *chosen)
{
    char label[80];
    source from = {s, c};
    const pli_view_kept *now = &s->kept[index_of(s, s->frame)];
    snprintf(label, sizeof label, "%s %.3g %s", c->name, (double)(now->*c->value), c->unit);
    ImGui::PushID(c->name);
    ImGui::PlotLines("##plot", value_at, &from, s->kept_count, 0, label, 0.0f, FLT_MAX,
                     ImVec2(ImGui::GetContentRegionAvail().x, 3.1f * ImGui::GetFontSize()));
    ImVec2 padding = ImGui::GetStyle().FramePadding, low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    low = ImVec2(low.x + padding.x, low.y + padding.y), high = ImVec2(high.x - padding.x, high.y - padding.y);
    bool hovered = ImGui::IsItemHovered();
    mark(s, s->frame, low, high, IM_COL32(255, 190, 60, 255));
    if (hovered) {
        int32_t frame = frame_at(s, (ImGui::GetIO().MousePos.x - low.x) / (high.x - low.x));
        const pli_view_kept *k = &s->kept[index_of(s, frame)];
        mark(s, frame, low, high, IM_COL32(255, 255, 255, 160));
        ImGui::SetTooltip("frame %d: %.3g %s", (int)frame, (double)(k->*c->value), c->unit);
        *chosen = frame;
    }
    ImGui::PopID();
    return hovered && ImGui::IsMouseClicked(0);
}

} // namespace

void pli_viewer_plots(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    int32_t frame = s->frame;
    bool goes = false;
    float left = pli_viewer_stage_width(v), height = pli_viewer_pixels(v, PLI_VIEW_PLOTS);
    ImGui::SetNextWindowPos(ImVec2(left, (float)v->height - height));
    ImGui::SetNextWindowSize(ImVec2((float)v->width - left, height));
    ImGui::Begin("Plots", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    for (const curve &c : curves)
        goes = plot(s, &c, &frame) || goes;
    ImGui::End();
    if (!goes)
        return;
    s->playing = false;
    pli_view_session_go(s, frame);
}
