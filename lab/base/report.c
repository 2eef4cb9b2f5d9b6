// The lab of an experiment: memory, report, claims, files, and the first failure.
#include "base/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept {
    void *thing;
    void (*destroy)(void *thing);
} kept;

struct lab {
    const lab_host *host;
    pli_status status;
    pli_error error;
    pli_text report;
    lab_claim *claims;
    int32_t claim_count;
    lab_file *files; // Files of the report; their content is taken from the texts at the end.
    pli_text **texts;
    int32_t file_count;
    kept *kept;
    int32_t kept_count;
};

bool lab_ok(const lab *l) { return l->status == PLI_STATUS_OK; }

void lab_note(lab *l, pli_status status, const pli_error *error)
{
    if (status == PLI_STATUS_OK || l->status != PLI_STATUS_OK)
        return;
    l->status = status;
    l->error = *error;
}

bool lab_is_quick(const lab *l) { return l->host->quick; }

int32_t lab_long_or_quick(const lab *l, int32_t in_full, int32_t when_quick)
{
    return l->host->quick ? when_quick : in_full;
}

void lab_heed_cancel(lab *l)
{
    if (lab_ok(l) && l->host->cancelled && l->host->cancelled()) {
        pli_error error;
        lab_note(l, pli_fail(&error, PLI_STATUS_CANCELLED, "stopped"), &error);
    }
}

void lab_progress(lab *l, double share)
{
    if (l->host->progress)
        l->host->progress(l->host->user, share);
    lab_heed_cancel(l);
}

const char *lab_folder(const lab *l) { return l->host->folder; }

const char *lab_scene_path(lab *l, const char *name) { return lab_format(l, "%s/%s", l->host->scenes, name); }

static char *format_into(lab *l, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    size_t size = (size_t)(length > 0 ? length : 0) + 1;
    char *text = lab_memory(l, size, 1);
    vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

const char *lab_format(lab *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_into(l, format, arguments);
    va_end(arguments);
    return text;
}

void lab_say(lab *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int32_t mark = lab_mark(l);
    pli_text_add(&l->report, "%s", format_into(l, format, arguments));
    lab_release_to(l, mark);
    va_end(arguments);
}

void lab_claim_add(lab *l, lab_claim claim)
{
    l->claims = lab_grow(l->claims, (size_t)l->claim_count + 1, sizeof *l->claims);
    l->claims[l->claim_count++] = claim;
}

void lab_row_near(lab *l, const char *row, double exact, double ours, const char *unit, double bar, const char *why)
{
    lab_claim_add(l, (lab_claim){row, "", exact, ours, unit, LAB_NEAR, bar, why});
}

void lab_row_at_most(lab *l, const char *row, double ours, const char *unit, double bar, const char *why)
{
    lab_claim_add(l, (lab_claim){row, "", NAN, ours, unit, LAB_AT_MOST, bar, why});
}

void lab_row_at_least(lab *l, const char *row, double ours, const char *unit, double bar, const char *why)
{
    lab_claim_add(l, (lab_claim){row, "", NAN, ours, unit, LAB_AT_LEAST, bar, why});
}

bool lab_claim_holds(const lab_claim *claim)
{
    switch (claim->rule) {
    case LAB_AT_LEAST:
        return claim->ours >= claim->limit;
    case LAB_AT_MOST:
        return claim->ours <= claim->limit;
    case LAB_NEAR:
        return fabs(claim->ours - claim->figure) <= claim->limit * fabs(claim->figure);
    }
    return false;
}

pli_text *lab_file_add(lab *l, const char *name)
{
    size_t count = (size_t)l->file_count + 1;
    l->files = lab_grow(l->files, count, sizeof *l->files);
    l->texts = lab_grow(l->texts, count, sizeof *l->texts);
    size_t length = strlen(name) + 1;
    l->files[l->file_count] = (lab_file){memcpy(lab_grow(NULL, length, 1), name, length), NULL};
    l->texts[l->file_count] = lab_grow(NULL, 1, sizeof **l->texts);
    *l->texts[l->file_count] = (pli_text){0};
    return l->texts[l->file_count++];
}

void *lab_memory(lab *l, size_t count, size_t size)
{
    void *memory = lab_grow(NULL, count, size);
    memset(memory, 0, count * size + 1);
    lab_keep(l, memory, free);
    return memory;
}

void lab_keep(lab *l, void *thing, void (*destroy)(void *thing))
{
    if (!thing)
        return;
    l->kept = lab_grow(l->kept, (size_t)l->kept_count + 1, sizeof *l->kept);
    l->kept[l->kept_count++] = (kept){thing, destroy};
}

int32_t lab_mark(const lab *l) { return l->kept_count; }

void lab_release_to(lab *l, int32_t mark)
{
    while (l->kept_count > mark) {
        kept *last = &l->kept[--l->kept_count];
        last->destroy(last->thing);
    }
}

pli_status lab_run(const lab_experiment *experiment, const lab_host *host, lab **out, pli_error *error)
{
    lab *l = lab_grow(NULL, 1, sizeof *l);
    *l = (lab){.host = host};
    *out = l;
    lab_progress(l, 0.0);
    if (lab_ok(l))
        experiment->run(l);
    lab_progress(l, 1.0);
    for (int32_t i = 0; i < l->file_count; i++)
        l->files[i].content = l->texts[i]->characters ? l->texts[i]->characters : "";
    if (lab_ok(l))
        return pli_succeed(error);
    return pli_fail(error, l->status, "%s", l->error.message);
}

lab_result lab_result_of(const lab *l)
{
    return (lab_result){l->report.characters ? l->report.characters : "", l->claims, l->claim_count, l->files,
                        l->file_count};
}

void lab_destroy(lab *l)
{
    if (!l)
        return;
    lab_release_to(l, 0);
    for (int32_t i = 0; i < l->file_count; i++) {
        pli_text_free(l->texts[i]);
        free(l->texts[i]);
        free(l->files[i].name);
    }
    pli_text_free(&l->report);
    free(l->claims);
    free(l->files);
    free(l->texts);
    free(l->kept);
    free(l);
}
