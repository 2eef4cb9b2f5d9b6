// Bending models side by side: check boxes, and a label in each cell.
#include "looking/models_panel.h"

#include <imgui.h>

#include <cstdio>
#include <cstring>

pli_view_cell pli_view_cell_of(int32_t i, int32_t count, int32_t width, int32_t height)
{
    // Two models are stacked unless the stage is very wide, since cameras are fitted by height.
    int32_t columns = count > 2 || (count == 2 && width > 2 * height) ? 2 : 1;
    int32_t rows = (count + columns - 1) / columns;
    int32_t left = i % columns * width / columns, top = i / columns * height / rows;
    return {left, top, (i % columns + 1) * width / columns - left, (i / columns + 1) * height / rows - top};
}

static int32_t place_of(const pli_view_models *models, const char *type)
{
    for (int32_t i = 0; i < models->count; i++)
        if (strcmp(models->model[i].type, type) == 0)
            return i;
    return -1;
}

bool pli_models_panel(pli_view_models *models, const pli_scene *scene, pli_error *error)
{
    char types[PLI_VIEW_MODELS_MOST + 1][60];
    const char *chosen[PLI_VIEW_MODELS_MOST + 1];
    int32_t count = 0;
    bool changed = false;
    *error = pli_error{};
    for (int32_t i = 0, shown = 0; i < pli_constraint_type_count(); i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        if (!type->bending)
            continue;
        bool was = place_of(models, type->name) >= 0, on = was;
        if (shown++ % 2 != 0)
            ImGui::SameLine(11.0f * ImGui::GetFontSize());
        ImGui::Checkbox(type->label ? type->label : type->name, &on);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", type->summary);
        changed = changed || on != was;
        if (on && count <= PLI_VIEW_MODELS_MOST) {
            snprintf(types[count], sizeof types[count], "%s", type->name);
            chosen[count] = types[count];
            count++;
        }
    }
    if (!changed)
        return false;
    if (count > PLI_VIEW_MODELS_MOST)
        snprintf(error->message, sizeof error->message, "at most four models fit side by side: remove one first");
    else
        pli_view_models_open(models, scene, chosen, count, error);
    return true;
}

void pli_models_labels(const pli_view_models *models, int32_t width, int32_t height, float top)
{
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const float line = ImGui::GetTextLineHeight(), edge = 0.6f * line;
    for (int32_t i = 0; i < models->count; i++) {
        const pli_view_model *m = &models->model[i];
        const pli_view_cell c = pli_view_cell_of(i, models->count, width, height);
        char name[120], text[120];
        const ImVec2 low((float)c.x, top + (float)c.y), high(low.x + (float)c.width, low.y + (float)c.height);
        snprintf(text, sizeof text, "drop %.1f cm   stretch %.1f %%   %.2f ms", 100.0 * (double)m->drop,
                 (double)m->stretch, (double)m->milliseconds);
        // A and B are no types. The tools are over the upper left corner, so the labels stand below.
        const pli_constraint_type *type = pli_constraint_type_find(m->type);
        const float foot = high.y - 2.9f * line;
        snprintf(name, sizeof name, "%s%s%s", type && type->label ? type->label : m->type,
                 m->by_defaults ? "   by its defaults" : "", m->failed ? "   a step failed" : "");
        draw->AddRect(low, high, IM_COL32(20, 26, 32, 255));
        draw->PushClipRect(low, high, true);
        draw->AddRectFilled(ImVec2(low.x, foot), high, IM_COL32(20, 26, 32, 170));
        draw->AddText(ImVec2(low.x + edge, foot + 0.3f * line), IM_COL32(255, 210, 120, 255), name);
        draw->AddText(ImVec2(low.x + edge, foot + 1.5f * line), IM_COL32(235, 235, 235, 255), text);
        draw->PopClipRect();
    }
}
