// base: memory, sorting, hashing, poses, tasks.
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/nearest_name.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "base/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t random_state = 12345;

static uint32_t next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state;
}

static void memory_is_zeroed_aligned_and_counted(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    unsigned char *block = pli_allocate(&memory, 100, 3);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % PLI_ALIGNMENT, 0);
    for (int i = 0; i < 300; i++)
        assert_int_equal(block[i], 0);
    assert_true(memory.bytes >= 300);
    pli_release(&memory, block);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.allocations, 1);
}

static void memory_refuses_overflow(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    assert_null(pli_allocate(&memory, SIZE_MAX / 2, 3));
    assert_null(pli_allocate(&memory, SIZE_MAX, 1));
    assert_int_equal(memory.bytes, 0);
}

static void reserve_keeps_contents(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    int32_t *numbers = NULL, capacity = 0;
    for (int32_t i = 0; i < 1000; i++) {
        assert_true(pli_reserve(&memory, &numbers, &capacity, i + 1, sizeof *numbers));
        numbers[i] = i * i;
    }
    for (int32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i * i);
    assert_false(pli_reserve(&memory, &numbers, &capacity, (int64_t)INT32_MAX + 1, sizeof *numbers));
    pli_release(&memory, numbers);
    assert_int_equal(memory.bytes, 0);
}

static int by_key(const void *a, const void *b)
{
    const pli_sort_item *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->value - right->value;
}

static void sort_agrees_with_qsort_and_is_stable(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    pli_memory memory = pli_memory_make(NULL);
    pli_sort_item ours[COUNT], theirs[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        uint64_t key = next_random() % 97;
        ours[i] = theirs[i] = (pli_sort_item){i % 2 ? key : key << 40 | key << 9, i};
    }
    assert_true(pli_sort(&memory, ours, COUNT));
    qsort(theirs, COUNT, sizeof *theirs, by_key);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_true(ours[i].key == theirs[i].key);
        assert_int_equal(ours[i].value, theirs[i].value);
    }
    assert_true(pli_sort(&memory, ours, 0));
}

static int by_pair(const void *a, const void *b)
{
    const pli_sort_pair *left = a, *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    if (left->high != right->high)
        return left->high < right->high ? -1 : 1;
    return left->value - right->value;
}

static void run_backwards(void *user, int32_t count, pli_task task, void *data)
{
    (void)user;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

// In one piece and in many, with groups of one and of thousands, in order and not.
static void pairs_are_sorted_as_by_qsort(void **state)
{
    (void)state;
    static const struct {
        int32_t count, bound, highs;
    } cases[] = {{0, 0, 1},
                 {1, 1, 1},
                 {3000, 40, 50},
                 {5000, 3, INT32_MAX},
                 {300000, 1, 7},
                 {300000, 100000, 30},
                 {200000, 700, 200000},
                 {70000, 513, 1 << 30}};
    const pli_task_hooks tasks = {run_backwards, NULL};
    pli_memory memory = pli_memory_make(NULL);
    for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
        int32_t count = cases[c / 2].count;
        pli_sort_pair *ours = malloc((size_t)count * sizeof *ours + 1),
                      *theirs = malloc((size_t)count * sizeof *ours + 1);
        for (int32_t i = 0; i < count; i++)
            ours[i] = theirs[i] = (pli_sort_pair){(int32_t)(next_random() % (uint64_t)cases[c / 2].bound),
                                                  (int32_t)(next_random() % (uint64_t)cases[c / 2].highs), i};
        assert_true(pli_sort_pairs(&memory, c % 2 ? &tasks : NULL, ours, count, cases[c / 2].bound));
        qsort(theirs, (size_t)count, sizeof *theirs, by_pair);
        assert_memory_equal(ours, theirs, (size_t)count * sizeof *ours);
        free(ours), free(theirs);
    }
    assert_int_equal(memory.bytes, 0);
}

static void hash_tells_order_length_and_content_apart(void **state)
{
    (void)state;
    uint64_t a = pli_hash_bytes(PLI_HASH_START, "ab", 2), b = pli_hash_bytes(PLI_HASH_START, "ba", 2);
    uint64_t c = pli_hash_bytes(PLI_HASH_START, "ab\0", 3);
    assert_true(a != b && a != c && b != c);
    assert_true(a == pli_hash_bytes(PLI_HASH_START, "ab", 2));
}

static void poses_turn_and_return(void **state)
{
    (void)state;
    pli_transform pose = {{1, 2, 3}, {0, 0, 0.70710678f, 0.70710678f}};
    assert_true(pli_transform_check(&pose));
    pli_vec3 p = pli_transform_point(pose, (pli_vec3){1, 0, 0});
    assert_float_equal(p.x, 1.0f, 1e-6f);
    assert_float_equal(p.y, 3.0f, 1e-6f);
    assert_float_equal(p.z, 3.0f, 1e-6f);
    pli_vec3 back = pli_transform_inverse_point(pose, p);
    assert_float_equal(back.x, 1.0f, 1e-6f);
    assert_float_equal(back.y, 0.0f, 1e-6f);
    pli_transform halfway = pli_transform_between(pli_transform_identity(), pose, 0.5f);
    p = pli_rotate(halfway.rotation, (pli_vec3){1, 0, 0});
    assert_float_equal(p.x, 0.70710678f, 1e-5f);
    assert_float_equal(p.y, 0.70710678f, 1e-5f);
    pose.rotation.w = 2.0f;
    assert_false(pli_transform_check(&pose));
    pose = pli_transform_identity();
    pose.position.x = NAN;
    assert_false(pli_transform_check(&pose));
}

typedef struct tally {
    _Atomic int32_t visits[1000];
} tally;

static void visit(void *data, int32_t index)
{
    tally *t = data;
    t->visits[index]++;
}

static void tasks_visit_each_item_once(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    pli_task_hooks none = {0};
    for (int32_t threads = 1; threads <= 5; threads++) {
        pli_tasks *tasks = pli_tasks_create(&memory, threads, &none);
        assert_non_null(tasks);
        tally t = {0};
        pli_tasks_wake(tasks);
        for (int32_t round = 0; round < 300; round++) {
            int32_t count = (int32_t)(next_random() % 1000);
            pli_tasks_run(tasks, count, visit, &t);
            for (int32_t i = 0; i < 1000; i++) {
                assert_int_equal(t.visits[i], i < count ? 1 : 0);
                t.visits[i] = 0;
            }
        }
        pli_tasks_sleep(tasks);
        pli_tasks_run(tasks, 1000, visit, &t);
        for (int32_t i = 0; i < 1000; i++)
            assert_int_equal(t.visits[i], 1);
        pli_tasks_destroy(&memory, tasks);
    }
    assert_int_equal(memory.bytes, 0);
}

static void host_run(void *user, int32_t count, pli_task task, void *data)
{
    ++*(int32_t *)user;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

static void host_hooks_are_used(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    int32_t calls = 0;
    pli_task_hooks hooks = {host_run, &calls};
    pli_tasks *tasks = pli_tasks_create(&memory, 8, &hooks);
    tally t = {0};
    pli_tasks_run(tasks, 100, visit, &t);
    assert_int_equal(calls, 1);
    for (int32_t i = 0; i < 100; i++)
        assert_int_equal(t.visits[i], 1);
    pli_tasks_destroy(&memory, tasks);
}

static void statuses_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < PLI_STATUS_COUNT; i++)
        assert_true(strlen(pli_status_name((pli_status)i)) > 0);
    assert_string_equal(pli_status_name((pli_status)999), "unknown status");
    assert_string_equal(pli_version(), PLI_VERSION_STRING);
    pli_error error;
    assert_int_equal(pli_fail(&error, PLI_STATUS_FILE, "%s %d", "line", 7), PLI_STATUS_FILE);
    assert_string_equal(error.message, "line 7");
    assert_int_equal(pli_succeed(&error), PLI_STATUS_OK);
    assert_string_equal(error.message, "");
    assert_int_equal(pli_fail(NULL, PLI_STATUS_FILE, "nobody listens"), PLI_STATUS_FILE);
}

static void note_assertion(void *user, const char *condition, const char *file, int32_t line)
{
    (void)file, (void)line;
    *(const char **)user = condition;
}

static void assertions_reach_their_hook(void **state)
{
    (void)state;
    const char *condition = NULL;
    pli_hooks hooks = pli_hooks_default();
    hooks.assertion = note_assertion;
    hooks.user = &condition;
    PLI_ASSERT(&hooks, 1 + 1 == 3);
    assert_string_equal(condition, "1 + 1 == 3");
}

// Optimal string alignment by its recursive definition.
static int slow_distance(const char *a, int m, const char *b, int n)
{
    if (m == 0 || n == 0)
        return m + n;
    int best = slow_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    int removed = slow_distance(a, m - 1, b, n) + 1, inserted = slow_distance(a, m, b, n - 1) + 1;
    best = removed < best ? removed : best;
    best = inserted < best ? inserted : best;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        int swapped = slow_distance(a, m - 2, b, n - 2) + 1;
        best = swapped < best ? swapped : best;
    }
    return best;
}

// A guess that is too far is worse than a list, in every message that names something.
static void unknown_names_are_told_what_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *word, *meant;
    } cases[] = {{"tehter", "tether"}, {"teth", "tether"}, {"volum", "volume"}, {"plate", NULL},
                 {"xy", NULL},         {"uo", "up"},       {"x", NULL},         {"", NULL}};
    const char *const names[] = {"hinge", "volume", "tether", "up"};
    pli_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *meant = pli_meant_name(cases[i].word, names, 4);
        if (strcmp(meant ? meant : "-", cases[i].meant ? cases[i].meant : "-") != 0)
            fail_msg("'%s' is taken for '%s'", cases[i].word, meant ? meant : "-");
    }
    assert_int_equal(pli_fail_unknown(&error, "no part is called", "plate", names, 4), PLI_STATUS_NOT_FOUND);
    assert_string_equal(error.message, "no part is called 'plate'; there are hinge, volume, tether, up");
    pli_fail_unknown(&error, "no part is called", "volum", names, 4);
    assert_string_equal(error.message, "no part is called 'volum'; did you mean 'volume'?");
    const char *many[100];
    for (int i = 0; i < 100; i++)
        many[i] = "a_name_of_some_length";
    pli_fail_unknown(&error, "no part is called", "b", many, 100);
    assert_string_equal(strrchr(error.message, ','), ", ...");
}

static void edit_distance_is_its_definition(void **state)
{
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        char words[2][7] = {{0}};
        int lengths[2];
        for (int w = 0; w < 2; w++) {
            lengths[w] = (int)((next_random() >> 16) % 7);
            for (int i = 0; i < lengths[w]; i++)
                words[w][i] = (char)('a' + (next_random() >> 16) % 3);
        }
        int expected = slow_distance(words[0], lengths[0], words[1], lengths[1]);
        if (pli_edit_distance(words[0], words[1]) != expected)
            fail_msg("'%s' to '%s': %d, by definition %d", words[0], words[1],
                     (int)pli_edit_distance(words[0], words[1]), expected);
    }
    const char *const names[] = {"hinge", "distance", "tether"};
    assert_string_equal(pli_meant_name("dsitance", names, 3), "distance");
    assert_null(pli_meant_name("x", names, 0));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(pli_edit_distance(longest, ""), 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_aligned_and_counted),
        cmocka_unit_test(memory_refuses_overflow),
        cmocka_unit_test(reserve_keeps_contents),
        cmocka_unit_test(sort_agrees_with_qsort_and_is_stable),
        cmocka_unit_test(pairs_are_sorted_as_by_qsort),
        cmocka_unit_test(hash_tells_order_length_and_content_apart),
        cmocka_unit_test(poses_turn_and_return),
        cmocka_unit_test(tasks_visit_each_item_once),
        cmocka_unit_test(host_hooks_are_used),
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(assertions_reach_their_hook),
        cmocka_unit_test(unknown_names_are_told_what_there_is),
        cmocka_unit_test(edit_distance_is_its_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
