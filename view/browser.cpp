// Folders first, then scenes, meshes and recordings.
#include "browser.h"

#include "document.h"

#include <imgui.h>

#include <cstdio>

const char *pli_viewer_files(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    const char *chosen = nullptr;
    if (!d->shows_files || (!d->listing.folder && !pli_viewer_list(v, nullptr))) {
        d->shows_files = false;
        return nullptr;
    }
    float width = pli_viewer_pixels(v, 460), height = pli_viewer_stage_height(v) * 0.8f,
          room = pli_viewer_stage_width(v) - pli_viewer_pixels(v, 24);
    ImGui::SetNextWindowPos(ImVec2(0.5f * pli_viewer_stage_width(v), pli_viewer_stage_top(v) + 0.1f * height),
                            ImGuiCond_Always, ImVec2(0.5f, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(width < room ? width : room, height));
    ImGui::Begin("Open a scene, a mesh or a recording", &d->shows_files,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse);
    ImGui::TextWrapped("%s", d->listing.folder);
    ImGui::Separator();
    ImGui::BeginChild("entries");
    if (ImGui::Selectable(".."))
        chosen = "..";
    for (int32_t i = 0; i < d->listing.count; i++) {
        const pli_view_entry *e = &d->listing.entries[i];
        char label[300];
        snprintf(label, sizeof label, "%s%s", e->name, e->folder ? "/" : "");
        if (ImGui::Selectable(label))
            chosen = e->name;
    }
    if (d->listing.count == 0)
        ImGui::TextDisabled("nothing here can be opened");
    ImGui::EndChild();
    ImGui::End();
    return chosen;
}
