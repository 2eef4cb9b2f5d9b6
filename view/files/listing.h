// Entries of a folder that can be opened.
#ifndef PLI_VIEW_LISTING_H
#define PLI_VIEW_LISTING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_view_entry {
    char *name;
    bool folder;
} pli_view_entry;

typedef struct pli_view_listing {
    char *folder; // Full path; null before the first reading.
    pli_view_entry *entries;
    int32_t count;
} pli_view_listing;

// Reads a folder: first its subfolders, then the files whose names `opens` accepts, sorted by name; hidden entries are left out. If the
// folder cannot be read, it returns false and the listing is unchanged.
bool pli_view_listing_read(pli_view_listing *listing, const char *folder, bool (*opens)(const char *name));
void pli_view_listing_release(pli_view_listing *listing);

#endif
