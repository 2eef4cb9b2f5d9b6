// pliant-lab slurm: the script of a job array that runs the points of a study on a cluster.
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "sweep/points.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTION_OUTPUT, OPTION_PLUGIN };

// Slurm restarts a job that was preempted or whose node failed; the job resumes from its checkpoint.
static void print_script(const pli_cli_study *study, const char *path, const char *folder)
{
    char *name = pli_cli_stem(path);
    pli_text quoted = {0};
    pli_cli_name_clean(name);
    pli_cli_point_quote(&quoted, path);
    if (folder) {
        pli_text_add(&quoted, " --output ");
        pli_cli_point_quote(&quoted, folder);
    }
    for (int32_t i = 0; i < study->plugins.count; i++) {
        pli_text_add(&quoted, " --plugin ");
        pli_cli_point_quote(&quoted, study->plugins.paths[i]);
    }
    printf("#!/bin/bash\n"
           "#SBATCH --job-name=%s\n"
           "#SBATCH --array=0-%d\n"
           "#SBATCH --cpus-per-task=1\n"
           "#SBATCH --requeue\n"
           "#SBATCH --open-mode=append\n"
           "#SBATCH --output=/dev/null\n"
           "exec pliant sweep %s --point \"$SLURM_ARRAY_TASK_ID\" --quiet\n",
           name, (int)study->point_count - 1, quoted.characters);
    pli_text_free(&quoted);
    free(name);
}

static pli_cli_exit run_slurm(const pli_cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    pli_cli_plugins plugins;
    pli_cli_study study;
    pli_error error;
    pli_cli_exit code = pli_cli_plugins_open(arguments, OPTION_PLUGIN, &plugins);
    if (code != PLI_CLI_DONE)
        return code;
    if (pli_cli_study_read(path, &study, &error) == PLI_STATUS_OK) {
        study.plugins = plugins;
        print_script(&study, path, pli_cli_text(arguments, OPTION_OUTPUT));
    } else {
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    }
    pli_cli_study_release(&study);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "STUDY.json", .summary = "A study, as for `pliant sweep`", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FOLDER,
                       .value = "DIR",
                       .summary = "Folder of the results (default: as for `pliant sweep`)"},
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
};

static const pli_cli_example examples[] = {
    {"pliant-lab slurm study.json | sbatch", "Run a study on a cluster; then `pliant sweep table study.json`"},
};

const pli_cli_command pli_lab_row_slurm = {
    .name = "slurm",
    .summary = "Print a job array for Slurm that runs the points of a study",
    .description =
        "Prints a script for sbatch: one job for each point of a study, which runs `pliant sweep --point`. A "
        "job that is preempted is requeued and resumes from its checkpoint.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_slurm,
};
