// Panels: time, tools, knobs made from the descriptors, figures. Nothing of a constraint type or a setting is written here by hand.
#include "panels.h"

#include "looking/models_panel.h"
#include "looking/overlays_panel.h"
#include "plots.h"

#include <imgui.h>

#include <cinttypes>
#include <cmath>

namespace {

constexpr float side_width = PLI_VIEW_SIDE, bar_height = PLI_VIEW_BAR;

void explain(const pli_property *p)
{
    if (!ImGui::IsItemHovered() || !p->summary)
        return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(380.0f);
    ImGui::TextUnformatted(p->summary);
    if (p->help)
        ImGui::TextUnformatted(p->help);
    ImGui::TextDisabled("%g to %g%s%s; default %g", p->minimum, p->maximum, p->unit && *p->unit ? " " : "",
                        p->unit ? p->unit : "", p->initial);
    if (p->zero)
        ImGui::TextDisabled("0: %s", p->zero);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// One knob; returns whether the value has changed.
bool knob(const pli_property *p, double *value)
{
    const char *label = p->label ? p->label : p->name;
    bool changed = false;
    ImGui::PushID(p->name);
    ImGui::SetNextItemWidth(150.0f);
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
    if (p->unit && *p->unit) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", p->unit);
    }
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
        pli_property_read(p, &settings, values);
        bool known = p->kind == PLI_PROPERTY_BOOLEAN || p->kind == PLI_PROPERTY_CHOICE ||
                     p->kind == PLI_PROPERTY_INTEGER || p->kind == PLI_PROPERTY_NUMBER;
        if (known && knob(p, &values[0]))
            pli_view_session_set(&v->session, p->name, values[0]);
    }
}

void set_panel(pli_viewer *v, pli_constraint_set set)
{
    pli_world *world = v->session.world;
    pli_constraint_set_info info;
    if (pli_constraint_set_get_info(world, set, &info, nullptr) != PLI_STATUS_OK || !ImGui::CollapsingHeader(info.name))
        return;
    const char *name = info.name;
    const pli_constraint_type *type = info.type;
    ImGui::PushID(name);
    const pli_property *p;
    // The common ones come first, then the type's own.
    for (int32_t i = 0; (p = pli_constraint_type_parameter(type, i)) != nullptr; i++) {
        double value = 0.0;
        char path[300];
        pli_error error;
        if (pli_constraint_set_read_parameter(world, set, p->name, &value, &error) != PLI_STATUS_OK || !knob(p, &value))
            continue;
        snprintf(path, sizeof path, "%s.%s", name, p->name);
        pli_view_session_set(&v->session, path, value);
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
    ImGui::Checkbox("Edges (W)", &v->wireframe);
    if (pli_overlays_panel(&v->overlays))
        v->still = 0;
    if (ImGui::Button("Camera of the scene (F)"))
        v->camera = v->start;
}

void models_panel(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    if (ImGui::CollapsingHeader("Bending side by side") &&
        pli_models_panel(&v->models, s->scene, s->message, sizeof s->message))
        v->still = 0;
    pli_models_labels(&v->models, v->width - PLI_VIEW_SIDE, v->height - PLI_VIEW_BAR);
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
        ImGui::ProgressBar(stages[i] / most, ImVec2(-1.0f, 14.0f), label);
    }
}

void tool_button(pli_viewer *v, const char *label, pli_view_tool tool)
{
    if (ImGui::RadioButton(label, v->tool == tool))
        v->tool = tool;
    ImGui::SameLine();
}

void time_bar(pli_viewer *v)
{
    pli_view_session *s = &v->session;
    ImGui::SetNextWindowPos(ImVec2(0.0f, (float)v->height - bar_height));
    ImGui::SetNextWindowSize(ImVec2((float)v->width - side_width, bar_height));
    ImGui::Begin("Time", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    if (ImGui::Button(s->playing ? "Pause" : "Play", ImVec2(60.0f, 0.0f)))
        s->playing = !s->playing;
    ImGui::SameLine();
    if (ImGui::Button("Back"))
        pli_view_session_go(s, s->frame - 1);
    ImGui::SameLine();
    if (ImGui::Button("Step"))
        pli_view_session_go(s, s->frame + 1);
    ImGui::SameLine();
    if (ImGui::Button("Reset"))
        pli_view_session_go(s, 0);
    ImGui::SameLine();
    tool_button(v, "Grab (1)", PLI_VIEW_GRAB);
    tool_button(v, "Pin (2)", PLI_VIEW_PIN);
    tool_button(v, "Cut (3)", PLI_VIEW_CUT);
    int frame = s->frame;
    ImGui::NewLine();
    ImGui::SetNextItemWidth(-150.0f);
    if (ImGui::SliderInt("##frame", &frame, 0, s->kept[s->kept_count - 1].frame))
        pli_view_session_go(s, frame);
    ImGui::SameLine();
    ImGui::Text("%.2f s, %d kept", (double)s->frame / pli_scene_frames_per_second(s->scene), (int)s->kept_count);
    ImGui::End();
}

void help_window(pli_viewer *v)
{
    if (!v->help)
        return;
    ImGui::SetNextWindowPos(ImVec2(24.0f, 24.0f));
    ImGui::Begin("First steps (H)", &v->help, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextUnformatted("Press on the cloth and pull.\nBeside it: turn.   Right: move.   Wheel: closer.\n"
                           "Space stops time.   Left and right step through it.\n1 grab, 2 pin, 3 cut with a stroke.\n"
                           "C colours, W edges, F the first camera, R the start.");
    ImGui::End();
}

void message_window(pli_viewer *v)
{
    char *message = v->session.message;
    if (!message[0])
        return;
    ImGui::SetNextWindowPos(ImVec2(24.0f, (float)v->height - bar_height - 70.0f));
    ImGui::SetNextWindowSize(ImVec2((float)v->width - side_width - 48.0f, 56.0f));
    ImGui::Begin("Message", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextWrapped("%s", message);
    ImGui::SameLine();
    if (ImGui::SmallButton("Well"))
        message[0] = '\0';
    ImGui::End();
}

} // namespace

void pli_viewer_panels(pli_viewer *v)
{
    ImGui::SetNextWindowPos(ImVec2((float)v->width - side_width, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(side_width, (float)(v->height - PLI_VIEW_PLOTS)));
    ImGui::Begin("Knobs", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    ImGui::TextUnformatted(pli_scene_title(v->session.scene));
    for (int32_t i = 0; i < pli_world_constraint_set_count(v->session.world); i++)
        set_panel(v, pli_world_constraint_set_at(v->session.world, i));
    settings_panel(v);
    look_panel(v);
    models_panel(v);
    figures_panel(v);
    ImGui::End();
    pli_viewer_plots(v);
    time_bar(v);
    help_window(v);
    message_window(v);
}
