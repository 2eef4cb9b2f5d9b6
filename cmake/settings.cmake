# Flags that every part shares. Contraction is off and there is no fast-math: the same bits from
# every compiler, width and thread count. The last two of these change no value, only errno and traps.
# The names of sources in messages of failed assertions are relative: what is built says nothing of the
# machine that built it, and is the same in every folder. Caches of compilers may pass names relative to the build tree.
file(RELATIVE_PATH sources_from_build ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
add_library(pliant_settings INTERFACE)
target_compile_options(pliant_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off -fno-math-errno -fno-trapping-math
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${sources_from_build}=
  $<$<COMPILE_LANGUAGE:C>:-Wconversion>)
string(REPLACE "-O2" "-O3" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
  # Checks of each pointer before it is used take much of a build and of a run. What is read or written at a wrong
  # address is found by the address sanitizer all the same.
  add_compile_options(-fno-sanitize=vptr,null,object-size,pointer-overflow)
endif()
if(PLIANT_COVERAGE)
  set(core_coverage --coverage -fprofile-update=single) # Of the core alone (cmake/core.cmake): nothing else is asked for.
  add_link_options(--coverage)
endif()
if(PLIANT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
