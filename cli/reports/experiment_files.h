// Runs of `pliant experiment` and the files that it writes: reports, data, verdicts, and a page over all of them.
#ifndef PLI_CLI_EXPERIMENT_FILES_H
#define PLI_CLI_EXPERIMENT_FILES_H

#include <lab/lab.h>

#include <jansson.h>

typedef struct pli_cli_experiment_run {
    const lab_experiment *experiment;
    lab *lab;
    double seconds;
    bool quick;
} pli_cli_experiment_run;

// How an experiment or a check of validation is run.
typedef struct pli_cli_experiment_how {
    const char *folder; // Where reports go,
    const char *below;  // in this folder there, and a folder of the experiment's name below that.
    const char *hold;   // Words for those of its claims that hold, such as "claims hold".
    pli_status (*write)(const pli_cli_experiment_run *run, const char *folder, pli_error *error);
    const char *scenes; // Folder of the shipped scenes; NULL: here or in the sources.
    bool quick, quiet;
} pli_cli_experiment_how;

// Runs it, with its progress on stderr, and writes its report. `run` is to be destroyed by lab_destroy in any case.
pli_status pli_cli_experiment_run_one(const lab_experiment *experiment, const pli_cli_experiment_how *how,
                                      pli_cli_experiment_run *run, pli_error *error);
// Number of claims that hold.
int32_t pli_cli_experiment_holding(const pli_cli_experiment_run *run);
// Verdict as JSON: claim, paper's figure, ours, holds or not. The caller owns it.
json_t *pli_cli_experiment_verdict(const pli_cli_experiment_run *run);
// Writes the files of the report, data and plots, into the folder.
pli_status pli_cli_experiment_write_files(const pli_cli_experiment_run *run, const char *folder, pli_error *error);
// Writes report.md, verdict.json and the files of the report into the folder, each through a temporary name.
pli_status pli_cli_experiment_write(const pli_cli_experiment_run *run, const char *folder, pli_error *error);
// Writes experiments.md, the page of all runs, into the folder; their files are in experiments/NAME beside it.
pli_status pli_cli_experiment_page(const pli_cli_experiment_run *runs, int32_t count, const char *folder,
                                   pli_error *error);

#endif
