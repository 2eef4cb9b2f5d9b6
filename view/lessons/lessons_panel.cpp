// The list of lessons, or one of them: text, drawing, values to turn, and what is measured beside the claim of the paper.
#include "lessons/lessons_panel.h"

#include "lessons/lesson_table.h"
#include "lessons/lessons_canvas.h"
#include "parts.h"
#include "session/tools.h"
#include "viewer.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>

namespace {

const pli_lesson *list(const pli_lesson *current)
{
    const pli_lesson *chosen = nullptr;
    for (int32_t i = 0; i < pli_lesson_count(); i++) {
        const pli_lesson *lesson = pli_lesson_at(i);
        char label[120];
        snprintf(label, sizeof label, "%d. %s", (int)i + 1, lesson->title);
        if (ImGui::Selectable(label, lesson == current))
            chosen = lesson;
    }
    return chosen;
}

// Steps to the lessons before and after, and the list of all.
const pli_lesson *steps(const pli_lesson *lesson)
{
    const pli_lesson *chosen = nullptr;
    for (int by = -1; by <= 1; by += 2) {
        const pli_lesson *other = pli_lesson_step(lesson, by);
        ImGui::BeginDisabled(!other);
        if (ImGui::Button(by < 0 ? "Back" : "Next"))
            chosen = other;
        ImGui::EndDisabled();
        ImGui::SameLine();
    }
    ImGui::SetNextItemWidth(-1.0f);
    char label[40];
    int32_t number = 1;
    while (pli_lesson_at(number - 1) != lesson)
        number++;
    snprintf(label, sizeof label, "%d of %d", (int)number, (int)pli_lesson_count());
    if (ImGui::BeginCombo("##steps", label)) {
        const pli_lesson *found = list(lesson);
        chosen = found ? found : chosen;
        ImGui::EndCombo();
    }
    return chosen;
}

// The value of the drawing, or the rule that is chosen.
void own_value(pli_viewer *v, const pli_lesson *lesson)
{
    double value = v->desk->lessons.value;
    if (!lesson->value.label)
        return;
    if (lesson->value.choices) {
        ImGui::TextUnformatted(lesson->value.label);
        for (int32_t i = 0; lesson->value.choices[i]; i++) {
            ImGui::SameLine(i % 2 == 0 && i > 0 ? 0.1f : 0.0f);
            if (i % 2 == 0)
                ImGui::NewLine();
            if (ImGui::RadioButton(lesson->value.choices[i], (int32_t)value == i))
                value = i;
        }
    } else {
        float number = (float)value;
        ImGui::SetNextItemWidth(-1.0f);
        const bool whole = lesson->value.high > 2.0;
        char format[80];
        snprintf(format, sizeof format, "%s: %s", lesson->value.label, whole ? "%.0f" : "%.3f");
        if (ImGui::SliderFloat("##value", &number, (float)lesson->value.low, (float)lesson->value.high, format))
            value = whole ? std::round((double)number) : (double)number;
    }
    pli_lesson_set(v, value);
}

void reading(const pli_lesson_reading *r)
{
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(r->label);
    ImGui::TableNextColumn();
    if (std::isnan(r->value))
        ImGui::TextDisabled("-");
    else
        ImGui::Text("%.4g %s", r->value, r->unit);
}

// What is measured now; the first number stands beside the claim.
void measured(pli_viewer *v, const pli_lesson *lesson)
{
    pli_lesson_reading readings[PLI_LESSON_READINGS];
    const int32_t count = pli_lesson_read(v, readings);
    const bool holds = count > 0 && pli_lesson_holds(lesson, readings);
    const bool light = v->desk->preferences.light;
    const ImVec4 good = light ? ImVec4(0.05f, 0.45f, 0.1f, 1.0f) : ImVec4(0.5f, 0.9f, 0.55f, 1.0f);
    const ImVec4 open = light ? ImVec4(0.6f, 0.3f, 0.0f, 1.0f) : ImVec4(1.0f, 0.75f, 0.4f, 1.0f);
    ImGui::Separator();
    if (count > 0 && ImGui::BeginTable("readings", 2, ImGuiTableFlags_SizingStretchProp)) {
        ImGui::TableSetupColumn("what", 0, 1.7f);
        ImGui::TableSetupColumn("value", 0, 1.0f);
        for (int32_t i = 0; i < count; i++)
            reading(&readings[i]);
        ImGui::TableNextColumn();
        ImGui::TextDisabled("paper");
        ImGui::TableNextColumn();
        ImGui::TextWrapped("%s", lesson->paper);
        ImGui::EndTable();
    }
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(holds ? good : open, "%s: %s", lesson->claim,
                       holds ? "holds" : "not with these values, or not yet");
    if (lesson->frames > v->session.frame && lesson->canvas == PLI_LESSON_NO_CANVAS)
        ImGui::TextDisabled("measured after %d frames", (int)lesson->frames);
    ImGui::PopTextWrapPos();
}

const pli_lesson *one(pli_viewer *v, const pli_lesson *lesson)
{
    const pli_lesson *chosen = steps(lesson);
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    ImGui::TextWrapped("%s", lesson->title);
    ImGui::PopStyleColor();
    ImGui::TextWrapped("%s", lesson->text);
    ImGui::Spacing();
    pli_lesson_draw(v, lesson);
    own_value(v, lesson);
    for (int32_t i = 0; i < PLI_LESSON_CONTROLS && lesson->controls[i]; i++)
        pli_parts_row(v, lesson->controls[i]);
    if (lesson->controls[0] && ImGui::Button("Start over")) {
        pli_session_restart(&v->session);
        if (lesson->canvas == PLI_LESSON_ALGORITHM)
            lesson->begin(v);
    }
    measured(v, lesson);
    return chosen;
}

} // namespace

const pli_lesson *pli_lessons_panel(pli_viewer *v)
{
    pli_view_lessons *l = &v->desk->lessons;
    if (!l->shown || v->desk->shows_gallery || v->desk->shows_files)
        return nullptr;
    const float top = ImGui::GetFrameHeight();
    ImGui::SetNextWindowPos(ImVec2(0.0f, top));
    ImGui::SetNextWindowSize(ImVec2(pli_viewer_pixels(v, PLI_LESSON_WIDTH), pli_viewer_stage_bottom(v) - top));
    ImGui::Begin("Learn", &l->shown,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings);
    const pli_lesson *chosen = l->current ? one(v, l->current) : list(nullptr);
    ImGui::End();
    return chosen;
}
