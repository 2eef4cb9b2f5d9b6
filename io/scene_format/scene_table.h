// The keys of a scene, as data. The check, the JSON Schema and the reference are made from these.
#ifndef PLI_IO_SCENE_TABLE_H
#define PLI_IO_SCENE_TABLE_H

#include <pliant/descriptor.h>
#include <pliant/scene.h>

typedef enum scene_kind {
    SCENE_NUMBER,
    SCENE_INTEGER,
    SCENE_BOOLEAN,
    SCENE_TEXT,
    SCENE_CHOICE,      // One of the choices.
    SCENE_VECTOR,      // `length` numbers.
    SCENE_INTEGERS,    // Any number of integers.
    SCENE_NUMBERS,     // Any number of numbers.
    SCENE_TEXTS,       // Any number of texts, restricted to the choices if given.
    SCENE_PAIRS,       // [[time, value], ...], times ascending.
    SCENE_OBJECT,      // An object with the keys of `inner`.
    SCENE_LIST,        // A list of such objects.
    SCENE_CONSTRAINTS, // List of constraint sets, whose keys depend on their type.
    SCENE_PROPERTY     // Whatever the property of that name in `group` is: see scene_key_full.
} scene_kind;

typedef struct scene_table scene_table;

typedef struct scene_key {
    // Null: the key stands for all properties of `group` that have no key of their own, or for all painted attributes.
    const char *name;
    scene_kind kind;
    const char *summary;     // One full sentence.
    const char *unit;        // "" or null for none.
    double minimum, maximum; // Valid range of each number, ends included.
    const char *initial;     // The default as JSON; null when there is none, or when the property has it.
    bool required;
    int length;
    const char *const *choices; // Terminated by null. Alternatively:
    const char *list;           // a list of the library's choices, by its name.
    const scene_table *inner;
    const char *brief;                 // Key of `inner` that a text sets, instead of an object; or null.
    int (*names)(const char *names[]); // Fills in the choices if the library has its own table of them.
    const char *group;                 // Group of descriptors, for SCENE_PROPERTY.
    const char *note;             // Text that scenes add to the property's summary, such as a default of their own.
    const pli_property *property; // Found by scene_key_full.
} scene_key;

struct scene_table {
    const char *title;   // For the reference, such as "deformables[]".
    const char *summary; // Null: the summary of the group.
    const scene_key *keys;
    int count;
    const char *group; // Group of descriptors; or null.
};

extern const scene_table scene_root;

// The keys that every constraint set has in addition to the parameters of its type.
extern const scene_table scene_constraint;

const char *scene_table_summary(const scene_table *table);
// Writes the keys of a table, all with names, and returns their number.
#define SCENE_KEYS_MAX 64
int scene_table_keys(const scene_table *table, scene_key keys[SCENE_KEYS_MAX]);
// Returns the key, completed from the library's descriptors; its kind is then never SCENE_PROPERTY.
scene_key scene_key_full(const scene_key *key);
// Writes the default of a full key as JSON. False when it has none.
#define SCENE_DEFAULT_SIZE 80
bool scene_key_default(const scene_key *key, char text[SCENE_DEFAULT_SIZE]);

// Choices from the library's own tables; terminated by null. Valid until the next call for the same list.
#define SCENE_NAMES_MAX 64
int scene_type_names(const char *names[SCENE_NAMES_MAX]);
int scene_generator_names(const char *names[SCENE_NAMES_MAX]);
int scene_material_names(const char *names[SCENE_NAMES_MAX]);
// Names of choices, and of the choices of a full key; terminated by null. Both return their number.
int scene_choice_names(const pli_choice *choices, const char *names[SCENE_NAMES_MAX]);
int scene_key_choices(const scene_key *key, const char *names[SCENE_NAMES_MAX]);

// The entry with this name; null when there is none. Entries without a name are not searched.
const scene_key *scene_find_key(const scene_table *table, const char *name);

#endif
