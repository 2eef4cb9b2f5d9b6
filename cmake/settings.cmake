# Flags that every part shares. Contraction is off and there is no fast-math: the same bits from
# every compiler, width and thread count. The last two of these change no value, only errno and traps.
# The names of sources in messages of failed assertions are relative: what is built says nothing of the
# machine that built it, and is the same in every folder.
add_library(pliant_settings INTERFACE)
target_compile_options(pliant_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off -fno-math-errno -fno-trapping-math
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  $<$<COMPILE_LANGUAGE:C>:-Wconversion>)
string(REPLACE "-O2" "-O3" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    # Its checks of each pointer take half of a build. gcc's build makes them too, and what is read or written at a
    # wrong address is found all the same.
    add_compile_options(-fno-sanitize=vptr,null,object-size,pointer-overflow)
  endif()
endif()
if(PLIANT_COVERAGE)
  set(core_coverage --coverage) # Of the core alone (cmake/core.cmake): nothing else is asked for.
  add_link_options(--coverage)
endif()
if(PLIANT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
