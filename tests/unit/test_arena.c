// Scratch memory that is given back all at once, and growable arrays.
#include "base/arena.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TAKES = 40 };

typedef struct taken {
    unsigned char *at;
    size_t bytes;
} taken;

static int32_t allowed = INT32_MAX;

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    return allowed-- > 0 ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

static void release(void *user, void *allocation, size_t size)
{
    (void)user, (void)size;
    free(allocation);
}

// Sizes from 0 to some blocks, the same each time.
static void take_all(pli_arena *arena, taken all[TAKES])
{
    uint32_t state = 7;
    for (int32_t i = 0; i < TAKES; i++) {
        state = state * 1664525u + 1013904223u;
        all[i].bytes = i % 7 == 0 ? 0 : state % 9000;
        all[i].at = PLI_TAKE(arena, unsigned char, (int64_t)all[i].bytes);
        assert_non_null(all[i].at);
        assert_int_equal((uintptr_t)all[i].at % PLI_ALIGNMENT, 0);
        memset(all[i].at, i + 1, all[i].bytes);
    }
}

static void assert_untouched(const taken all[TAKES])
{
    for (int32_t i = 0; i < TAKES; i++)
        for (size_t k = 0; k < all[i].bytes; k++)
            assert_int_equal(all[i].at[k], i + 1);
}

static void pieces_do_not_overlap(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    pli_arena arena = {.memory = &memory};
    taken all[TAKES];
    take_all(&arena, all);
    assert_untouched(all);
    unsigned char *zeroed = PLI_TAKE_ZEROED(&arena, unsigned char, 5000);
    for (int32_t k = 0; k < 5000; k++)
        assert_int_equal(zeroed[k], 0);
    pli_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void a_scope_gives_back_what_was_taken_in_it(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    pli_arena arena = {.memory = &memory};
    taken before[TAKES], inside[TAKES], again[TAKES];
    for (int32_t outer = 0; outer < 2; outer++) {
        if (outer)
            take_all(&arena, before);
        const pli_arena_scope scope = pli_arena_begin(&arena);
        take_all(&arena, inside);
        pli_arena_end(&arena, scope);
        int64_t allocations = memory.allocations;
        take_all(&arena, again);
        assert_int_equal(memory.allocations, allocations);
        for (int32_t i = 0; i < TAKES; i++)
            assert_ptr_equal(inside[i].at, again[i].at);
        pli_arena_end(&arena, scope);
        if (outer)
            assert_untouched(before);
    }
    pli_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void a_step_like_the_last_allocates_nothing(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    pli_arena arena = {.memory = &memory};
    taken all[TAKES];
    take_all(&arena, all);
    pli_arena_reset(&arena);
    int64_t allocations = memory.allocations;
    size_t bytes = memory.bytes;
    for (int32_t step = 0; step < 3; step++) {
        take_all(&arena, all);
        assert_untouched(all);
        pli_arena_reset(&arena);
    }
    assert_int_equal(memory.allocations, allocations);
    assert_int_equal(memory.bytes, bytes);
    pli_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

// What was taken bit by bit is joined into a block that is little more, whatever scopes were there.
static void joined_blocks_are_little_more_than_was_taken(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    pli_arena arena = {.memory = &memory};
    taken all[TAKES];
    take_all(&arena, all);
    for (int32_t scopes = 0; scopes < 3; scopes++) {
        const pli_arena_scope scope = pli_arena_begin(&arena);
        assert_non_null(PLI_TAKE(&arena, unsigned char, 400000));
        assert_non_null(PLI_TAKE(&arena, unsigned char, 300000));
        pli_arena_end(&arena, scope);
    }
    pli_arena_reset(&arena);
    assert_true(memory.bytes > 700000 && memory.bytes < 1150000);
    size_t bytes = memory.bytes;
    take_all(&arena, all);
    assert_non_null(PLI_TAKE(&arena, unsigned char, 700000));
    assert_untouched(all);
    assert_int_equal(memory.bytes, bytes);
    pli_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    const pli_hooks hooks = {.allocate = allocate, .release = release};
    pli_memory memory = pli_memory_make(&hooks);
    pli_arena arena = {.memory = &memory};
    allowed = 1;
    unsigned char *first = PLI_TAKE(&arena, unsigned char, 100);
    assert_non_null(first);
    memset(first, 3, 100);
    assert_null(PLI_TAKE(&arena, unsigned char, 1000000));
    assert_null(pli_arena_take(&arena, INT64_MAX, 16));
    assert_null(pli_arena_take(&arena, -1, 1));
    assert_int_equal(first[99], 3);
    assert_non_null(PLI_TAKE(&arena, unsigned char, 100));
    allowed = INT32_MAX;
    assert_non_null(PLI_TAKE(&arena, unsigned char, 1000000));
    allowed = 0; // One block of both cannot be had: it is allocated when it is needed.
    pli_arena_reset(&arena);
    assert_null(PLI_TAKE(&arena, unsigned char, 1));
    allowed = INT32_MAX;
    assert_non_null(PLI_TAKE(&arena, unsigned char, 1));
    pli_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void arrays_keep_what_is_in_them(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    PLI_ARRAY(int32_t) numbers = {0};
    for (int32_t i = 0; i < 1000; i++) {
        assert_true(pli_array_reserve(&memory, &numbers, (int64_t)numbers.count + 1));
        assert_int_equal(numbers.items[numbers.count], 0);
        numbers.items[numbers.count++] = i + 1;
    }
    for (int32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i + 1);
    assert_true(memory.allocations < 20);
    assert_false(pli_array_reserve(&memory, &numbers, (int64_t)INT32_MAX + 1));
    assert_int_equal(numbers.count, 1000);
    pli_array_release(&memory, &numbers);
    assert_null(numbers.items);
    assert_int_equal(memory.bytes, 0);
}

// An array that is large grows by a quarter, and not by so little that it is copied again and again.
static void large_arrays_are_little_more_than_is_in_them(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    PLI_ARRAY(int32_t) numbers = {0};
    for (int32_t i = 0; i < 3000000; i++) {
        assert_true(pli_array_reserve(&memory, &numbers, (int64_t)numbers.count + 1));
        numbers.items[numbers.count++] = i;
        size_t full = (size_t)numbers.count * sizeof(int32_t);
        assert_true(full < (1 << 21) || memory.bytes < full + full / 4 + 4096);
    }
    for (int32_t i = 0; i < 3000000; i++)
        assert_int_equal(numbers.items[i], i);
    assert_true(memory.allocations < 40);
    pli_array_release(&memory, &numbers);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(a_scope_gives_back_what_was_taken_in_it),
        cmocka_unit_test(a_step_like_the_last_allocates_nothing),
        cmocka_unit_test(joined_blocks_are_little_more_than_was_taken),
        cmocka_unit_test(memory_that_runs_out_is_told),
        cmocka_unit_test(arrays_keep_what_is_in_them),
        cmocka_unit_test(large_arrays_are_little_more_than_is_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
