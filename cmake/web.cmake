# The library for JavaScript as .wasm files, whose exports are those of bindings/wasm, over the public headers: the core, and the
# core with scenes and mesh files. scripts/build-web makes the npm package of them.
# clang 14 fails where errno is used with instructions that copy memory.
set(web_size ${core_size})
list(REMOVE_ITEM web_size -mbulk-memory)

# Binaryen's wasm-opt over flat code makes it smaller and no slower (docs/decisions/bindings.md). Clang would run it before that
# with the flag of its optimisation, which makes it larger, so that the link has none. Nothing is below address 1024, where the
# linker begins, so that small constants may go from additions into loads and stores.
find_program(wasm_opt wasm-opt REQUIRED)
# A second round compresses better, though it has more bytes before that: locals are fewer, and what was folded is alike again.
set(web_passes --flatten --rereloop -Os -Os --flatten --rereloop -Oz
  --merge-blocks --simplify-locals --reorder-locals --coalesce-locals -Oz)
set(web_features --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext)
if(backends)
  list(APPEND web_features --enable-simd)
endif()

# Workers that share memory: it is imported, so that they have the same one, and JavaScript gives each a stack and thread-local
# variables (package/src/threads.ts). Debian's wasi-libc is built for one thread, which the check would refuse: workers call
# nothing of it that has state, since hooks and allocators are called on the thread that steps.
if(PLIANT_WEB_THREADS)
  set(web_threads -Wl,--shared-memory -Wl,--import-memory -Wl,--initial-memory=16777216 -Wl,--max-memory=1073741824
    -Wl,--no-check-features -Wl,--export=__stack_pointer -Wl,--export=__wasm_init_tls -Wl,--export=__tls_size)
  list(APPEND web_features --enable-threads)
endif()

function(pliant_web_module name)
  add_executable(pliant_${name} ${ARGN})
  set_target_properties(pliant_${name} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm)
  target_link_libraries(pliant_${name} PRIVATE pliant_settings pliant_static m)
  target_compile_options(pliant_${name} PRIVATE ${web_size})
  # A reactor has no main: JavaScript calls _initialize once, then the exports. Debug sections go, the features stay.
  target_link_options(pliant_${name} PRIVATE -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-debug ${web_threads} -O0)
  # Names of functions are of no use without them.
  add_custom_command(TARGET pliant_${name} POST_BUILD
    COMMAND ${wasm_opt} ${web_features} --low-memory-unused ${web_passes} $<TARGET_FILE:pliant_${name}> -o $<TARGET_FILE:pliant_${name}>
    COMMAND ${CMAKE_OBJCOPY} --remove-section=name --remove-section=producers $<TARGET_FILE:pliant_${name}>)
endfunction()

file(GLOB web_sources CONFIGURE_DEPENDS bindings/wasm/*.c)
file(GLOB web_text_sources CONFIGURE_DEPENDS bindings/wasm/text/*.c)
file(GLOB web_scene_sources CONFIGURE_DEPENDS bindings/wasm/scene/*.c)
# Rows without what people read of them come before those of the library, which are then not linked (docs/decisions/bindings.md).
# With scenes they have it, for messages and the schema.
set(bare_objects "")
function(pliant_bare name original)
  add_library(${name} OBJECT ${ARGN})
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    set_property(TARGET ${name} PROPERTY ${property} $<TARGET_PROPERTY:${original},${property}>)
  endforeach()
  target_link_libraries(${name} PRIVATE pliant_settings)
  target_compile_definitions(${name} PRIVATE PLI_WITHOUT_TEXTS)
  set(bare_objects ${bare_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()
foreach(source ${core_sources})
  file(STRINGS ${source} texts REGEX "PLI_TEXT\\(" LIMIT_COUNT 1)
  if(texts)
    list(APPEND row_sources ${source})
  endif()
endforeach()
pliant_bare(pliant_bare_rows pliant_core ${row_sources})
set(bare_types ${type_sources})
list(FILTER bare_types EXCLUDE REGEX "/type_table\\.c$") # The smaller build has its own.
foreach(backend scalar ${backends})
  pliant_bare(pliant_bare_${backend} pliant_${backend} ${bare_types})
endforeach()
pliant_web_module(web_core ${web_sources} ${web_text_sources} ${bare_objects})
# The smaller build of the package: its own table of types comes before that of the library, whose other rows are then not
# linked.
set(web_slim_types distance isometric dihedral tether attachment)
if(NOT PLIANT_WEB_THREADS AND NOT PLIANT_TYPES AND backends)
  list(JOIN web_slim_types ")ROW(" slim_rows)
  foreach(backend scalar ${backends})
    foreach(runs "" _runs)
      set(slim pliant_slim_${backend}${runs})
      add_library(${slim} OBJECT src/constraints/types/type_table.c)
      target_include_directories(${slim} PRIVATE include src)
      target_link_libraries(${slim} PRIVATE pliant_settings)
      target_compile_definitions(${slim} PRIVATE PLI_SHARED PLI_BUILDING PLI_BACKEND=${backend})
      if(runs)
        target_compile_definitions(${slim} PRIVATE PLI_RUNS)
      endif()
      target_compile_options(${slim} PRIVATE ${core_size} ${flags_${backend}} "-DPLI_TYPE_ROWS(ROW)=ROW(${slim_rows})")
      list(APPEND slim_objects $<TARGET_OBJECTS:${slim}>)
    endforeach()
  endforeach()
  # Findings are texts for those who make a scene, which the other builds have.
  add_library(pliant_slim_findings OBJECT bindings/wasm/slim/findings.c)
  target_include_directories(pliant_slim_findings PRIVATE include src)
  target_link_libraries(pliant_slim_findings PRIVATE pliant_settings)
  target_compile_definitions(pliant_slim_findings PRIVATE PLI_SHARED PLI_BUILDING)
  target_compile_options(pliant_slim_findings PRIVATE ${core_size})
  list(APPEND slim_objects $<TARGET_OBJECTS:pliant_slim_findings>)
  pliant_web_module(web_slim ${web_sources} ${web_text_sources} ${slim_objects} ${bare_objects})
endif()
if(TARGET pliant_scene)
  pliant_web_module(web_scenes ${web_sources} ${web_scene_sources})
  target_link_libraries(pliant_web_scenes PRIVATE pliant_session)
  target_compile_options(pliant_session PRIVATE ${web_size})
  target_compile_options(pliant_scene PRIVATE ${web_size})
endif()
