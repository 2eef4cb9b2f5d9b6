// A list of the quantities that can be painted, from the table of rows, and three numbers.
#include "brush_panel.h"

#include <imgui.h>

#include <cmath>

namespace {

// The label at the left, as controls of values have it.
void label(const char *text)
{
    const float left = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + 0.44f * width);
    ImGui::SetNextItemWidth(-1.0f);
}

} // namespace

bool pli_brush_panel(pli_session_brush *b)
{
    bool changed = false;
    if (!ImGui::CollapsingHeader("Brush", ImGuiTreeNodeFlags_DefaultOpen))
        return false;
    label("Paints");
    if (ImGui::BeginCombo("##paints", pli_session_quantity_name(b->quantity))) {
        for (int32_t i = 0; i < pli_session_quantity_count(); i++) {
            if (ImGui::Selectable(pli_session_quantity_name(i), i == b->quantity)) {
                b->quantity = i;
                changed = true;
            }
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", pli_session_quantity_summary(i));
        }
        ImGui::EndCombo();
    }
    label("Radius");
    float centimetres = 100.0f * b->radius;
    if (ImGui::DragFloat("##radius", &centimetres, 0.01f * centimetres, 1e-3f, 1e5f, "%.3g cm") && centimetres > 0.0f)
        b->radius = 0.01f * centimetres;
    if (!pli_session_quantity_is_value(b->quantity))
        return changed;
    char legend[PLI_SESSION_LEGEND];
    pli_session_quantity_legend(b->quantity, legend);
    label(legend);
    double *value = &b->values[b->quantity];
    ImGui::DragScalar("##value", ImGuiDataType_Double, value, (float)std::fmax(std::fabs(*value) * 0.01, 1e-6), nullptr,
                      nullptr, "%.4g");
    label("Strength");
    ImGui::SliderFloat("##strength", &b->strength, 0.01f, 1.0f, "%.2f");
    return changed;
}
