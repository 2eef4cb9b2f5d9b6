// Experiments: each runs a table or figure of a paper and says whether its claims hold.
//
// One file per experiment, one line each in table.c. An experiment gets a lab: it makes worlds
// through it (world.h), writes its report, data, plots and pictures into it (report.h, plot.h,
// picture.h), and states claims with what was measured. The verdict is computed from the numbers.
//
// The first failure (or Ctrl-C) stays in the lab: later calls do nothing and lab_ok() is false, so
// that experiments read as straight text. Nothing of an unfinished experiment is kept but pictures.
#ifndef PLI_LAB_H
#define PLI_LAB_H

#include <pliant/base.h>

typedef struct lab lab;

// One row of the table.
typedef struct lab_experiment {
    const char *name; // Such as "kelager-table1".
    const char *title;
    const char *source; // Paper and place in it.
    void (*run)(lab *l);
} lab_experiment;

int32_t lab_experiment_count(void);
// Null when out of range.
const lab_experiment *lab_experiment_at(int32_t i);

// What an experiment is run with.
typedef struct lab_host {
    const char *folder; // Exists; pictures go here.
    const char *scenes; // Folder of the shipped scenes and meshes.
    bool quick;         // The short version that CI runs: smaller, without pictures.
    bool (*cancelled)(void);
    void (*progress)(void *user, double share); // 0 to 1.
    void *user;
} lab_host;

// When a claim holds.
typedef enum lab_rule {
    LAB_AT_LEAST, // ours >= limit
    LAB_AT_MOST,  // ours <= limit
    LAB_NEAR      // |ours - figure| <= limit * |figure|
} lab_rule;

// A claim, what the paper shows for it, and what we found.
typedef struct lab_claim {
    const char *claim; // One sentence.
    const char *paper; // What the paper says, in words.
    double figure;     // The paper's number; NAN when it gives none.
    double ours;       // What was measured.
    const char *unit;  // "" for none.
    lab_rule rule;
    double limit;
    const char *why; // Why ours differs, where the claim does not hold; else null.
} lab_claim;

bool lab_claim_holds(const lab_claim *claim);

// A finished text file of the report: data, a plot, or the report itself.
typedef struct lab_file {
    char *name; // Inside the folder.
    const char *content;
} lab_file;

// What an experiment leaves. Borrowed from the lab.
typedef struct lab_result {
    const char *report; // Markdown, pictures named relative to the folder.
    const lab_claim *claims;
    int32_t claim_count;
    const lab_file *files;
    int32_t file_count;
} lab_result;

// Runs an experiment. CANCELLED after Ctrl-C. The caller destroys the lab in any case.
pli_status lab_run(const lab_experiment *experiment, const lab_host *host, lab **l, pli_error *error);
lab_result lab_result_of(const lab *l);
void lab_destroy(lab *l);

#endif
