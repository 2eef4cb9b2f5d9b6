#define _POSIX_C_SOURCE 200809L
// Files that are generated from the scene tables and committed must be fresh. PLIANT_UPDATE=1 writes them anew.
#include <pliant/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *path_of(const char *name)
{
    const char *root = getenv("PLIANT_SOURCE_DIR");
    char *path = malloc(4096);
    snprintf(path, 4096, "%s/%s", root ? root : ".", name);
    return path;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (file) {
        size_t size = fread(text, 1, (1 << 20) - 1, file);
        text[size] = '\0';
        fclose(file);
    }
    return text;
}

static void compare(const char *name, const char *expected)
{
    char *path = path_of(name);
    if (getenv("PLIANT_UPDATE")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(expected, file);
        fclose(file);
    }
    char *found = read_text(path);
    if (strcmp(found, expected) != 0)
        fail_msg("%s is not what the tables say; run this test with PLIANT_UPDATE=1", name);
    free(found);
    free(path);
}

static void the_reference_is_fresh(void **state)
{
    (void)state;
    char *path = path_of("docs/scene-format.md"), *page = read_text(path), *reference = pli_scene_reference();
    char *mark = strstr(page, "## Reference\n");
    assert_non_null(mark);
    size_t head = (size_t)(mark - page) + strlen("## Reference\n");
    char *expected = calloc(1, head + strlen(reference) + 2);
    memcpy(expected, page, head);
    strcat(expected, "\n");
    strcat(expected, reference);
    compare("docs/scene-format.md", expected);
    free(expected);
    pli_text_release(reference);
    free(page);
    free(path);
}

static void print_type(FILE *out, const pli_constraint_type *type)
{
    fprintf(out, "## `%s`\n\n%s\n\n- **Formula**: %s\n- **Source**: %s\n- **Unit of C**: %s\n", type->name,
            type->summary, type->formula, type->source, type->unit);
    if (type->cardinality > 0)
        fprintf(out, "- **Particles**: %d\n", (int)type->cardinality);
    else
        fputs("- **Particles**: any number\n", out);
    fprintf(
        out,
        "- **Generator**: %s\n\n| parameter | unit | range | default | meaning |\n| --- | --- | --- | --- | --- |\n",
        type->generator ? type->generator : "none; made by attachments");
    const pli_property *p;
    for (int32_t i = 0; (p = pli_constraint_type_parameter(type, i)); i++) {
        char unit[60];
        fprintf(out, "| `%s` | %s | ", p->name, pli_constraint_type_parameter_unit(type, p, unit, sizeof unit));
        for (int c = 0; p->choices && p->choices[c].name; c++)
            fprintf(out, "%s`%s`", c ? ", " : "", p->choices[c].name);
        if (!p->choices && p->maximum < 1e29)
            fprintf(out, "%g to %g", p->minimum, p->maximum);
        else if (!p->choices)
            fprintf(out, "%g or more", p->minimum);
        if (p->choices)
            fprintf(out, " | `%s` | %s |\n", p->choices[(int)p->initial].name, p->summary);
        else
            fprintf(out, " | %g | %s |\n", p->initial, p->summary);
    }
    fputc('\n', out);
}

static void the_constraints_page_is_fresh(void **state)
{
    (void)state;
    char *text = calloc(1, 1 << 18);
    FILE *out = fmemopen(text, 1 << 18, "w");
    fputs("# Constraints\n\nMade from the table of types; `pliant models NAME` prints the same.\n\n", out);
    for (int32_t i = 0; i < pli_constraint_type_count(); i++)
        print_type(out, pli_constraint_type_at(i));
    fputs("# Generators\n\n| generator | makes | source |\n| --- | --- | --- |\n", out);
    for (int32_t i = 0; i < pli_generator_count(); i++)
        fprintf(out, "| `%s` | %s | %s |\n", pli_generator_at(i)->name, pli_generator_at(i)->summary,
                pli_generator_at(i)->source);
    fclose(out);
    compare("docs/constraints.md", text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_fresh),
        cmocka_unit_test(the_constraints_page_is_fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
