/// Pliant, descriptors: name, meaning and range of every setting.
///
/// A descriptor is a table row that describes one property. Scene keys, the scene schema, command-line listings, documents,
/// range checks and the panels of a viewer are generated from these rows, so each property is described only once. Fields of
/// definitions (pli_settings, pli_deformable_def, ...) are in groups; parameters of constraint types are in the rows of the
/// types.
///
///     const pli_descriptor_group *group = pli_descriptor_group_find("settings");
///     const pli_property *damping = pli_descriptor_find(group, "damping");
///     double value[3] = {0.1};
///     pli_settings settings = pli_world_settings(world);
///     if (pli_property_write(damping, &settings, value, &error) == PLI_STATUS_OK)
///         pli_world_set_settings(world, &settings, &error);
///
/// pli_descriptors_json writes all of them as one JSON text for programs in other languages.
///
/// Rows, groups, lists and names are constants of the library; do not free them. All functions may be called from any
/// thread. A function that writes a definition needs exclusive access to it.
#ifndef PLIANT_DESCRIPTOR_H
#define PLIANT_DESCRIPTOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the JSON text. It increases when a key changes its meaning or is removed. New keys do not change it.
#define PLI_DESCRIPTORS_VERSION 1
#define PLI_CONDITION_VALUES_MAX 16 ///< Maximum number of values of a condition; a null ends a shorter list.

/// The kind of value a property has, and how a definition stores it.
typedef enum pli_property_kind {
    PLI_PROPERTY_NUMBER = 0, ///< float or double, by the size of the field.
    PLI_PROPERTY_INTEGER,    ///< int32_t
    PLI_PROPERTY_BOOLEAN,    ///< bool
    PLI_PROPERTY_CHOICE,     ///< An enumeration whose values 0, 1, 2... are the choices.
    PLI_PROPERTY_VECTOR,     ///< pli_vec3; the range applies to each component.
    PLI_PROPERTY_LAYER,      ///< uint32_t of layer bits; a scene has the number of one layer.
    PLI_PROPERTY_LAYERS      ///< uint32_t of layer bits; a scene has a list of layer numbers, by default all layers.
} pli_property_kind;

/// How a slider maps its position t, 0..1, to the soft range.
typedef enum pli_slider_scale {
    PLI_SLIDER_LINEAR = 0, ///< minimum + t (maximum - minimum)
    PLI_SLIDER_SQUARE,     ///< minimum + t^2 (maximum - minimum): finer near the minimum.
    PLI_SLIDER_LOG         ///< minimum (maximum / minimum)^t. The value 0 has its own position below the minimum.
} pli_slider_scale;

/// The unit in which the ends of a soft range are given.
typedef enum pli_soft_unit {
    PLI_SOFT_ONE = 0,          ///< The property's own unit.
    PLI_SOFT_MEAN_EDGE,        ///< The mean edge length of the mesh.
    PLI_SOFT_COMPLIANCE_SCALE, ///< The median of the set's compliance scales a, divided by 1 N m. The slider of a
                               ///< compliance then covers the same sheets as the slider of a rigidity B, because
                               ///< compliance = a / B.
} pli_soft_unit;

/// How a new value is applied to a running world.
typedef enum pli_change {
    PLI_CHANGE_LIVE = 0, ///< It takes effect in the next step.
    PLI_CHANGE_REMAKE,   ///< Its object (a constraint set, an attachment, a collider) is destroyed and created again;
                         ///< deformables keep their positions and velocities.
    PLI_CHANGE_RESTART   ///< The deformable or the world is created again.
} pli_change;

/// The end of a slider at which values have no further effect, because a step has too few substeps for the stiffness.
typedef enum pli_saturation {
    PLI_SATURATES_NOWHERE = 0,
    PLI_SATURATES_ABOVE, ///< Large values have the same effect, as for a rigidity.
    PLI_SATURATES_BELOW  ///< Small values have the same effect, as for a compliance.
} pli_saturation;

/// One value of a choice.
typedef struct pli_choice {
    const char *name;    ///< Name in scenes and on the command line. Null ends an array of choices.
    const char *label;   ///< Text in menus.
    const char *summary; ///< One full sentence.
} pli_choice;

/// The index of the choice with this name; -1 if there is none or an argument is null.
PLI_API int32_t pli_choice_find(const pli_choice *choices, const char *name);

/// A condition for a property to have an effect: another property has one of these values, or none of them.
typedef struct pli_condition {
    const char *path; ///< The other property: its name in the same group, or its scene path, such as
                      ///< "settings.method". Null ends an array of conditions, all of which must hold.
    bool is_not;      ///< The other property must have none of these values.
    const char *values[PLI_CONDITION_VALUES_MAX]; ///< Names of choices, numbers, "true" or "false".
} pli_condition;

/// One field of a definition, or one parameter of a constraint type. Zero is a valid default for every field of this struct,
/// so a row sets only the fields that differ.
typedef struct pli_property {
    const char *name;    ///< Name in scenes and listings, such as "kappa".
    const char *label;   ///< Text in panels, such as "Kappa"; null: the name.
    const char *unit;    ///< Such as "m"; "" or null for none. In a unit that begins with C, C stands for the unit of
                         ///< the constraint: see pli_constraint_type_parameter_unit.
    const char *summary; ///< The meaning of the property, in one full sentence.
    const char *help;    ///< The effect to expect from changing it; null for none.
    pli_property_kind kind;   ///< Default: a number.
    double minimum, maximum;  ///< Valid range, ends included. An infinite end is itself a valid value.
    double initial;           ///< The default; for choices, the index. Vectors have it in `initial_vector`.
    double initial_vector[3]; ///< The default of a vector.
    double soft_minimum;      ///< Lower end of the soft range, which a slider covers, in multiples of `soft_unit`.
    double soft_maximum;      ///< Upper end of the soft range. If both ends are 0, a slider covers the valid range.
    pli_soft_unit soft_unit;
    pli_slider_scale scale;
    const char *zero;          ///< Meaning of the value 0, such as "rigid"; null if it has no special meaning.
    const pli_choice *choices; ///< Values of a choice, ended by a null name; null for other kinds.
    pli_change change;
    pli_saturation saturates;
    const pli_condition *when; ///< Conditions for it to have an effect, ended by a null path; null: always.
    const char *instead_of;    ///< Property of the group that must be at its default if this one is not; null for none.
    const char *section;       ///< Section of a panel: "basic", "solver", "contact", "air", "advanced"; null: "basic".
    size_t offset, size;       ///< Offset and size of the field in its definition [bytes]; unused for type parameters.
} pli_property;

/// A section of a panel, which groups properties.
typedef struct pli_section {
    const char *id;    ///< The value of pli_property.section.
    const char *label; ///< Text in panels.
    bool open;         ///< Initially expanded.
} pli_section;

/// The number of sections.
PLI_API int32_t pli_section_count(void);
/// Section i in the order of a panel, 0..pli_section_count() - 1; null if out of range.
PLI_API const pli_section *pli_section_at(int32_t i);

enum {
    PLI_PANEL_ROWS_MAX = 3,     ///< Maximum number of owners in a part.
    PLI_PANEL_SECTIONS_MAX = 4, ///< Maximum number of sections of an owner; a null ends a shorter list.
    PLI_PANEL_VALUES_MAX = 11,  ///< Number of values that a material gives.
};

/// The properties of one owner in a part of a panel.
typedef struct pli_panel_rows {
    const char *prefix; ///< The owner: "bend", the bending set or plate of a deformable; "stretch", its
                        ///< set of "distance" or "membrane"; "others", its other sets; "cloth", the
                        ///< deformable; "settings". Null ends the owners of a part.
    const char *group;  ///< Group of the properties; null: the parameters of the set's type, or the
                        ///< group "plate". Of a group, it shows the properties that change live.
    const char *sections[PLI_PANEL_SECTIONS_MAX]; ///< Values of pli_property.section.
} pli_panel_rows;

/// A part of a panel. Where a part has the prefix "bend" and the section "basic", the choices of the material and of the bending
/// model stand before its rows.
typedef struct pli_panel_part {
    const char *id;                          ///< "bending", "stretching", "others", "cloth", "air", "solver", ...
    const char *label;                       ///< Text in panels.
    bool open;                               ///< Initially expanded.
    pli_panel_rows rows[PLI_PANEL_ROWS_MAX]; ///< Its owners in their order, ended by a null prefix.
} pli_panel_part;

/// The number of parts.
PLI_API int32_t pli_panel_part_count(void);
/// Part i in the order of a panel, 0..pli_panel_part_count() - 1; null if out of range.
PLI_API const pli_panel_part *pli_panel_part_at(int32_t i);

/// A value of a panel.
typedef struct pli_panel_value {
    const char *prefix; ///< As in pli_panel_rows.
    const char *name;   ///< Name of the property.
    double value;       ///< In the unit of the property.
} pli_panel_value;

/// The properties of one definition.
typedef struct pli_descriptor_group {
    const char *id;                 ///< "world", "settings", "contact", "deformable", "tearing", "plate", ...
    const char *label;              ///< Text in panels.
    const char *summary;            ///< One full sentence.
    const char *target;             ///< Scene path of the object: "" for the root, "settings", "deformables[].tearing".
    const char *definition;         ///< Name of the struct, such as "pli_settings".
    const pli_property *properties; ///< [property_count]
    int32_t property_count;         ///< Number of properties.
    bool animated;                  ///< Its live numbers and vectors may have keyframes in a scene.
} pli_descriptor_group;

/// The number of groups.
PLI_API int32_t pli_descriptor_group_count(void);
/// Group i, 0..pli_descriptor_group_count() - 1; null if out of range.
PLI_API const pli_descriptor_group *pli_descriptor_group_at(int32_t i);
/// The group with this id; null if there is none or `id` is null.
PLI_API const pli_descriptor_group *pli_descriptor_group_find(const char *id);
/// The property of a group with this name; null if there is none or an argument is null.
PLI_API const pli_property *pli_descriptor_find(const pli_descriptor_group *group, const char *name);

/// Reads a property of `definition`, a struct of the type that the group describes. A vector is written to values[0..2], any
/// other kind to values[0]. Choices, booleans and layer bits are numbers.
PLI_API void pli_property_read(const pli_property *property, const void *definition, double values[3]);
/// Writes a property of a definition. If pli_property_check rejects the values, its error is returned and the definition is
/// unchanged.
PLI_API pli_status pli_property_write(const pli_property *property, void *definition, const double values[3],
                                      pli_error *error);
/// Checks values against the range and kind of a property. Values are compared as the definition stores them: a float is
/// compared with the range rounded to float. Errors: INVALID_ARGUMENT, with a message that names the property, the value and
/// the range.
PLI_API pli_status pli_property_check(const pli_property *property, const double values[3], pli_error *error);
/// Checks all properties of a definition in order and returns the first error. Booleans have no invalid value.
PLI_API pli_status pli_descriptor_check(const pli_descriptor_group *group, const void *definition, pli_error *error);
/// Whether the conditions of a property (`when`) hold in a definition. Conditions on other definitions count as true.
PLI_API bool pli_property_applies(const pli_descriptor_group *group, const pli_property *property,
                                  const void *definition);

/// The choices of an enumeration, by the names of pli_choice_name; ended by a null name. Null if there is no such list.
PLI_API const pli_choice *pli_choices_find(const char *list);

/// Writes all groups, choices, constraint types and generators as one JSON text (docs/descriptors.md). Free it with
/// pli_text_release. Errors: OUT_OF_MEMORY; `text` is then null.
PLI_API pli_status pli_descriptors_json(char **text, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
