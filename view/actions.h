// The table of actions: each row can be run from a menu, a key or a line of a script.
#ifndef PLI_VIEW_ACTIONS_H
#define PLI_VIEW_ACTIONS_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_view_action {
    const char *menu, *label; // Menu that contains it, and its label.
    const char *shortcut;     // Text in the menu; null for none.
    int key, modifiers;       // GLFW codes; 0 for none.
    void (*run)(pli_viewer *viewer);
    bool (*is_on)(const pli_viewer *viewer);   // State of an action that toggles; null for others.
    bool (*applies)(const pli_viewer *viewer); // Whether it can be run now; null for always.
    bool begins_group;                         // The menu has a separator above it.
} pli_view_action;

int32_t pli_view_action_count(void);
const pli_view_action *pli_view_action_at(int32_t i);
// By its label; null when there is none.
const pli_view_action *pli_view_action_find(const char *label);
bool pli_view_action_applies(const pli_view_action *action, const pli_viewer *viewer);
// Runs the action of a key; false when the key has none.
bool pli_view_action_key(pli_viewer *viewer, int key, int modifiers);
// The same for a key by its name, such as "Shift+X" or "Backspace".
bool pli_view_action_named_key(pli_viewer *viewer, const char *name);

#ifdef __cplusplus
}
#endif
#endif
