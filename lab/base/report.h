// A run of an experiment, and its output: report, claims and data.
#ifndef PLI_LAB_REPORT_H
#define PLI_LAB_REPORT_H

#include "base/lab.h"
#include "base/lab_memory.h"

#include "support/text_buffer.h"

// Runs an experiment. CANCELLED after Ctrl-C. The caller destroys the lab in any case.
pli_status lab_run(const lab_experiment *experiment, const lab_host *host, lab **l, pli_error *error);
lab_result lab_result_of(const lab *l);
void lab_destroy(lab *l);
bool lab_claim_holds(const lab_claim *claim);

// False after the first failure.
bool lab_ok(const lab *l);
// Keeps the first failure.
void lab_note(lab *l, pli_status status, const pli_error *error);
bool lab_is_quick(const lab *l);
// Selects the number of the long or the short version.
int32_t lab_long_or_quick(const lab *l, int32_t in_full, int32_t when_quick);
// Reports progress, and checks for Ctrl-C.
void lab_progress(lab *l, double share);
// Ends the experiment where its host has cancelled it. Steps and progress do so.
void lab_heed_cancel(lab *l);
// Folder of the pictures.
const char *lab_folder(const lab *l);
// Path of a file below the shipped scenes' folder, such as "meshes/bunny.obj". Lives as long as the lab.
const char *lab_scene_path(lab *l, const char *name);

// Adds Markdown to the report.
void lab_say(lab *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
// States a claim with its measured value; `why` and all texts must outlive the lab.
void lab_claim_add(lab *l, lab_claim claim);
// States a row of a check of validation: the measured value is to be within `bar` of the closed form, as a share of it,
// or at most or at least `bar`. `why` is NULL, or the reason why the row is known to miss. The row's name must outlive the lab.
void lab_row_near(lab *l, const char *row, double exact, double ours, const char *unit, double bar, const char *why);
void lab_row_at_most(lab *l, const char *row, double ours, const char *unit, double bar, const char *why);
void lab_row_at_least(lab *l, const char *row, double ours, const char *unit, double bar, const char *why);
// Adds a file to the report; fill it with pli_text_add.
pli_text *lab_file_add(lab *l, const char *name);

// Zeroed memory that the lab frees; never NULL.
void *lab_memory(lab *l, size_t count, size_t size);
// Lets the lab call destroy(thing) at its end, last registered first. NULL is allowed.
void lab_keep(lab *l, void *thing, void (*destroy)(void *thing));
// Destroys everything registered since the mark, and frees memory allocated since.
int32_t lab_mark(const lab *l);
void lab_release_to(lab *l, int32_t mark);
// printf into memory of the lab.
const char *lab_format(lab *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
