// Panels: time, tools, controls generated from the descriptors, figures. Nothing here is specific to a constraint type or a setting.
#include "panels.h"

#include "brush/brush_panel.h"
#include "looking/models_panel.h"
#include "looking/overlays_panel.h"
#include "files/deformable_values.h"
#include "session/edits.h"
#include "session/effects.h"
#include "session/knobs_panel.h"
#include "plots.h"

#include <imgui.h>

#include <cinttypes>
#include <cmath>
#include <string>

namespace {

void unit(const pli_property *p)
{
    if (!p->unit || !*p->unit)
        return;
    ImGui::SameLine();
    ImGui::TextDisabled("%s", p->unit);
}

void explain(const pli_property *p)
{
    if (!ImGui::IsItemHovered() || !p->summary)
        return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(29.0f * ImGui::GetFontSize());
    ImGui::TextUnformatted(p->summary);
    if (p->help)
        ImGui::TextUnformatted(p->help);
    ImGui::TextDisabled("%g to %g%s%s", p->minimum, p->maximum, p->unit && *p->unit ? " " : "", p->unit ? p->unit : "");
    const double *initial = p->initial_vector;
    if (p->kind == PLI_PROPERTY_VECTOR)
        ImGui::TextDisabled("default %g, %g, %g", initial[0], initial[1], initial[2]);
    else
        ImGui::TextDisabled("default %g", p->initial);
    if (p->zero)
        ImGui::TextDisabled("0: %s", p->zero);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// The three components of a vector side by side; returns the index of the changed one, -1 for none.
int32_t vector_knob(const pli_property *p, double values[3])
{
    const double before[3] = {values[0], values[1], values[2]};
    ImGui::PushID(p->name);
    ImGui::SetNextItemWidth(11.5f * ImGui::GetFontSize());
    const bool changed = ImGui::InputScalarN(p->label ? p->label : p->name, ImGuiDataType_Double, values, 3, nullptr,
                                             nullptr, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue);
    explain(p);
    unit(p);
    ImGui::PopID();
    for (int32_t i = 0; changed && i < 3; i++)
        if (values[i] != before[i])
            return i;
    return -1;
}

// One control; returns whether the value has changed.
bool knob(const pli_property *p, double *value)
{
    const char *label = p->label ? p->label : p->name;
    bool changed = false;
    ImGui::PushID(p->name);
    ImGui::SetNextItemWidth(11.5f * ImGui::GetFontSize());
    if (p->kind == PLI_PROPERTY_BOOLEAN) {
        bool on = *value != 0.0;
        changed = ImGui::Checkbox(label, &on);
        *value = on;
    } else if (p->kind == PLI_PROPERTY_CHOICE && p->choices) {
        int32_t chosen = (int32_t)*value;
        if (ImGui::BeginCombo(label, p->choices[chosen].label)) {
            for (int32_t i = 0; p->choices[i].name; i++)
                if (ImGui::Selectable(p->choices[i].label, i == chosen)) {
                    *value = i;
                    changed = true;
                }
            ImGui::EndCombo();
        }
    } else if (p->kind == PLI_PROPERTY_INTEGER) {
        int number = (int)*value;
        changed = ImGui::InputInt(label, &number);
        *value = number;
    } else {
        double step = std::fmax(std::fabs(*value) * 0.1, 1e-9);
        changed = ImGui::InputDouble(label, value, step, 10.0 * step, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue);
    }
    explain(p);
    unit(p);
    ImGui::PopID();
    return changed;
}

void settings_panel(pli_viewer *v)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("settings");
    pli_settings settings = pli_world_settings(v->session.world);
    if (!ImGui::CollapsingHeader(group->label, ImGuiTreeNodeFlags_DefaultOpen))
        return;
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *p = &group->properties[i];
        double values[3];
        if (!pli_view_has_effect(&v->session, p, pli_view_owner{}))
            continue;
        pli_property_read(p, &settings, values);
        if (p->kind == PLI_PROPERTY_VECTOR) {
            const int32_t component = vector_knob(p, values);
            const std::string path = std::string("settings.") + p->name + "." + "xyz"[component < 0 ? 0 : component];
            if (component >= 0)
                pli_view_session_set(&v->session, path.c_str(), values[component]);
            continue;
        }
        if (pli_view_is_single(p) && knob(p, &values[0]))
            pli_view_session_set(&v->session, p->name, values[0]);
    }
}

void deformable_panel(pli_viewer *v, pli_deformable deformable)
{
    const char *name = pli_deformable_name(v->session.world, deformable);
    const std::string label = std::string(*name ? name : "Deformable") + "##deformable" + std::to_string(deformable.id);
    const pli_property *p;
    if (!ImGui::CollapsingHeader(label.c_str()))
        return;
    ImGui::PushID(label.c_str());
    for (int32_t i = 0; (p = pli_view_deformable_property_at(i)) != nullptr; i++) {
        double value = pli_view_deformable_value(v->session.world, deformable, p);
        if (pli_view_has_effect(&v->session, p, pli_view_owner{{}, deformable}) && knob(p, &value))
            pli_view_session_set_deformable(&v->session, deformable, p->name, value);
    }
    ImGui::PopID();
}

void set_panel(pli_viewer *v, pli_constraint_set set)
{
    pli_world *world = v->session.world;
    pli_constraint_set_info info;
    char name[300];
    if (pli_constraint_set_get_info(world, set, &info, nullptr) != PLI_STATUS_OK)
        return;
    const char *of = pli_deformable_name(world, info.deformable);
    snprintf(name, sizeof name, "%s%s%s##%u", of, *of ? "/" : "", info.name, (unsigned)set.id);
    if (!ImGui::CollapsingHeader(name))
        return;
    const pli_constraint_type *type = info.type;
    ImGui::PushID(name);
    const pli_property *p;
    // The common parameters come first, then those of the type.
    for (int32_t i = 0; (p = pli_constraint_type_parameter(type, i)) != nullptr; i++) {
        double value = 0.0;
        if (!pli_view_has_effect(&v->session, p, pli_view_owner{set, {}}) ||
            pli_constraint_set_read_parameter(world, set, p->name, &value, nullptr) != PLI_STATUS_OK ||
            !knob(p, &value))
            continue;
        pli_view_session_set_parameter(&v->session, set, p->name, value);
    }
    ImGui::PopID();
}

void look_panel(pli_viewer *v)
{
    if (!ImGui::CollapsingHeader("Look", ImGuiTreeNodeFlags_DefaultOpen))
        return;
    int32_t measure = v->measure;
    if (ImGui::BeginCombo("Colour by", measure < 0 ? "its own" : pli_measure_name((pli_measure)measure))) {
        for (int32_t i = -1; i < PLI_MEASURE_COUNT; i++)
            if (ImGui::Selectable(i < 0 ? "its own" : pli_measure_name((pli_measure)i), i == measure))
                v->measure = i;
        ImGui::EndCombo();
    }
    if (v->measure != measure)
        pli_cli_world_view_measure(v->picture, v->measure);
    ImGui::Checkbox("Edges", &v->wireframe);
    if (pli_overlays_panel(&v->overlays))
        v->still = 0;
}

void models_panel(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    if (ImGui::CollapsingHeader("Bending side by side") &&
        pli_models_panel(&v->models, s->scene, s->message, sizeof s->message))
        v->still = 0;
    pli_models_labels(&v->models, (int32_t)pli_viewer_stage_width(v), (int32_t)pli_viewer_stage_height(v),
                      pli_viewer_stage_top(v));
}

void figures_panel(const pli_viewer *v)
{
    pli_statistics s;
    pli_world_statistics(v->session.world, &s);
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
        snprintf(label, sizeof label, "%s %.2f ms", pli_stage_name((pli_stage)i), (double)stages[i]);
        ImGui::ProgressBar(stages[i] / most, ImVec2(-1.0f, 1.1f * ImGui::GetFontSize()), label);
    }
}

// The findings of `pliant check` for the present scene. The check waits until the mouse button is released.
void advice_panel(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    const int32_t count = s->checked || !ImGui::IsAnyMouseDown() ? pli_view_session_check(s) : 0;
    const std::string label = "Advice (" + std::to_string(count) + ")###advice";
    if (count == 0 || !ImGui::CollapsingHeader(label.c_str(), ImGuiTreeNodeFlags_DefaultOpen))
        return;
    for (int32_t i = 0; i < count; i++)
        ImGui::TextWrapped("%s", pli_world_finding_at(s->world, i)->text);
}

void time_bar(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    float bar_height = (float)v->height - pli_viewer_stage_bottom(v);
    ImGui::SetNextWindowPos(ImVec2(0.0f, pli_viewer_stage_bottom(v)));
    ImGui::SetNextWindowSize(ImVec2(pli_viewer_stage_width(v), bar_height));
    ImGui::Begin("Time", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    if (ImGui::Button(s->playing ? "Pause" : "Play", ImVec2(4.6f * ImGui::GetFontSize(), 0.0f)))
        s->playing = !s->playing;
    ImGui::SameLine();
    if (ImGui::Button("Back"))
        pli_view_session_go(s, s->frame - 1);
    ImGui::SameLine();
    if (ImGui::Button("Step"))
        pli_view_session_go(s, s->frame + 1);
    ImGui::SameLine();
    if (ImGui::Button("Reset"))
        pli_view_session_restart(s);
    if (v->desk->slow > 0) {
        ImGui::SameLine();
        ImGui::TextDisabled("1/%d of the speed", (int)v->desk->slow + 1);
    }
    int frame = s->frame;
    ImGui::SetNextItemWidth(-pli_viewer_pixels(v, 150));
    if (ImGui::SliderInt("##frame", &frame, 0, pli_view_session_last(s)))
        pli_view_session_go(s, frame);
    ImGui::SameLine();
    if (s->cache)
        ImGui::Text("%.2f s, recorded", (double)s->frame / pli_scene_frames_per_second(s->scene));
    else
        ImGui::Text("%.2f s, %d kept", (double)s->frame / pli_scene_frames_per_second(s->scene), (int)s->kept_count);
    ImGui::End();
}

void message_window(pli_viewer *v)
{
    char *message = v->session.message;
    if (!message[0])
        return;
    float edge = pli_viewer_pixels(v, 24), width = pli_viewer_stage_width(v) - 2.0f * edge;
    ImGui::SetNextWindowPos(ImVec2(edge, pli_viewer_stage_bottom(v) - 1.5f * edge), ImGuiCond_Always,
                            ImVec2(0.0f, 1.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, 0.5f * (float)v->height));
    ImGui::Begin("Message", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushTextWrapPos(width - pli_viewer_pixels(v, 60));
    ImGui::TextUnformatted(message);
    ImGui::PopTextWrapPos();
    ImGui::SameLine(width - pli_viewer_pixels(v, 48));
    if (ImGui::SmallButton("Close"))
        message[0] = '\0';
    ImGui::End();
}

} // namespace

void pli_viewer_panels(pli_viewer *v)
{
    float left = pli_viewer_stage_width(v), top = ImGui::GetFrameHeight();
    ImGui::SetNextWindowPos(ImVec2(left, top));
    ImGui::SetNextWindowSize(
        ImVec2((float)v->width - left, (float)v->height - pli_viewer_pixels(v, PLI_VIEW_PLOTS) - top));
    ImGui::Begin("Knobs", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    advice_panel(v);
    if (v->tool == PLI_VIEW_BRUSH && pli_brush_panel(&v->session.brush))
        v->still = 0;
    if (pli_knobs_panel(&v->session, &v->models))
        v->still = 0;
    for (int32_t i = 0; i < pli_world_deformable_count(v->session.world); i++)
        deformable_panel(v, pli_world_deformable_at(v->session.world, i));
    for (int32_t i = 0; i < pli_world_constraint_set_count(v->session.world); i++)
        set_panel(v, pli_world_constraint_set_at(v->session.world, i));
    settings_panel(v);
    look_panel(v);
    models_panel(v);
    figures_panel(v);
    ImGui::End();
    pli_viewer_plots(v);
    time_bar(v);
    message_window(v);
}
