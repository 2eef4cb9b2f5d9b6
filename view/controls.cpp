// Sliders cover the soft range of a property, by decades where it says so. Typed values may go beyond it, up to what the library takes.
#include "controls.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const float label_part = 0.44f;
const double tooltip_delay = 0.35; // [s]

struct range {
    double low, high;
    bool by_decades;
};

range range_of(const pli_property *p, double edge)
{
    const bool given = p->soft_minimum < p->soft_maximum;
    const double unit = p->soft_unit == PLI_SOFT_MEAN_EDGE && edge > 0.0 ? edge : 1.0;
    range r = {given ? p->soft_minimum * unit : p->minimum, given ? p->soft_maximum * unit : p->maximum,
               p->scale != PLI_SLIDER_LINEAR};
    // A square scale is fine near 0, as three decades with a place for 0 are.
    if (r.by_decades && !(r.low > 0.0))
        r.low = 1e-3 * r.high;
    return r;
}

double three_digits(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.3g", value);
    return strtod(text, nullptr);
}

// The text of a slider. Without a conversion it is shown as it is, so that the slider itself can have another unit.
void text_of(const pli_property *p, double value, const char *unit, char *text, size_t size)
{
    char plain[100];
    if (value == 0.0 && p->zero)
        snprintf(plain, sizeof plain, "%s", p->zero);
    else if (std::isinf(value))
        snprintf(plain, sizeof plain, "no limit");
    else
        snprintf(plain, sizeof plain, "%.4g%s%s", value, unit && *unit ? " " : "", unit ? unit : "");
    size_t k = 0;
    for (size_t i = 0; plain[i] && k + 2 < size; i++) {
        text[k++] = plain[i];
        if (plain[i] == '%')
            text[k++] = '%';
    }
    text[k] = '\0';
}

// The ends of a slider stand for 0 and for no limit where the property has them.
double at_an_end(const pli_property *p, const range &r, double value)
{
    if (r.by_decades && value <= 1.0001 * r.low && p->minimum <= 0.0 && p->zero)
        return 0.0;
    if (value >= 0.9999 * r.high && std::isinf(p->maximum) && std::isinf(p->initial))
        return INFINITY;
    return p->kind == PLI_PROPERTY_INTEGER ? std::round(value) : three_digits(value);
}

// The frame of a slider, filled up to its value, so that the number over it stays readable.
void draw_frame(double value, double low, double high, bool by_decades)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::CalcItemWidth(), rounding = ImGui::GetStyle().FrameRounding;
    const ImVec2 end(at.x + width, at.y + ImGui::GetFrameHeight());
    const double t = !(value > low) ? 0.0
                     : by_decades   ? std::log(value / low) / std::log(high / low)
                                    : (value - low) / (high - low);
    const float filled = (float)std::fmin(t, 1.0) * width;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
    if (filled > 2.0f * rounding)
        list->AddRectFilled(at, ImVec2(at.x + filled, end.y), ImGui::GetColorU32(ImGuiCol_SliderGrab, 0.35f), rounding);
}

// Dear ImGui takes values below 0.001 for 0 on logarithmic sliders, so these run in multiples of their lower end.
bool slider(const range &r, const char *text, double *value)
{
    const double unit = r.by_decades ? r.low : 1.0, low = r.low / unit, high = r.high / unit;
    const ImVec4 none(0.0f, 0.0f, 0.0f, 0.0f);
    *value /= unit;
    draw_frame(*value, low, high, r.by_decades);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, none);
    ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, none);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, 4.0f);
    const bool changed = ImGui::SliderScalar("##value", ImGuiDataType_Double, value, &low, &high, text,
                                             r.by_decades ? ImGuiSliderFlags_Logarithmic : 0);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    // A typed number is the value itself.
    if (!changed || ImGui::IsMouseDown(ImGuiMouseButton_Left))
        *value *= unit;
    return changed;
}

bool number(const pli_property *p, const pli_control_place &place, double *value)
{
    const range r = range_of(p, place.edge);
    char text[120];
    text_of(p, *value, place.unit, text, sizeof text);
    if (!(std::isfinite(r.low) && std::isfinite(r.high)))
        return ImGui::InputDouble("##value", value, 0.0, 0.0, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue);
    double next = *value;
    if (!slider(r, text, &next))
        return false;
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left))
        next = at_an_end(p, r, next);
    else if (p->kind == PLI_PROPERTY_INTEGER)
        next = std::round(next);
    const bool changed = next != *value;
    *value = next;
    return changed;
}

bool choice(const pli_property *p, double *value)
{
    const int32_t chosen = (int32_t)*value;
    bool changed = false;
    if (!ImGui::BeginCombo("##value", p->choices[chosen].label))
        return false;
    for (int32_t i = 0; p->choices[i].name; i++) {
        if (ImGui::Selectable(p->choices[i].label, i == chosen)) {
            changed = i != chosen;
            *value = i;
        }
        if (pli_control_hovered(&p->choices[i]))
            ImGui::SetTooltip("%s", p->choices[i].summary);
    }
    ImGui::EndCombo();
    return changed;
}

int32_t vector(const pli_property *p, double values[3])
{
    const double before[] = {values[0], values[1], values[2]};
    if (ImGui::DragScalarN("##value", ImGuiDataType_Double, values, 3, (float)(0.005 * p->soft_maximum), nullptr,
                           nullptr, "%.3g"))
        for (int32_t i = 0; i < 3; i++)
            if (values[i] != before[i])
                return i;
    return -1;
}

void explain(const pli_property *p, const char *unit)
{
    char low[40], high[40];
    snprintf(low, sizeof low, "%g", p->minimum);
    snprintf(high, sizeof high, std::isinf(p->maximum) ? "no limit" : "%g", p->maximum);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(26.0f * ImGui::GetFontSize());
    ImGui::TextUnformatted(p->summary);
    if (p->help)
        ImGui::TextUnformatted(p->help);
    if (p->kind == PLI_PROPERTY_NUMBER || p->kind == PLI_PROPERTY_INTEGER)
        ImGui::TextDisabled("%s to %s%s%s; default %g%s%s%s", low, high, unit && *unit ? " " : "", unit ? unit : "",
                            p->initial, p->zero ? "; 0: " : "", p->zero ? p->zero : "",
                            ". Ctrl+click types a value; right click has the default.");
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// The first change of a drag begins an edit.
void mark_drag(pli_viewer *v, bool changed)
{
    static ImGuiID dragged = 0;
    const ImGuiID id = ImGui::GetID("##value");
    if (changed && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        v->session.drag = dragged == id ? PLI_SESSION_DRAG_CONTINUES : PLI_SESSION_DRAG_BEGINS;
        dragged = id;
    } else if (changed) {
        v->session.drag = PLI_SESSION_DRAG_BEGINS;
    } else if (dragged == id && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        dragged = 0;
    }
}

bool asks_for_default(const pli_property *p, double values[3])
{
    bool asked = false;
    if (p->kind != PLI_PROPERTY_VECTOR && ImGui::BeginPopupContextItem("default")) {
        char label[60];
        snprintf(label, sizeof label, "Default: %g", p->initial);
        asked = ImGui::MenuItem(label);
        ImGui::EndPopup();
    }
    if (asked)
        values[0] = p->initial;
    return asked;
}

} // namespace

void pli_control_label(const char *label)
{
    const float width = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + label_part * width);
    ImGui::SetNextItemWidth(-1.0f);
}

bool pli_control_hovered(const void *item)
{
    static const void *over = nullptr;
    static double since = 0.0;
    static int seen = 0;
    const int picture = ImGui::GetFrameCount();
    if (!ImGui::IsItemHovered())
        return false;
    if (item != over || picture - seen > 1)
        since = ImGui::GetTime();
    over = item;
    seen = picture;
    return ImGui::GetTime() - since > tooltip_delay;
}

void pli_control_note(pli_viewer *v, const char *path)
{
    pli_view_desk *d = v->desk;
    if (!d->sought || strcmp(d->sought, path) != 0)
        return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    d->spot[0] = low.x, d->spot[1] = low.y, d->spot[2] = high.x, d->spot[3] = high.y;
    d->found = true;
}

int32_t pli_control_draw(pli_viewer *v, const pli_property *p, const pli_control_place &place, double values[3])
{
    int32_t changed = -1;
    ImGui::PushID(place.path);
    ImGui::BeginGroup();
    pli_control_label(p->label ? p->label : p->name);
    if (p->kind == PLI_PROPERTY_BOOLEAN) {
        bool on = values[0] != 0.0;
        changed = ImGui::Checkbox("##value", &on) ? 0 : -1;
        values[0] = on;
    } else if (p->kind == PLI_PROPERTY_CHOICE && p->choices) {
        changed = choice(p, values) ? 0 : -1;
    } else if (p->kind == PLI_PROPERTY_VECTOR) {
        changed = vector(p, values);
    } else {
        changed = number(p, place, values) ? 0 : -1;
    }
    pli_control_note(v, place.path);
    mark_drag(v, changed >= 0);
    ImGui::EndGroup();
    if (asks_for_default(p, values)) {
        v->session.drag = PLI_SESSION_DRAG_BEGINS;
        changed = 0;
    }
    if (p->summary && !ImGui::IsAnyItemActive() && pli_control_hovered(p))
        explain(p, place.unit);
    ImGui::PopID();
    return changed;
}
