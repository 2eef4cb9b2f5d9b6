// Runs a fuzzer's function once on each file of the given folders: inputs that failed once stay fixed, in every build
// and without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_MAX_READ = 1 << 20 };

static int replay(const char *path)
{
    static uint8_t data[SIZE_MAX_READ];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 0;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    // In memory of its own size, so that a read behind the end is seen by sanitizers.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return 0;
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    printf("%s: %zu bytes\n", path, size);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

int main(int argc, char **argv)
{
    int count = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            char path[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (replay(path))
                count++;
            else
                failed++;
        }
        if (folder)
            closedir(folder);
    }
    printf("%d inputs\n", count);
    return count == 0 || failed > 0;
}
