// Dear ImGui in a GLFW window.
#ifndef PLI_VIEW_GUI_H
#define PLI_VIEW_GUI_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLI_GUI_FONT = 14 }; // Height of letters on a plain screen [pixels].

struct GLFWwindow;

// Chains to the callbacks that the window has.
void pli_gui_open(struct GLFWwindow *window);
void pli_gui_close(void);
// Letters and sizes for a display's scale, in dark or light colours; costs nothing where both are as before.
void pli_gui_look(float scale, bool light);
void pli_gui_begin(void);
// The same with a pointer at a point [pixels], in place of the mouse.
void pli_gui_begin_at(float x, float y, bool pressed);
void pli_gui_end(void);
// Whether a panel takes what the pointer or the keys do.
bool pli_gui_wants_pointer(void);
bool pli_gui_wants_keys(void);

#ifdef __cplusplus
}
#endif
#endif
