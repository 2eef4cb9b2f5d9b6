// What can be opened in a folder.
#ifndef PLI_VIEW_LISTING_H
#define PLI_VIEW_LISTING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_view_entry {
    char *name;
    bool folder;
} pli_view_entry;

typedef struct pli_view_listing {
    char *folder; // Whole path; null before the first one.
    pli_view_entry *entries;
    int32_t count;
} pli_view_listing;

// Reads a folder's folders, then the files whose names `opens` takes, sorted by name; hidden ones are left out. False, with the listing as it was, where it cannot
// be read.
bool pli_view_listing_read(pli_view_listing *listing, const char *folder, bool (*opens)(const char *name));
void pli_view_listing_release(pli_view_listing *listing);

#endif
