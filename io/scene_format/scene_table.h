// The keys of a scene, as data. The check, the JSON Schema and the reference are made from these.
#ifndef PLI_IO_SCENE_TABLE_H
#define PLI_IO_SCENE_TABLE_H

#include <pliant/scene.h>

typedef enum scene_kind {
    SCENE_NUMBER,
    SCENE_INTEGER,
    SCENE_BOOLEAN,
    SCENE_TEXT,
    SCENE_CHOICE,     // One of `choices`.
    SCENE_VECTOR,     // `length` numbers.
    SCENE_INTEGERS,   // Any number of whole numbers.
    SCENE_TEXTS,      // Any number of texts, of `choices` when given.
    SCENE_PAIRS,      // [[time, value], ...], times ascending.
    SCENE_OBJECT,     // With the keys of `inner`.
    SCENE_LIST,       // Of such objects.
    SCENE_CONSTRAINTS // List of constraint sets, whose keys depend on their type.
} scene_kind;

typedef struct scene_table scene_table;

typedef struct scene_key {
    const char *name;
    scene_kind kind;
    const char *summary;
    const char *unit;        // "" or null for none.
    double minimum, maximum; // Of each number.
    const char *initial;     // The default as JSON; null when there is none.
    bool required;
    int length;
    const char *const *choices; // Ended by null.
    const scene_table *inner;
} scene_key;

struct scene_table {
    const char *title; // For the reference, such as "deformables[]".
    const char *summary;
    const scene_key *keys;
    int count;
};

extern const scene_table scene_root;

// The keys that every constraint set has beside its type's parameters.
extern const scene_table scene_constraint;

// Choices made from the library's own tables; ended by null. Valid until the next call for the same list.
#define SCENE_NAMES_MAX 64
int scene_type_names(const char *names[SCENE_NAMES_MAX]);
int scene_generator_names(const char *names[SCENE_NAMES_MAX]);

const scene_key *scene_find_key(const scene_table *table, const char *name);

#endif
