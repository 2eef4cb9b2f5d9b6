// Menus from the table of actions, tool buttons, the gallery of scenes, the problems of a file, and the introduction.
#include "menu.h"

#include "actions.h"
#include "recording.h"
#include "stage.h"

#include <imgui.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

void menu_bar(pli_viewer *v)
{
    if (!ImGui::BeginMainMenuBar())
        return;
    for (int32_t i = 0; i < pli_view_action_count();) {
        const char *menu = pli_view_action_at(i)->menu;
        bool open = ImGui::BeginMenu(menu);
        for (; i < pli_view_action_count() && strcmp(pli_view_action_at(i)->menu, menu) == 0; i++) {
            const pli_view_action *a = pli_view_action_at(i);
            if (!open)
                continue;
            if (a->begins_group)
                ImGui::Separator();
            if (ImGui::MenuItem(a->label, a->shortcut, a->is_on && a->is_on(v), pli_view_action_applies(a, v)))
                a->run(v);
        }
        if (open)
            ImGui::EndMenu();
    }
    const char *title = pli_scene_title(v->session.scenes[0]);
    float width = ImGui::CalcTextSize(title).x, room = ImGui::GetContentRegionAvail().x;
    if (width + 2.0f * ImGui::GetFontSize() < room) {
        ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width - ImGui::GetFontSize());
        ImGui::TextDisabled("%s", title);
    }
    ImGui::EndMainMenuBar();
}

// A button of a tool: its name, and its key at the right.
bool tool_button(const pli_viewer *v, pli_session_tool tool, float width)
{
    const char *name = pli_session_tool_name(tool);
    const pli_view_action *a = pli_view_action_find(name);
    const bool on = v->tool == tool;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(on ? ImGuiCol_ButtonActive : ImGuiCol_FrameBg));
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(on ? ImGuiCol_DragDropTarget : ImGuiCol_Text));
    const bool pressed = ImGui::Button((std::string("##") + name).c_str(), ImVec2(width, 1.8f * ImGui::GetFontSize()));
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + 0.6f * ImGui::GetFontSize(), at.y + 0.4f * ImGui::GetFontSize()),
                                        ImGui::GetColorU32(ImGuiCol_Text), name);
    ImGui::PopStyleColor(2);
    if (a && a->shortcut) {
        const ImU32 faint = ImGui::GetColorU32(on ? ImGuiCol_DragDropTarget : ImGuiCol_TextDisabled);
        ImGui::GetWindowDrawList()->AddText(
            ImVec2(at.x + width - 0.6f * ImGui::GetFontSize() - ImGui::CalcTextSize(a->shortcut).x,
                   at.y + 0.4f * ImGui::GetFontSize()),
            faint, a->shortcut);
    }
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", pli_session_tool_summary(tool));
    return pressed;
}

// Over the scene's upper left corner, or in a row where the window is low.
void tool_strip(pli_viewer *v)
{
    const float em = ImGui::GetFontSize(), edge = 0.6f * em;
    const bool row = pli_viewer_stage_height(v) < 26.0f * em;
    const float width = row ? 4.9f * em : 6.0f * em;
    const float left = v->desk->lessons.shown ? edge + pli_viewer_pixels(v, PLI_LESSON_WIDTH) : edge;
    ImGui::SetNextWindowPos(ImVec2(left, row ? pli_viewer_stage_bottom(v) - edge : pli_viewer_stage_top(v) + edge),
                            ImGuiCond_Always, ImVec2(0.0f, row ? 1.0f : 0.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.4f * em, 0.4f * em));
    ImGui::Begin("Tools", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const int32_t columns = row ? (int32_t)std::fmax((pli_viewer_stage_width(v) - left - edge) / (1.1f * width), 1.0f)
                                : 1;
    for (int32_t i = 0, shown = 0; i < PLI_SESSION_TOOLS; i++) {
        if (i == PLI_SESSION_TOOL_PUMP && !pli_session_has_pressure(&v->session))
            continue;
        if (shown++ % columns != 0)
            ImGui::SameLine();
        if (tool_button(v, (pli_session_tool)i, width))
            v->tool = (pli_session_tool)i;
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void key_row(const char *key, const char *does)
{
    const float left = ImGui::GetCursorPosX();
    ImGui::TextColored(ImGui::GetStyleColorVec4(ImGuiCol_CheckMark), "%s", key);
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + 8.5f * ImGui::GetFontSize());
    ImGui::TextWrapped("%s", does);
}

void keys_of_menu(const char *menu)
{
    ImGui::TextDisabled("%s", menu);
    for (int32_t i = 0; i < pli_view_action_count(); i++) {
        const pli_view_action *a = pli_view_action_at(i);
        if (a->shortcut && strcmp(a->menu, menu) == 0)
            key_row(a->shortcut, a->label);
    }
    ImGui::Spacing();
}

void keys_of_mouse(void)
{
    ImGui::TextDisabled("Mouse");
    key_row("Left drag", "on a surface the tool; beside it turns the view");
    key_row("Middle drag", "turns the view, as Alt+left does");
    key_row("Right drag", "moves the view");
    key_row("Wheel", "zooms towards the pointer; during a grab, nearer or farther");
    key_row("Ctrl+wheel", "radius of Grab, Pin and Brush");
    key_row("Double click", "pivot; beside surfaces frames everything");
}

// All keys of the table of actions, and the mouse.
void keys_window(pli_viewer *v)
{
    if (!v->desk->shows_keys)
        return;
    const float em = ImGui::GetFontSize(), top = pli_viewer_stage_top(v) + em;
    ImGui::SetNextWindowPos(ImVec2(0.5f * pli_viewer_stage_width(v), top), ImGuiCond_Always, ImVec2(0.5f, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(std::fmin(58.0f * em, pli_viewer_stage_width(v) - 2.0f * em),
                                    std::fmin(58.0f * em, pli_viewer_stage_bottom(v) - top - em)));
    ImGui::Begin("Keys", &v->desk->shows_keys,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse);
    if (ImGui::BeginTable("keys", 2)) {
        ImGui::TableNextColumn();
        keys_of_menu("Tools");
        keys_of_menu("Time");
        keys_of_mouse();
        ImGui::TableNextColumn();
        keys_of_menu("View");
        keys_of_menu("Edit");
        keys_of_menu("File");
        keys_of_menu("Help");
        ImGui::EndTable();
    }
    ImGui::End();
}

// Below the title of an experiment: its verdict, its paper, and the command that runs it. Returns whether the command was requested.
bool verdict(const pli_view_shipped *e)
{
    char command[120];
    if (e->claims > 0)
        ImGui::TextDisabled("%d of %d claims hold", (int)e->holding, (int)e->claims);
    else
        ImGui::TextDisabled("no report here");
    ImGui::TextDisabled("%s", e->source);
    snprintf(command, sizeof command, "pliant-lab experiment %s", e->name);
    const bool asked = ImGui::SmallButton(command);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Copies the command that makes the report");
    if (asked)
        ImGui::SetClipboardText(command);
    return asked;
}

// One scene or experiment: its picture with its title below. Returns whether the user opens it.
bool card(const pli_view_desk *d, int32_t i, float width, int32_t *copied)
{
    const float height = width * 0.5625f;
    bool chosen;
    ImGui::PushID(i);
    ImGui::BeginGroup();
    if (d->pictures && d->pictures[i]) {
        // Crops the picture to the aspect ratio of the cards.
        float share = d->aspects[i] > 0.0f ? d->aspects[i] / (16.0f / 9.0f) : 1.0f, u = 0.0f, w = 0.0f;
        if (share > 1.0f)
            u = 0.5f * (1.0f - 1.0f / share);
        else
            w = 0.5f * (1.0f - share);
        chosen = ImGui::ImageButton((ImTextureID)(intptr_t)d->pictures[i], ImVec2(width, height), ImVec2(u, w),
                                    ImVec2(1.0f - u, 1.0f - w), 0);
    } else {
        chosen = ImGui::Button(d->gallery.scenes[i].name ? "plots only" : "no picture", ImVec2(width, height));
    }
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextUnformatted(d->gallery.scenes[i].title);
    if (d->gallery.scenes[i].name && verdict(&d->gallery.scenes[i]))
        *copied = i;
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::PopID();
    return chosen;
}

// Draws a range of cards in rows. Returns the number of the chosen one, or -1.
int32_t cards(const pli_view_desk *d, const char *name, int32_t from, int32_t to, int columns, int32_t *copied)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const float width = (room - (float)(columns - 1) * gap) / (float)columns;
    int32_t chosen = -1;
    if (!ImGui::BeginTable(name, columns))
        return chosen;
    for (int32_t i = from; i < to; i++) {
        ImGui::TableNextColumn();
        if (card(d, i, width - 2.0f * gap, copied))
            chosen = i;
    }
    ImGui::EndTable();
    return chosen;
}

// An experiment without a scene of its own shows its command.
const char *open_card(pli_viewer *v, int32_t chosen, int32_t copied)
{
    const pli_view_shipped *all = v->desk->gallery.scenes;
    if (copied >= 0)
        pli_session_tell(&v->session, "copied: pliant-lab experiment %s", all[copied].name);
    if (chosen >= 0 && !all[chosen].path)
        pli_session_tell(&v->session, "%s makes its worlds itself; its report: pliant-lab experiment %s",
                         all[chosen].name, all[chosen].name);
    return chosen >= 0 ? all[chosen].path : nullptr;
}

const char *gallery_window(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    int32_t chosen = -1, copied = -1;
    if (!d->shows_gallery)
        return nullptr;
    float edge = pli_viewer_pixels(v, 12), top = ImGui::GetFrameHeight() + edge;
    ImGui::SetNextWindowPos(ImVec2(edge, top));
    ImGui::SetNextWindowSize(ImVec2(pli_viewer_stage_width(v) - 2.0f * edge, pli_viewer_stage_bottom(v) - top - edge));
    ImGui::Begin("Gallery", &d->shows_gallery,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse);
    int columns = (int)(ImGui::GetContentRegionAvail().x / pli_viewer_pixels(v, 210));
    columns = columns > 1 ? columns : 1;
    if (d->gallery.count == 0)
        ImGui::TextWrapped("No scenes are beside this program; PLIANT_SCENES names a folder that has some.");
    else if (ImGui::BeginTabBar("what")) {
        if (ImGui::BeginTabItem("Scenes")) {
            chosen = cards(d, "scenes", 0, d->gallery.scene_count, columns, &copied);
            ImGui::EndTabItem();
        }
        const ImGuiTabItemFlags first = d->shows_experiments ? ImGuiTabItemFlags_SetSelected : 0;
        if (ImGui::BeginTabItem("Experiments", nullptr, first)) {
            chosen = cards(d, "experiments", d->gallery.scene_count, d->gallery.count, columns, &copied);
            ImGui::EndTabItem();
        }
        d->shows_experiments = false;
        ImGui::EndTabBar();
    }
    ImGui::End();
    return open_card(v, chosen, copied);
}

// The file's errors, each with its line and a mark at its column.
void problems_window(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    if (d->problem_count == 0)
        return;
    float edge = pli_viewer_pixels(v, 24);
    bool open = true;
    // The message is placed below the recording indicator.
    float recording = d->film.path ? pli_viewer_pixels(v, 60) : 0.0f;
    ImGui::SetNextWindowPos(ImVec2(edge, ImGui::GetFrameHeight() + edge + recording));
    ImGui::SetNextWindowSizeConstraints(ImVec2(pli_viewer_stage_width(v) - 2.0f * edge, 0.0f),
                                        ImVec2(pli_viewer_stage_width(v) - 2.0f * edge, 0.6f * (float)v->height));
    ImGui::Begin("This file cannot be opened; the previous one stays open", &open,
                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    for (int32_t i = 0; i < d->problem_count; i++) {
        const pli_view_problem *p = &d->problems[i];
        ImVec4 colour = d->preferences.light ? ImVec4(0.65f, 0.25f, 0.0f, 1.0f) : ImVec4(1.0f, 0.7f, 0.4f, 1.0f);
        if (p->line > 0)
            ImGui::TextColored(colour, "%s:%d:%d", d->refused, (int)p->line, (int)p->column);
        else
            ImGui::TextColored(colour, "%s", d->refused);
        ImGui::TextWrapped("%s", p->text);
        if (p->source[0]) {
            ImGui::TextDisabled("%s", p->source);
            int before = p->column > 1 && p->column < (int)strlen(p->source) + 2 ? p->column - 1 : 0;
            ImGui::TextColored(colour, "%*s^", before, "");
        }
        ImGui::Separator();
    }
    if (!open)
        d->problem_count = 0;
    ImGui::End();
}

void first_steps(pli_viewer *v)
{
    pli_view_desk *d = v->desk;
    if (!d->shows_first)
        return;
    float centre = 0.5f * pli_viewer_stage_width(v), middle = 0.5f * (float)v->height;
    ImGui::SetNextWindowPos(ImVec2(centre, middle), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::Begin("First steps", &d->shows_first,
                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextUnformatted(
        "Press on the cloth and pull.\nBeside it: turns the view.   Right button: moves it.   Wheel: zooms.\n"
        "Space pauses time.   Left and Right step through it.\nDrop a mesh or a scene anywhere.");
    ImGui::Spacing();
    if (ImGui::Button("Gallery")) {
        d->shows_first = false;
        pli_view_action_find("Gallery")->run(v);
    }
    ImGui::SameLine();
    if (ImGui::Button("Keys")) {
        d->shows_first = false;
        pli_view_action_find("Keys")->run(v);
    }
    ImGui::SameLine();
    if (ImGui::Button("Begin"))
        d->shows_first = false;
    ImGui::End();
    if (!d->shows_first)
        d->preferences.knows_steps = true;
}

// The current recording, with its progress through the scene's frames.
void recording_window(pli_viewer *v)
{
    const pli_view_film *f = &v->desk->film;
    if (!f->path)
        return;
    int32_t frames = pli_scene_frame_count(v->session.scenes[0]);
    double seconds = f->frame_count / pli_scene_frames_per_second(v->session.scenes[0]);
    char label[100];
    ImGui::SetNextWindowPos(ImVec2(pli_viewer_stage_width(v) - pli_viewer_pixels(v, 12),
                                   ImGui::GetFrameHeight() + pli_viewer_pixels(v, 12)),
                            ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::Begin("Recording", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::TextColored(ImVec4(0.95f, 0.35f, 0.3f, 1.0f), "Recording");
    ImGui::SameLine();
    ImGui::TextUnformatted(f->path);
    snprintf(label, sizeof label, "%d %s, %.1f s", (int)f->frame_count, f->frame_count == 1 ? "frame" : "frames",
             seconds);
    ImGui::ProgressBar(frames > 0 ? (float)v->session.frame / (float)frames : 0.0f,
                       ImVec2(16.0f * ImGui::GetFontSize(), 0.0f), label);
    ImGui::SameLine();
    if (ImGui::Button("Stop"))
        pli_viewer_record_end(v);
    ImGui::End();
}

} // namespace

const char *pli_viewer_menus(pli_viewer *v)
{
    menu_bar(v);
    if (!pli_viewer_has_list(v))
        tool_strip(v);
    keys_window(v);
    recording_window(v);
    problems_window(v);
    first_steps(v);
    return gallery_window(v);
}
