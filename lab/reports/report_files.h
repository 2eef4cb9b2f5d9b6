// Parts of reports on experiments and validation: numbers, rules, files, and links in a text that is shown in another folder.
#ifndef PLI_LAB_REPORT_FILES_H
#define PLI_LAB_REPORT_FILES_H

#include "base/lab.h"

#include <jansson.h>
#include <stdio.h>

// "at least", "at most", "within".
const char *pli_lab_report_rule_name(lab_rule rule);
// Prints a value with its unit, or a dash if there is none.
void pli_lab_report_number(FILE *out, double value, const char *unit);
void pli_lab_report_rule(FILE *out, const lab_claim *claim);
// Prints the report's text, with `folder` prepended to the paths of its pictures.
void pli_lab_report_text(FILE *out, const char *text, const char *folder);
// Writes a file into the folder, through a temporary name.
pli_status pli_lab_report_write(const char *folder, const char *name, const char *content, pli_error *error);
// Closes a stream that was opened by open_memstream, writes its content as a file, and frees it.
pli_status pli_lab_report_finish(const char *folder, const char *name, FILE *out, char **content, pli_error *error);
// Writes the object as a file and releases the reference.
pli_status pli_lab_report_write_json(const char *folder, const char *name, json_t *object, pli_error *error);

#endif
