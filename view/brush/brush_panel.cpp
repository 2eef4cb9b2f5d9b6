// A list of the quantities that can be painted, from the table of rows, and three numbers.
#include "brush/brush_panel.h"

#include <imgui.h>

#include <cmath>

bool pli_brush_panel(pli_view_brush *b)
{
    bool changed = false;
    const float width = 11.5f * ImGui::GetFontSize();
    if (!ImGui::CollapsingHeader("Brush", ImGuiTreeNodeFlags_DefaultOpen))
        return false;
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("Paints", pli_view_brush_name(b->row))) {
        for (int32_t i = 0; i < PLI_VIEW_BRUSH_ROWS; i++) {
            if (ImGui::Selectable(pli_view_brush_name(i), i == b->row)) {
                b->row = i;
                changed = true;
            }
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", pli_view_brush_summary(i));
        }
        ImGui::EndCombo();
    }
    ImGui::SetNextItemWidth(width);
    float centimetres = 100.0f * b->radius;
    if (ImGui::InputFloat("Radius", &centimetres, 0.1f * centimetres, 0.5f * centimetres, "%.3g") && centimetres > 0.0f)
        b->radius = 0.01f * centimetres;
    ImGui::SameLine();
    ImGui::TextDisabled("cm");
    if (!pli_view_brush_is_value(b->row))
        return changed;
    ImGui::SetNextItemWidth(width);
    double *value = &b->values[b->row], step = std::fmax(std::fabs(*value) * 0.1, 1e-9);
    ImGui::InputDouble(pli_view_brush_legend(b->row), value, step, 10.0 * step, "%.4g");
    ImGui::SetNextItemWidth(width);
    ImGui::SliderFloat("Strength", &b->strength, 0.01f, 1.0f, "%.2f");
    return changed;
}
