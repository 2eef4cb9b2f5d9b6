/// Pliant, descriptors: name, meaning and range of every setting.
///
/// Scene keys, the scene schema, command-line listings, documents, range checks and the panels of a viewer are made
/// from the rows described here, so that a property is described once. Numbers of definitions (pli_settings,
/// pli_deformable_def, ...) are in groups; parameters of constraint types are in the rows of the types.
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
/// Rows, groups, lists and names are constants of the library, never to be freed. All functions may be called from any
/// thread; those that write a definition need exclusive access to it.
#ifndef PLIANT_DESCRIPTOR_H
#define PLIANT_DESCRIPTOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the JSON text. It grows when a key changes its meaning or goes; new keys may come at any time.
#define PLI_DESCRIPTORS_VERSION 1
#define PLI_CONDITION_VALUES_MAX 16 ///< Most values of a condition, with a null at the end unless all are used.

/// The kind of value a property has, and how a definition stores it.
typedef enum pli_property_kind {
    PLI_PROPERTY_NUMBER = 0, ///< float or double, by the size of the field.
    PLI_PROPERTY_INTEGER,    ///< int32_t
    PLI_PROPERTY_BOOLEAN,    ///< bool
    PLI_PROPERTY_CHOICE,     ///< An enumeration whose values 0, 1, 2... are the choices.
    PLI_PROPERTY_VECTOR,     ///< pli_vec3; the range is that of each component.
    PLI_PROPERTY_LAYER,      ///< uint32_t of layer bits; a scene gives the number of one layer.
    PLI_PROPERTY_LAYERS,     ///< uint32_t of layer bits; a scene gives a list of numbers, all layers by default.
    PLI_PROPERTY_KIND_FORCE_32 = PLI_FORCE_32
} pli_property_kind;

/// The name of a kind: "number", "integer", "boolean", "choice", "vector", "layer", "layers"; "unknown" for other values.
PLI_API const char *pli_property_kind_name(pli_property_kind kind);

/// How a slider spreads the soft range. The distance t along it runs from 0 to 1.
typedef enum pli_slider_scale {
    PLI_SLIDER_LINEAR = 0, ///< minimum + t (maximum - minimum)
    PLI_SLIDER_SQUARE,     ///< minimum + t^2 (maximum - minimum): fine near the minimum.
    PLI_SLIDER_LOG,        ///< minimum (maximum / minimum)^t. A value of 0 is a notch of its own below the minimum.
    PLI_SLIDER_SCALE_FORCE_32 = PLI_FORCE_32
} pli_slider_scale;

/// The name of a scale: "linear", "square", "log"; "unknown" for other values.
PLI_API const char *pli_slider_scale_name(pli_slider_scale scale);

/// The unit in which the ends of a soft range are given.
typedef enum pli_soft_unit {
    PLI_SOFT_ONE = 0,          ///< The property's own unit.
    PLI_SOFT_MEAN_EDGE,        ///< The mean edge length of the mesh.
    PLI_SOFT_COMPLIANCE_SCALE, ///< The median of the set's compliance scales a over 1 N m: the slider of a compliance
                               ///< then covers the same sheets as that of the rigidity B, since compliance = a / B.
    PLI_SOFT_UNIT_FORCE_32 = PLI_FORCE_32
} pli_soft_unit;

/// The name of a unit: "one", "mean_edge", "compliance_scale"; "unknown" for other values.
PLI_API const char *pli_soft_unit_name(pli_soft_unit unit);

/// How a running world takes a new value.
typedef enum pli_change {
    PLI_CHANGE_LIVE = 0, ///< It acts from the next step on.
    PLI_CHANGE_REMAKE,   ///< Its object (a constraint set, an attachment, a collider) is destroyed and created again;
                         ///< deformables keep their positions and velocities.
    PLI_CHANGE_RESTART,  ///< The deformable or the world is created again.
    PLI_CHANGE_FORCE_32 = PLI_FORCE_32
} pli_change;

/// The name of a change: "live", "remake", "restart"; "unknown" for other values.
PLI_API const char *pli_change_name(pli_change change);

/// Which end of a slider stops acting when a step has too few substeps to carry the stiffness.
typedef enum pli_saturation {
    PLI_SATURATES_NOWHERE = 0,
    PLI_SATURATES_ABOVE, ///< Large values act alike, such as those of a rigidity.
    PLI_SATURATES_BELOW, ///< Small values act alike, such as those of a compliance.
    PLI_SATURATION_FORCE_32 = PLI_FORCE_32
} pli_saturation;

/// One value of a choice.
typedef struct pli_choice {
    const char *name;    ///< As in scenes and on the command line. Null ends an array of choices.
    const char *label;   ///< As a menu shows it.
    const char *summary; ///< One full sentence.
} pli_choice;

/// The index of the choice with this name; -1 when there is none, and when an argument is null.
PLI_API int32_t pli_choice_find(const pli_choice *choices, const char *name);

/// One condition under which a property has an effect: another property has, or does not have, one of these values.
typedef struct pli_condition {
    const char *path; ///< A property of the same group by its name, or any by its scene path, such as
                      ///< "settings.method". Null ends an array of conditions, all of which must hold.
    bool is_not;      ///< The value must be none of these.
    const char *values[PLI_CONDITION_VALUES_MAX]; ///< Names of choices, numbers, "true" or "false".
} pli_condition;

/// One named value of a definition, or one parameter of a constraint type. Everything that is zero has a meaning, so
/// that a row says only what is special about it.
typedef struct pli_property {
    const char *name;        ///< As in scenes and listings, such as "kappa".
    const char *label;       ///< As a panel shows it, such as "Kappa"; null: the name.
    const char *unit;        ///< Such as "m"; "" or null for none. A unit that begins with C stands for that of the
                             ///< constraint: see pli_constraint_type_parameter_unit.
    const char *summary;     ///< The meaning of the property, in one full sentence.
    const char *help;        ///< The effect to expect from changing it; null for none.
    pli_property_kind kind;  ///< A number, unless said.
    double minimum, maximum; ///< Valid range, ends included. An infinite end is valid where the range has it.
    double initial; ///< The default; the number of a choice; of vectors, of the components in `initial_vector`.
    double initial_vector[3]; ///< The default of a vector.
    double soft_minimum;      ///< Span of a slider, in multiples of `soft_unit`. Both zero: the valid range.
    double soft_maximum;
    pli_soft_unit soft_unit;
    pli_slider_scale scale;
    const char *zero;          ///< Meaning of the value 0, such as "rigid"; null when nothing special.
    const pli_choice *choices; ///< Values of a choice, ended by a null name; null for other kinds.
    pli_change change;
    pli_saturation saturates;
    const pli_condition *when; ///< When it has an effect; null: always. Ended by a null path.
    const char *instead_of;    ///< Sibling that must be at its default when this one is not; null for none.
    const char *section;       ///< Section of a panel: "basic", "solver", "contact", "air", "advanced"; null: "basic".
    size_t offset, size; ///< Place and size of the field in its definition [bytes]. Parameters of types have none.
} pli_property;

/// Part of a panel that its properties are sorted into.
typedef struct pli_section {
    const char *id;    ///< As in pli_property.section.
    const char *label; ///< As a panel shows it.
    bool open;         ///< Shown unfolded at first.
} pli_section;

/// The number of sections.
PLI_API int32_t pli_section_count(void);
/// Section i in the order of a panel, 0..pli_section_count() - 1; null when out of range.
PLI_API const pli_section *pli_section_at(int32_t i);

/// The properties of one definition.
typedef struct pli_descriptor_group {
    const char *id;                 ///< "world", "settings", "contact", "deformable", "tearing", "plate", ...
    const char *label;              ///< As a panel shows it.
    const char *summary;            ///< One full sentence.
    const char *target;             ///< Where a scene has it: "" for its root, "settings", "deformables[].tearing".
    const char *definition;         ///< Name of the struct, such as "pli_settings".
    const pli_property *properties; ///< Array of the properties.
    int32_t property_count;         ///< Their number.
    bool animated;                  ///< Its live numbers and vectors may have keyframes in a scene.
} pli_descriptor_group;

/// The number of groups.
PLI_API int32_t pli_descriptor_group_count(void);
/// Group i, 0..pli_descriptor_group_count() - 1; null when out of range.
PLI_API const pli_descriptor_group *pli_descriptor_group_at(int32_t i);
/// The group with this id; null when there is none, and when `id` is null.
PLI_API const pli_descriptor_group *pli_descriptor_group_find(const char *id);
/// The property of a group with this name; null when there is none, and when an argument is null.
PLI_API const pli_property *pli_descriptor_find(const pli_descriptor_group *group, const char *name);

/// Reads a property of `definition`, a struct of the group's definition type: vectors into values[0..2], all others into
/// values[0]. Choices, booleans and layer bits are numbers.
PLI_API void pli_property_read(const pli_property *property, const void *definition, double values[3]);
/// Writes a property of a definition, unless pli_property_check refuses the values; the definition is then unchanged.
PLI_API pli_status pli_property_write(const pli_property *property, void *definition, const double values[3],
                                      pli_error *error);
/// Checks values against a property's range and kind: INVALID_ARGUMENT with a message that names the property, the value
/// and the range. Values are compared as the definition stores them: a float is compared with the range rounded to
/// float.
PLI_API pli_status pli_property_check(const pli_property *property, const double values[3], pli_error *error);
/// Checks all properties of a definition in order and returns the first error. Booleans have no invalid value.
PLI_API pli_status pli_descriptor_check(const pli_descriptor_group *group, const void *definition, pli_error *error);
/// Whether the conditions on properties of the same definition hold; conditions on other definitions count as true.
PLI_API bool pli_property_applies(const pli_descriptor_group *group, const pli_property *property,
                                  const void *definition);

/// The choices of an enumeration by its name, for those that no property has or several have: "grid_pattern",
/// "measure", "stage", "simd", ... Null when there is no such list, and when `list` is null.
PLI_API const pli_choice *pli_choices_find(const char *list);

/// Writes all groups, choices, constraint types and generators as one JSON text (docs/descriptors.md); free it with
/// pli_text_release. OUT_OF_MEMORY, with `text` null.
PLI_API pli_status pli_descriptors_json(char **text, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
