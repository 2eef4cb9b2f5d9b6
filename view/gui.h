// Dear ImGui in a GLFW window.
#ifndef PLI_VIEW_GUI_H
#define PLI_VIEW_GUI_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_GUI_FONT = 14 }; // Font size on an unscaled display [pixels].

struct GLFWwindow;

// Calls the window's previous callbacks in addition to its own.
void pli_gui_open(struct GLFWwindow *window);
void pli_gui_close(void);
// Sets fonts and sizes for a display's scale, in dark or light colours; costs nothing if neither changes.
void pli_gui_look(float scale, bool light);
void pli_gui_begin(void);
// The same with a pointer at a given point [pixels], instead of the mouse.
void pli_gui_begin_at(float x, float y, bool pressed);
void pli_gui_end(void);
// Whether a panel consumes the events of the pointer or of the keys.
bool pli_gui_wants_pointer(void);
bool pli_gui_wants_keys(void);

#ifdef __cplusplus
}
#endif
#endif
