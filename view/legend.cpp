// Colours are those of the surface before light falls on it. A recorded video has the legend of the renderer, which is in the picture.
#include "legend.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>

namespace {

enum { STEPS = 48, TICKS = 5 };

ImU32 srgb(pli_vec3 c)
{
    const auto byte = [](float x) {
        x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
        x = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1.0f / 2.4f) - 0.055f;
        return (int)(255.0f * x + 0.5f);
    };
    return IM_COL32(byte(c.x), byte(c.y), byte(c.z), 255);
}

// A card that keeps text readable over any scene.
void card(ImDrawList *list, ImVec2 low, ImVec2 high)
{
    list->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_WindowBg), ImGui::GetStyle().PopupRounding);
}

void bar(const pli_viewer *v, const pli_render_frame *f)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float em = ImGui::GetFontSize(), height = std::fmin(14.0f * em, 0.5f * pli_viewer_stage_height(v));
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    const float width = std::fmax(ImGui::CalcTextSize(f->legend).x, 5.5f * em);
    const float left = pli_viewer_stage_width(v) - width - 2.0f * em,
                top = pli_viewer_stage_top(v) + 0.5f * (pli_viewer_stage_height(v) - height);
    card(list, ImVec2(left - em, top - 2.2f * em), ImVec2(left + width + em, top + height + em));
    list->AddText(ImVec2(left, top - 1.8f * em), ink, f->legend);
    for (int i = 0; i < STEPS; i++) {
        const float low = (float)i / STEPS, high = (float)(i + 1) / STEPS;
        const ImU32 below = srgb(pli_render_measure_colour(low)), above = srgb(pli_render_measure_colour(high));
        list->AddRectFilledMultiColor(ImVec2(left, top + (1.0f - high) * height),
                                      ImVec2(left + em, top + (1.0f - low) * height), above, above, below, below);
    }
    for (int i = 0; i < TICKS; i++) {
        const float t = (float)i / (TICKS - 1), y = top + (1.0f - t) * height;
        char number[32];
        snprintf(number, sizeof number, "%.3g",
                 (double)(f->legend_minimum + (f->legend_maximum - f->legend_minimum) * t));
        list->AddLine(ImVec2(left + em, y), ImVec2(left + 1.3f * em, y), ink);
        list->AddText(ImVec2(left + 1.6f * em, y - 0.5f * em), ink, number);
    }
}

void keys(const pli_viewer *v, const pli_render_frame *f)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float em = ImGui::GetFontSize(), row = 1.4f * em, top = pli_viewer_stage_top(v) + em;
    float width = 0.0f;
    for (int32_t i = 0; i < f->key_count; i++)
        width = std::fmax(width, ImGui::CalcTextSize(f->keys[i].name).x);
    const float left = pli_viewer_stage_width(v) - width - 3.0f * em;
    card(list, ImVec2(left - 0.4f * em, top - 0.4f * em),
         ImVec2(left + width + 2.2f * em, top + row * (float)f->key_count + 0.2f * em));
    for (int32_t i = 0; i < f->key_count; i++) {
        const float y = top + row * (float)i;
        list->AddRectFilled(ImVec2(left, y), ImVec2(left + em, y + em), srgb(f->keys[i].colour), 3.0f);
        list->AddText(ImVec2(left + 1.6f * em, y), ImGui::GetColorU32(ImGuiCol_Text), f->keys[i].name);
    }
}

} // namespace

void pli_viewer_legend(const pli_viewer *v)
{
    const pli_render_frame *f = pli_cli_world_view_frame(v->picture);
    if (v->desk->film.video)
        return;
    if (f->legend)
        bar(v, f);
    if (f->key_count > 0)
        keys(v, f);
}
