// A part is shown if one of its properties has an effect on the chosen deformable. Sets of attachments, and so of a grab, have no rows.
#include "parts.h"

#include "session/values.h"
#include "controls.h"

#include <imgui.h>

#include <cmath>
#include <cstring>
#include <string>

namespace {

enum { OWNERS_MOST = 8, ROWS_MOST = 64 };

// A property that a part shows, with its owner.
struct row {
    const pli_property *property;
    pli_session_owner owner;
    bool begins; // The first row of an owner whose part has several of its prefix.
};

struct row_list {
    row rows[ROWS_MOST];
    int32_t count = 0;
};

pli_deformable chosen_of(pli_viewer *v)
{
    const int32_t count = pli_world_deformable_count(v->session.world);
    v->chosen = v->chosen < count ? v->chosen : 0;
    return pli_world_deformable_at(v->session.world, v->chosen);
}

bool is_in(const char *const list[PLI_PANEL_SECTIONS_MAX], const char *name)
{
    for (int32_t i = 0; i < PLI_PANEL_SECTIONS_MAX && list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

// Whether a control can show a property as one value.
bool is_single(const pli_property *p)
{
    return p->kind == PLI_PROPERTY_NUMBER || p->kind == PLI_PROPERTY_INTEGER || p->kind == PLI_PROPERTY_BOOLEAN ||
           p->kind == PLI_PROPERTY_CHOICE;
}

void add(const pli_viewer *v, row_list &list, pli_session_owner owner, const pli_property *p, bool begins)
{
    const bool shown = is_single(p) || (p->kind == PLI_PROPERTY_VECTOR && !owner.set.id && !owner.deformable.id);
    if (shown && list.count < ROWS_MOST && pli_session_has_effect(&v->session, p, owner))
        list.rows[list.count++] = {p, owner, begins};
}

void add_sections(const pli_viewer *v, row_list &list, pli_session_owner owner, const pli_panel_rows &rows, bool begins)
{
    pli_constraints_info info;
    const pli_property *p = nullptr;
    const int32_t first = list.count;
    const bool of_set = owner.set.id != 0 &&
                        pli_constraints_get_info(v->session.world, owner.set, &info, nullptr) == PLI_STATUS_OK;
    const pli_descriptor_group *group = pli_descriptor_group_find(rows.group ? rows.group : "plate");
    for (int32_t i = 0;; i++) {
        if (of_set)
            p = pli_constraint_type_parameter(info.type, i);
        else
            p = i < group->property_count ? &group->properties[i] : nullptr;
        if (!p)
            break;
        if (is_in(rows.sections, p->section ? p->section : "basic") && (of_set || p->change == PLI_CHANGE_LIVE))
            add(v, list, owner, p, begins && list.count == first);
    }
}

row_list rows_of(pli_viewer *v, const pli_panel_part *part)
{
    row_list list;
    const pli_deformable deformable = chosen_of(v);
    pli_session_owner owner, second;
    for (int32_t r = 0; r < PLI_PANEL_ROWS_MAX && part->rows[r].prefix; r++) {
        const pli_panel_rows &rows = part->rows[r];
        const bool several = pli_session_owner_find(v->session.world, deformable, rows.prefix, 1, &second) ||
                             strcmp(rows.prefix, "others") == 0;
        for (int32_t i = 0; i < OWNERS_MOST; i++) {
            if (!pli_session_owner_find(v->session.world, deformable, rows.prefix, i, &owner))
                break;
            add_sections(v, list, owner, rows, several);
        }
    }
    return list;
}

/* ---- rows --------------------------------------------------------------------------------------- */

std::string name_of(const pli_world *world, pli_session_owner owner)
{
    pli_constraints_info info;
    if (owner.set.id == 0 || pli_constraints_get_info(world, owner.set, &info, nullptr) != PLI_STATUS_OK)
        return "Plate";
    const char *label = info.type->label ? info.type->label : info.type->name;
    return strcmp(info.name, info.type->name) == 0 ? label : std::string(label) + ", " + info.name;
}

void read(const pli_world *world, const row &r, double values[3])
{
    const pli_settings settings = pli_world_settings(world);
    if (r.owner.set.id != 0)
        pli_constraints_get_parameter(world, r.owner.set, r.property->name, values, nullptr);
    else if (r.owner.deformable.id != 0)
        values[0] = pli_session_deformable_value(world, r.owner.deformable, r.property);
    else
        pli_property_read(r.property, &settings, values);
}

void write(pli_viewer *v, const row &r, const double values[3], int32_t component)
{
    pli_session *s = &v->session;
    const bool is_vector = r.property->kind == PLI_PROPERTY_VECTOR;
    const pli_session_control control = {r.property, r.owner, is_vector ? component : 0};
    pli_session_set_control(s, &control, values[control.component]);
    s->drag = PLI_SESSION_DRAG_NONE;
    v->still = 0;
}

void draw_row(pli_viewer *v, const row &r)
{
    const pli_world *world = v->session.world;
    const pli_mesh *mesh = pli_deformable_rest_mesh(world, chosen_of(v));
    char path[300], unit[60];
    double values[3] = {0};
    pli_constraints_info info;
    pli_control_place place = {path, r.property->unit,
                               mesh ? (double)pli_mesh_get_report(mesh)->edge_length_mean : 0.0};
    if (r.owner.set.id != 0 && pli_constraints_get_info(world, r.owner.set, &info, nullptr) == PLI_STATUS_OK)
        place.unit = pli_constraint_type_parameter_unit(info.type, r.property, unit, sizeof unit);
    pli_session_owner_path(world, r.owner, r.property->name, path, sizeof path);
    if (r.begins)
        ImGui::TextDisabled("%s", name_of(world, r.owner).c_str());
    read(world, r, values);
    const int32_t component = pli_control_draw(v, r.property, place, values);
    if (component >= 0)
        write(v, r, values, component);
}

/* ---- material and bending model ----------------------------------------------------------------- */

// Whether the deformable has all values of a preset that its sets and its plate take.
bool is_of(const pli_viewer *v, pli_deformable deformable, const pli_material *material)
{
    pli_panel_value list[PLI_PANEL_VALUES_MAX];
    const int32_t count = pli_material_panel_values(material, list);
    const pli_world *world = v->session.world;
    pli_session_owner owner;
    for (int32_t i = 0; i < count; i++) {
        const pli_property *p = pli_session_owner_find(world, deformable, list[i].prefix, 0, &owner)
                                    ? pli_session_owner_property(world, owner, list[i].name)
                                    : nullptr;
        double values[3] = {0};
        if (p)
            read(world, {p, owner, false}, values);
        if (p && std::fabs(values[0] - list[i].value) > 1e-5 * std::fabs(list[i].value))
            return false;
    }
    return true;
}

void material_row(pli_viewer *v, pli_deformable deformable)
{
    const pli_material *now = nullptr;
    for (int32_t i = 0; i < pli_material_count() && !now; i++)
        if (is_of(v, deformable, pli_material_at(i)))
            now = pli_material_at(i);
    pli_control_label("Material");
    const bool open = ImGui::BeginCombo("##material", now ? now->label : "its own values");
    if (!open)
        pli_control_note(v, "material");
    for (int32_t i = 0; open && i < pli_material_count(); i++) {
        const pli_material *m = pli_material_at(i);
        if (ImGui::Selectable(m->label, m == now))
            pli_session_set_material(&v->session, deformable, m);
        pli_control_note(v, (std::string("material ") + m->name).c_str());
        if (!pli_control_hovered(m))
            continue;
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(26.0f * ImGui::GetFontSize());
        ImGui::TextUnformatted(m->summary);
        ImGui::TextDisabled("Sources: %s", m->source);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    if (open)
        ImGui::EndCombo();
}

void model_row(const pli_viewer *v, pli_deformable deformable)
{
    pli_session_owner owner;
    pli_constraints_info info;
    if (!pli_session_owner_find(v->session.world, deformable, "bend", 0, &owner))
        return;
    const bool of_set = owner.set.id != 0 &&
                        pli_constraints_get_info(v->session.world, owner.set, &info, nullptr) == PLI_STATUS_OK;
    const pli_descriptor_group *plate = pli_descriptor_group_find("plate");
    pli_control_label("Bending model");
    ImGui::TextDisabled("%s", of_set ? info.type->label ? info.type->label : info.type->name : plate->label);
    if (pli_control_hovered(plate)) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(26.0f * ImGui::GetFontSize());
        ImGui::TextUnformatted(of_set ? info.type->summary : plate->summary);
        ImGui::TextDisabled("The scene file chooses it. \"Bending side by side\" shows the others.");
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

} // namespace

void pli_parts_choose(pli_viewer *v)
{
    const pli_world *world = v->session.world;
    const int32_t count = pli_world_deformable_count(world);
    const auto name = [&](int32_t i) {
        const char *own = pli_deformable_name(world, pli_world_deformable_at(world, i));
        return *own ? std::string(own) : "Deformable " + std::to_string(i + 1);
    };
    if (count < 2)
        return;
    chosen_of(v);
    pli_control_label("Values of");
    const bool open = ImGui::BeginCombo("##deformable", name(v->chosen).c_str());
    if (!open)
        pli_control_note(v, "deformable");
    for (int32_t i = 0; open && i < count; i++) {
        ImGui::PushID(i);
        if (ImGui::Selectable(name(i).c_str(), i == v->chosen))
            v->chosen = i;
        ImGui::PopID();
    }
    if (open)
        ImGui::EndCombo();
}

int32_t pli_parts_advanced(void)
{
    int32_t i = 0;
    while (i < pli_panel_part_count() && strcmp(pli_panel_part_at(i)->id, "advanced") != 0)
        i++;
    return i;
}

void pli_parts_draw(pli_viewer *v, int32_t from, int32_t to)
{
    if (pli_world_deformable_count(v->session.world) == 0)
        return;
    for (int32_t i = from; i < to; i++) {
        const pli_panel_part *part = pli_panel_part_at(i);
        const row_list list = rows_of(v, part);
        const bool first = strcmp(part->rows[0].prefix, "bend") == 0 && part->open;
        if (list.count == 0 && !first)
            continue;
        if (v->desk->only_part)
            ImGui::SetNextItemOpen(strcmp(v->desk->only_part, part->id) == 0);
        if (!ImGui::CollapsingHeader(part->label, part->open ? ImGuiTreeNodeFlags_DefaultOpen : 0))
            continue;
        ImGui::PushID(part->id);
        if (first) {
            material_row(v, chosen_of(v));
            model_row(v, chosen_of(v));
        }
        for (int32_t k = 0; k < list.count; k++)
            draw_row(v, list.rows[k]);
        ImGui::PopID();
    }
}

void pli_parts_row(pli_viewer *v, const char *path)
{
    pli_session_control found;
    if (pli_session_control_find(&v->session, path, &found))
        draw_row(v, {found.property, found.owner, false});
}
