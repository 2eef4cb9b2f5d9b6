// Check boxes, two per row, from the table of overlays.
#include "looking/overlays_panel.h"

#include "view/overlays.h"

#include <imgui.h>

#include <cctype>
#include <string>

bool pli_overlays_panel(uint32_t *which)
{
    uint32_t before = *which;
    ImGui::TextDisabled("Show");
    for (int32_t i = 0; i < PLI_CLI_OVERLAY_COUNT; i++) {
        if (i % 2 != 0)
            ImGui::SameLine(11.0f * ImGui::GetFontSize());
        std::string label = pli_cli_overlay_name(i);
        label[0] = (char)std::toupper((unsigned char)label[0]);
        ImGui::CheckboxFlags(label.c_str(), which, 1u << i);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", pli_cli_overlay_summary(i));
    }
    return *which != before;
}
