// The panel at the right: advice, values, look and figures; the bar of time, and messages.
#include "panels.h"

#include "brush_panel.h"
#include "looking/models_panel.h"
#include "looking/overlays_panel.h"
#include "controls.h"
#include "parts.h"
#include "session/tools.h"
#include "values_panel.h"
#include "plots.h"

#include <imgui.h>

#include <cctype>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <string>

namespace {

void look_panel(pli_viewer *v)
{
    if (!ImGui::CollapsingHeader("Look", ImGuiTreeNodeFlags_DefaultOpen))
        return;
    const int32_t measure = v->measure;
    const pli_choice *measures = pli_choices_find("measure");
    pli_control_label("Colour by");
    if (ImGui::BeginCombo("##measure", measure < 0 ? "Own colours" : measures[measure].label)) {
        for (int32_t i = -1; i < PLI_MEASURE_COUNT; i++) {
            if (ImGui::Selectable(i < 0 ? "Own colours" : measures[i].label, i == measure))
                v->measure = i;
            if (i >= 0 && pli_control_hovered(&measures[i]))
                ImGui::SetTooltip("%s", measures[i].summary);
        }
        ImGui::EndCombo();
    }
    if (v->measure != measure)
        pli_cli_world_view_measure(v->picture, v->measure);
    ImGui::Checkbox("Wireframe", &v->wireframe);
    if (pli_overlays_panel(&v->overlays))
        v->still = 0;
}

void models_panel(pli_viewer *v)
{
    pli_session *s = &v->session;
    pli_error error;
    if (ImGui::CollapsingHeader("Bending side by side") && pli_models_panel(&v->models, pli_session_scene(s), &error)) {
        v->still = 0;
        if (error.message[0])
            pli_session_fail(s, "%s", error.message);
    }
    pli_models_labels(&v->models, (int32_t)pli_viewer_stage_width(v), (int32_t)pli_viewer_stage_height(v),
                      pli_viewer_stage_top(v));
}

void figures_panel(const pli_viewer *v)
{
    pli_statistics s;
    pli_world_get_statistics(v->session.world, &s);
    if (!ImGui::CollapsingHeader("Figures", ImGuiTreeNodeFlags_DefaultOpen))
        return;
    ImGui::Text("%d particles, %d contacts", (int)s.particle_count, (int)s.contact_count);
    ImGui::Text("stretch %.2f %% rms, %.1f %% at most", 100.0 * s.stretch_rms, 100.0 * s.stretch_max);
    ImGui::Text("kinetic energy %.3g J", s.kinetic_energy);
    if (s.stuck > 0.0)
        ImGui::Text("stuck: %.1f %% of the particles", 100.0 * s.stuck);
    ImGui::Text("step %.1f ms, picture %.0f ms", 1e3 * s.step_seconds, 1e3 * v->drawing);
    ImGui::Text("hash %016" PRIx64, pli_world_hash(v->session.world));
    float stages[PLI_STAGE_ROOM] = {0};
    float most = 1e-6f;
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++) {
        stages[i] = (float)(1e3 * s.stage_seconds[i]);
        most = std::fmax(most, stages[i]);
    }
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++) {
        char label[60];
        snprintf(label, sizeof label, "%s %.2f ms", pli_choice_name("stage", (int32_t)i), (double)stages[i]);
        ImGui::ProgressBar(stages[i] / most, ImVec2(-1.0f, 1.1f * ImGui::GetFontSize()), label);
    }
}

// The findings of `pliant check` for the present scene. The check waits until the mouse button is released.
void advice_panel(pli_viewer *v)
{
    pli_session *s = &v->session;
    const int32_t count = s->checked || !ImGui::IsAnyMouseDown() ? pli_session_check(s) : 0;
    const std::string label = "Advice (" + std::to_string(count) + ")###advice";
    if (count == 0 || !ImGui::CollapsingHeader(label.c_str(), ImGuiTreeNodeFlags_DefaultOpen))
        return;
    for (int32_t i = 0; i < count; i++)
        ImGui::TextWrapped("%s", pli_world_finding_at(s->world, i)->text);
}

void tip(const char *text)
{
    if (pli_control_hovered(text))
        ImGui::SetTooltip("%s", text);
}

void time_bar(pli_viewer *v)
{
    pli_session *s = &v->session;
    float bar_height = (float)v->height - pli_viewer_stage_bottom(v);
    ImGui::SetNextWindowPos(ImVec2(0.0f, pli_viewer_stage_bottom(v)));
    ImGui::SetNextWindowSize(ImVec2(pli_viewer_stage_width(v), bar_height));
    ImGui::Begin("Time", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    if (ImGui::Button(s->playing ? "Pause" : "Play", ImVec2(4.6f * ImGui::GetFontSize(), 0.0f)))
        s->playing = !s->playing;
    tip("Space");
    ImGui::SameLine();
    if (ImGui::Button("Back"))
        pli_session_go(s, s->frame - 1);
    tip("Left; Shift+Left goes back ten frames");
    ImGui::SameLine();
    if (ImGui::Button("Step"))
        pli_session_go(s, s->frame + 1);
    tip("Right; Shift+Right computes ten frames");
    ImGui::SameLine();
    if (ImGui::Button("Start over"))
        pli_session_restart(s);
    tip("Backspace. Values stay as they are.");
    ImGui::SameLine();
    if (s->show)
        ImGui::TextDisabled("%.2f s, recorded", (double)s->frame / pli_scene_frames_per_second(pli_session_scene(s)));
    else
        ImGui::TextDisabled("%.2f s, %d frames stored",
                            (double)s->frame / pli_scene_frames_per_second(pli_session_scene(s)), (int)s->moment_count);
    if (v->desk->slow > 0) {
        ImGui::SameLine();
        ImGui::TextDisabled("1/%d of the speed", (int)v->desk->slow + 1);
    }
    int frame = s->frame;
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::SliderInt("##frame", &frame, 0, s->last, "frame %d"))
        pli_session_go(s, frame);
    ImGui::End();
}

// A message disappears after the time that it takes to read it; an error stays.
bool has_message(pli_viewer *v)
{
    pli_session *s = &v->session;
    pli_view_desk *d = v->desk;
    const double reading = 2.0 + 0.06 * (double)strlen(s->message);
    if (d->message_number != s->message_count)
        d->message_number = s->message_count, d->message_time = d->clock;
    if (!s->message_stays && d->clock - d->message_time > reading)
        s->message[0] = '\0';
    return s->message[0] != '\0';
}

// A message that begins with a word, not with a path, is shown as a sentence.
std::string sentence(const char *message)
{
    std::string text = message;
    const size_t word = strspn(message, "abcdefghijklmnopqrstuvwxyz");
    if (word > 0 && (message[word] == ' ' || message[word] == ':'))
        text[0] = (char)std::toupper((unsigned char)text[0]);
    return text;
}

void message_window(pli_viewer *v)
{
    if (!has_message(v))
        return;
    const std::string text = sentence(v->session.message);
    const char *message = text.c_str();
    const float edge = pli_viewer_pixels(v, 24), room = pli_viewer_stage_width(v) - 2.0f * edge;
    const float width = std::fmin(ImGui::CalcTextSize(message).x + pli_viewer_pixels(v, 90), room);
    ImGui::SetNextWindowPos(ImVec2(0.5f * pli_viewer_stage_width(v), pli_viewer_stage_bottom(v) - 2.4f * edge),
                            ImGuiCond_Always, ImVec2(0.5f, 1.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, 0.5f * (float)v->height));
    ImGui::Begin("Message", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushTextWrapPos(width - pli_viewer_pixels(v, 66));
    if (v->session.message_stays)
        ImGui::TextColored(v->desk->preferences.light ? ImVec4(0.64f, 0.13f, 0.18f, 1.0f)
                                                      : ImVec4(1.0f, 0.55f, 0.57f, 1.0f),
                           "%s", message);
    else
        ImGui::TextUnformatted(message);
    ImGui::PopTextWrapPos();
    ImGui::SameLine(width - pli_viewer_pixels(v, 58));
    if (ImGui::SmallButton("Close"))
        v->session.message[0] = '\0';
    ImGui::End();
}

} // namespace

void pli_viewer_panels(pli_viewer *v)
{
    // Panels are adjacent, and rounded corners would leave gaps between them.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    float left = pli_viewer_stage_width(v), top = ImGui::GetFrameHeight();
    ImGui::SetNextWindowPos(ImVec2(left, top));
    ImGui::SetNextWindowSize(
        ImVec2((float)v->width - left, (float)v->height - pli_viewer_pixels(v, PLI_VIEW_PLOTS) - top));
    ImGui::Begin("Values", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    if (v->tool == PLI_SESSION_TOOL_BRUSH && pli_brush_panel(&v->session.brush))
        v->still = 0;
    pli_parts_choose(v);
    pli_parts_draw(v, 0, pli_parts_advanced());
    // Findings come and go with values, and must not move these.
    advice_panel(v);
    look_panel(v);
    if (pli_values_panel(&v->session, &v->models))
        v->still = 0;
    models_panel(v);
    figures_panel(v);
    pli_parts_draw(v, pli_parts_advanced(), pli_panel_part_count());
    v->desk->only_part = nullptr;
    ImGui::End();
    pli_viewer_plots(v);
    time_bar(v);
    ImGui::PopStyleVar();
    message_window(v);
}
