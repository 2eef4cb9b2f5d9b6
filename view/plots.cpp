// Plots over the stored frames: energy, stretch, residual, and the time of a step by stage. The pointer shows a frame, and a click goes
// to it.
#include "plots.h"

#include <imgui.h>

namespace {

struct curve {
    const char *name, *unit;
    float pli_view_figures::*value;
};

const curve curves[] = {{"energy", "J", &pli_view_figures::energy},
                        {"stretch", "%", &pli_view_figures::stretch},
                        {"residual", "edges", &pli_view_figures::residual},
                        {"step", "ms", &pli_view_figures::milliseconds}};

// The frame nearest to a position along the plot, 0 to 1.
int32_t frame_at(const pli_viewer *v, float along)
{
    const float last = (float)v->session.last, i = along * last + 0.5f;
    return (int32_t)(i < 0.0f ? 0.0f : i > last ? last : i);
}

pli_view_figures figures_of(const pli_viewer *v, int32_t frame) { return pli_view_source_figures(v->source, frame); }

// Draws a line at the position of a frame.
void mark(const pli_viewer *v, int32_t frame, ImVec2 low, ImVec2 high, ImU32 colour)
{
    const float most = (float)(v->session.last > 0 ? v->session.last : 1);
    float x = low.x + (high.x - low.x) * (float)frame / most;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, low.y), ImVec2(x, high.y), colour);
}

// Colours of the stages, in the order in which a step runs them.
ImU32 stage_colour(int32_t stage)
{
    static const ImU32 colours[] = {
        IM_COL32(110, 110, 120, 255), IM_COL32(150, 120, 90, 255), IM_COL32(90, 150, 110, 255),
        IM_COL32(70, 130, 200, 255),  IM_COL32(225, 130, 60, 255), IM_COL32(150, 170, 70, 255),
        IM_COL32(190, 90, 150, 255),  IM_COL32(200, 70, 70, 255),  IM_COL32(120, 90, 180, 255)};
    return colours[(size_t)stage % (sizeof colours / sizeof *colours)];
}

// The stacked stage times of each step, one column per pixel.
void draw_stages(const pli_viewer *v, ImVec2 low, ImVec2 high)
{
    float most = 1e-6f;
    for (int32_t i = 0; i <= v->session.last; i++)
        most = figures_of(v, i).milliseconds > most ? figures_of(v, i).milliseconds : most;
    for (float x = low.x; x < high.x; x += 1.0f) {
        const pli_view_figures f = figures_of(v, frame_at(v, (x - low.x) / (high.x - low.x)));
        float y = high.y;
        for (int32_t stage = 0; stage < PLI_STAGE_COUNT; stage++) {
            float top = y - (high.y - low.y) * f.stages[stage] / most;
            ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, top), ImVec2(x + 1.0f, y), stage_colour(stage));
            y = top;
        }
    }
}

void tell_stages(const pli_view_figures &f)
{
    for (int32_t stage = 0; stage < PLI_STAGE_COUNT; stage++)
        if (f.stages[stage] > 0.0f)
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(stage_colour(stage)), "%s %.2f ms",
                               pli_choice_name("stage", (int32_t)stage), (double)f.stages[stage]);
}

// Draws a curve over the range from 0 to its largest value.
void draw_curve(const pli_viewer *v, const curve *c, ImVec2 low, ImVec2 high)
{
    float most = 1e-30f;
    for (int32_t i = 0; i <= v->session.last; i++)
        most = figures_of(v, i).*c->value > most ? figures_of(v, i).*c->value : most;
    ImVec2 before(low.x, high.y);
    for (float x = low.x; x <= high.x; x += 1.0f) {
        float value = figures_of(v, frame_at(v, (x - low.x) / (high.x - low.x))).*c->value;
        ImVec2 here(x, high.y - (high.y - low.y) * value / most);
        if (x > low.x)
            ImGui::GetWindowDrawList()->AddLine(before, here, ImGui::GetColorU32(ImGuiCol_PlotLines));
        before = here;
    }
}

// All plots fill their panel.
float plot_height(void)
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float count = (float)(sizeof curves / sizeof *curves);
    return (ImGui::GetWindowHeight() - 2.0f * style.WindowPadding.y - (count - 1.0f) * style.ItemSpacing.y) / count;
}

// Draws one curve; returns whether a click chose a frame.
bool plot(const pli_viewer *v, const curve *c, int32_t *chosen)
{
    char label[80];
    bool by_stage = c->value == &pli_view_figures::milliseconds;
    snprintf(label, sizeof label, "%s %.3g %s", c->name, (double)(figures_of(v, v->session.frame).*c->value), c->unit);
    ImGui::PushID(c->name);
    ImGui::InvisibleButton("##plot", ImVec2(ImGui::GetContentRegionAvail().x, plot_height()));
    ImVec2 padding = ImGui::GetStyle().FramePadding, low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
    low = ImVec2(low.x + padding.x, low.y + padding.y), high = ImVec2(high.x - padding.x, high.y - padding.y);
    bool hovered = ImGui::IsItemHovered();
    // The label has its own line, which no curve crosses.
    ImGui::GetWindowDrawList()->AddText(low, ImGui::GetColorU32(ImGuiCol_Text), label);
    low.y += ImGui::GetTextLineHeight();
    if (by_stage)
        draw_stages(v, low, high);
    else
        draw_curve(v, c, low, high);
    mark(v, v->session.frame, low, high, IM_COL32(255, 190, 60, 255));
    if (hovered) {
        int32_t frame = frame_at(v, (ImGui::GetIO().MousePos.x - low.x) / (high.x - low.x));
        const pli_view_figures f = figures_of(v, frame);
        mark(v, frame, low, high, IM_COL32(255, 255, 255, 160));
        ImGui::BeginTooltip();
        ImGui::Text("frame %d: %.3g %s", (int)frame, (double)(f.*c->value), c->unit);
        if (by_stage)
            tell_stages(f);
        ImGui::EndTooltip();
        *chosen = frame;
    }
    ImGui::PopID();
    return hovered && ImGui::IsMouseClicked(0);
}

} // namespace

void pli_viewer_plots(pli_viewer *v)
{
    pli_session *s = &v->session;
    int32_t frame = s->frame;
    bool goes = false;
    float left = pli_viewer_stage_width(v), height = pli_viewer_pixels(v, PLI_VIEW_PLOTS);
    ImGui::SetNextWindowPos(ImVec2(left, (float)v->height - height));
    ImGui::SetNextWindowSize(ImVec2((float)v->width - left, height));
    ImGui::Begin("Plots", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    for (const curve &c : curves)
        goes = plot(v, &c, &frame) || goes;
    ImGui::End();
    if (!goes)
        return;
    s->playing = false;
    pli_session_go(s, frame);
}
