// Experiments: each runs a table or figure of a paper and says whether its claims hold. Checks of validation are
// experiments too: each holds what the engine does against closed forms.
//
// One file per experiment, and one line each in experiment_table.c, for checks in validation_table.c. An experiment gets a lab: it creates worlds
// through it (lab_world.h), writes its report, data, plots and pictures into it (report.h, plots.h,
// lab_pictures.h), and states claims with measured values. The verdict is computed from the numbers.
//
// The first failure (or Ctrl-C) stays in the lab: later calls do nothing and lab_ok() is false, so
// that experiments read as straight text. Of an unfinished experiment only pictures are kept.
#ifndef PLI_LAB_H
#define PLI_LAB_H

#include <pliant/base.h>

typedef struct lab lab;

// One row of the table.
typedef struct lab_experiment {
    const char *name; // Name such as "kelager-table1".
    const char *title;
    const char *source; // Paper and place in it.
    void (*run)(lab *l);
} lab_experiment;

// Options of an experiment.
typedef struct lab_host {
    const char *folder; // Existing folder of the pictures.
    const char *scenes; // Folder of the shipped scenes and meshes.
    bool quick;         // The short version that CI runs: smaller, without pictures.
    bool (*cancelled)(void);
    void (*progress)(void *user, double share); // `share` is the part done, 0 to 1.
    void *user;
} lab_host;

// Rule by which a claim holds.
typedef enum lab_rule {
    LAB_AT_LEAST, // ours >= limit
    LAB_AT_MOST,  // ours <= limit
    LAB_NEAR      // |ours - figure| <= limit * |figure|
} lab_rule;

// A claim with the paper's figure and our measurement.
typedef struct lab_claim {
    const char *claim; // One sentence.
    const char *paper; // The paper's statement, in words.
    double figure;     // The paper's number; NAN when it gives none.
    double ours;       // Measured value.
    const char *unit;  // "" for none.
    lab_rule rule;
    double limit;
    // Reason why ours differs, if the claim does not hold; otherwise NULL. A check of validation gives one for what is
    // known not to hold, and for nothing else.
    const char *why;
} lab_claim;

// A finished text file of the report: data, a plot, or the report itself.
typedef struct lab_file {
    char *name; // Name within the folder.
    const char *content;
} lab_file;

// Results of an experiment. Borrowed from the lab.
typedef struct lab_result {
    const char *report; // Markdown, pictures named relative to the folder.
    const lab_claim *claims;
    int32_t claim_count;
    const lab_file *files;
    int32_t file_count;
} lab_result;

#endif
