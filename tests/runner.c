// `main` of a test program of several files: runs the named files, or all. Each file is compiled with another name
// for its own `main`. TEST_LIST lists them: TEST(test_hulls) TEST(test_planes).
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_of_##name(void);
#include TEST_LIST
#undef TEST
#define TEST(name) {#name, main_of_##name},

static const struct {
    const char *name;
    int (*run)(void);
} files[] = {
#include TEST_LIST
};

enum { FILE_COUNT = sizeof files / sizeof *files };

static int run(const char *name)
{
    int failures = 0, found = 0;
    for (int i = 0; i < FILE_COUNT; i++)
        if (!name || strcmp(files[i].name, name) == 0) {
            failures += files[i].run() != 0;
            found = 1;
        }
    if (found)
        return failures;
    fprintf(stderr, "no file of this program is called '%s'; there are\n", name);
    for (int i = 0; i < FILE_COUNT; i++)
        fprintf(stderr, "  %s\n", files[i].name);
    return 1;
}

int main(int count, char **words)
{
    int failures = count > 1 ? 0 : run(NULL);
    for (int i = 1; i < count; i++)
        failures += run(words[i]);
    return failures > 0;
}
