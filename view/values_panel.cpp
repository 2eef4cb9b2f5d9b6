// A and B as two buttons, and a table of the values in which they differ.
#include "values_panel.h"

#include "viewer.h"

#include <imgui.h>

#include <string>

namespace {

enum { SHOWN = 12 };

void table(const pli_session *s)
{
    pli_session_difference list[SHOWN];
    int32_t count = pli_session_differences(s, list, SHOWN);
    if (count == 0) {
        ImGui::TextDisabled("A and B are the same");
        return;
    }
    if (!ImGui::BeginTable("differences", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
        return;
    ImGui::TableSetupColumn("differs", 0, 3.0f);
    ImGui::TableSetupColumn("A", 0, 1.2f);
    ImGui::TableSetupColumn("B", 0, 1.2f);
    ImGui::TableHeadersRow();
    for (int32_t i = 0; i < count && i < SHOWN; i++) {
        ImGui::TableNextColumn();
        char path[200];
        const pli_session_control &c = list[i].control;
        pli_session_owner_path(s->world, c.owner, c.property->name, path, sizeof path);
        const std::string text = c.property->kind == PLI_PROPERTY_VECTOR ? std::string(path) + "." + "xyz"[c.component]
                                                                         : std::string(path);
        ImGui::TextUnformatted(text.c_str());
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", text.c_str());
        for (int k = 0; k < 2; k++) {
            ImGui::TableNextColumn();
            ImGui::Text("%.4g", list[i].values[k]);
        }
    }
    ImGui::EndTable();
    if (count > SHOWN)
        ImGui::TextDisabled("and %d more", (int)(count - SHOWN));
}

} // namespace

bool pli_values_panel(pli_session *s, pli_view_models *models)
{
    static const char *const names[] = {"A", "B"};
    bool changed = false, beside = models->apply != nullptr;
    if (s->show || !ImGui::CollapsingHeader("Values A and B"))
        return false;
    pli_session_read_values(s);
    for (int32_t k = 0; k < 2; k++) {
        bool on = s->tools.side == k;
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(on ? ImGuiCol_ButtonActive : ImGuiCol_FrameBg));
        if (ImGui::Button(names[k], ImVec2(2.6f * ImGui::GetFontSize(), 0.0f)))
            pli_session_swap_values(s, k);
        ImGui::PopStyleColor();
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("The values below are those of %s  (X)", names[k]);
        ImGui::SameLine();
    }
    char label[40];
    snprintf(label, sizeof label, "%s = %s", names[1 - s->tools.side], names[s->tools.side]);
    if (ImGui::Button(label))
        pli_session_copy_values(s);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Give %s the values of %s", names[1 - s->tools.side], names[s->tools.side]);
    ImGui::SameLine();
    if (ImGui::Checkbox("side by side", &beside)) {
        changed = true;
        if (beside)
            pli_viewer_split_values(s, models);
        else
            pli_view_models_close(models);
    }
    table(s);
    return changed;
}
