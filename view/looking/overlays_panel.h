// Selection of the overlays that the picture shows.
#ifndef PLI_VIEW_OVERLAYS_PANEL_H
#define PLI_VIEW_OVERLAYS_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A check box for each pli_cli_overlay, as a bit of `which`. Returns whether the bits changed.
bool pli_overlays_panel(uint32_t *which);

#ifdef __cplusplus
}
#endif
#endif
