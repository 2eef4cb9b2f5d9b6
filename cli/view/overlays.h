// Lines over a picture that show the work of the solver: constraints, contacts and the boxes of the broad phase.
#ifndef PLI_CLI_OVERLAYS_H
#define PLI_CLI_OVERLAYS_H

#include <pliant/pliant.h>
#include <pliant/render.h>

#ifdef __cplusplus
extern "C" {
#endif

// Overlays; each is one bit of a selection.
typedef enum pli_cli_overlay {
    PLI_CLI_OVERLAY_CONSTRAINTS,
    PLI_CLI_OVERLAY_BATCHES,
    PLI_CLI_OVERLAY_CONTACTS,
    PLI_CLI_OVERLAY_THICKNESS,
    PLI_CLI_OVERLAY_BOXES,
    PLI_CLI_OVERLAY_COUNT
} pli_cli_overlay;

// Name of an overlay, for choices; null when out of range.
const char *pli_cli_overlay_name(int32_t i);
// A sentence that describes it; null when out of range.
const char *pli_cli_overlay_summary(int32_t i);
// The overlay of that name, or -1.
int32_t pli_cli_overlay_find(const char *name);

enum { PLI_CLI_KEYS_MOST = 16 };

// Lines and the meanings of their colours.
typedef struct pli_cli_overlays {
    pli_render_line *lines;
    int32_t line_count, line_capacity;
    pli_render_key keys[PLI_CLI_KEYS_MOST];
    char names[PLI_CLI_KEYS_MOST][48]; // Texts that the keys point to.
    int32_t key_count;
    bool failed; // Memory ran out.
} pli_cli_overlays;

// Creates the lines of the overlays whose bits are set in `which`, for the current state of the world. Initialise `overlays` with zeros
// before its first use. False when memory runs out.
bool pli_cli_overlays_make(pli_cli_overlays *overlays, pli_world *world, uint32_t which);
void pli_cli_overlays_release(pli_cli_overlays *overlays);

#ifdef __cplusplus
}
#endif
#endif
