// Runs of experiments and of checks of validation, with their progress on stderr.
#ifndef PLI_LAB_EXPERIMENT_RUN_H
#define PLI_LAB_EXPERIMENT_RUN_H

#include "frame/options.h"
#include "reports/experiment_files.h"

// The option of experiments and checks for the folder of scenes, as a row of a command's table.
#define PLI_CLI_OPTION_SCENES                                                                                          \
    {                                                                                                                  \
        .name = "scenes", .kind = PLI_CLI_FOLDER, .value = "DIR",                                                      \
        .summary =                                                                                                     \
            "Where the shipped scenes and meshes are (default: scenes here, or those that came with the program)"      \
    }

// How an experiment or a check of validation is run.
typedef struct pli_lab_experiment_how {
    const char *folder; // Folder of the reports,
    const char *below;  // the subfolder in it, which has one folder per experiment.
    const char *hold;   // Phrase for claims that hold, such as "claims hold".
    const char *kind;   // Word for one run: "experiment", "check".
    pli_status (*write)(const pli_lab_experiment_run *run, const char *folder, pli_error *error);
    // Table of all experiments, writer of the page of all runs, and printer of the results on stdout.
    int32_t count;
    const lab_experiment *(*at)(int32_t i);
    pli_status (*page)(const pli_lab_experiment_run *runs, int32_t count, const char *folder, pli_error *error);
    pli_cli_exit (*print)(const pli_cli_arguments *arguments, const pli_lab_experiment_run *runs, int32_t count,
                          const char *folder);
    const char *scenes; // Folder of the scenes; NULL: ./scenes if it has meshes, else the shipped scenes.
    bool quick, quiet;
} pli_lab_experiment_how;

// Runs it, with its progress on stderr, and writes its report. The caller must destroy `run` with lab_destroy in any case.
pli_status pli_lab_experiment_run_one(const lab_experiment *experiment, const pli_lab_experiment_how *how,
                                      pli_lab_experiment_run *run, pli_error *error);
// Runs one, or all if `only` is null, writes the page of all runs, and prints the results. Ctrl-C stops; reports that were written
// before are complete.
pli_cli_exit pli_lab_experiment_run_all(const pli_cli_arguments *arguments, const pli_lab_experiment_how *how,
                                        const lab_experiment *only);

#endif
