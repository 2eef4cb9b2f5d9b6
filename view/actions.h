// The table of actions: each row can be done by a menu, a key or a line of a script.
#ifndef PLI_VIEW_ACTIONS_H
#define PLI_VIEW_ACTIONS_H

#include "viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_view_action {
    const char *menu, *label; // Where it stands.
    const char *shortcut;     // As the menu shows it; null for none.
    int key, modifiers;       // GLFW's; 0 for none.
    void (*run)(pli_viewer *viewer);
    bool (*is_on)(const pli_viewer *viewer); // For what can be on and off; null for others.
    bool begins_group;                       // A line stands above it.
} pli_view_action;

int32_t pli_view_action_count(void);
const pli_view_action *pli_view_action_at(int32_t i);
// By its label; null when there is none.
const pli_view_action *pli_view_action_find(const char *label);
// Runs what a key stands for; false when it stands for nothing.
bool pli_view_action_key(pli_viewer *viewer, int key, int modifiers);

#ifdef __cplusplus
}
#endif
#endif
