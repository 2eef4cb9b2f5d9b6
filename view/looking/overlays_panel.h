// Which overlays the picture shows.
#ifndef PLI_VIEW_OVERLAYS_PANEL_H
#define PLI_VIEW_OVERLAYS_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A box to tick for each pli_cli_overlay, whose bits `which` has. Returns whether they changed.
bool pli_overlays_panel(uint32_t *which);

#ifdef __cplusplus
}
#endif
#endif
