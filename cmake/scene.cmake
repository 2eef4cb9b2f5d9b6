# The scene library: mesh files, caches and scenes, with the JSON library alone; and two libraries of formats that it
# loads when a file needs them, where what they link is installed. Without shared libraries it is a static one.
include(cmake/jansson.cmake)
if(NOT JANSSON_FOUND)
  message(STATUS "Without scenes: there is no JSON library for this target (scripts/build-jansson makes one)")
  return()
endif()
file(GLOB_RECURSE scene_sources CONFIGURE_DEPENDS io/*.c)
list(FILTER scene_sources EXCLUDE REGEX "/io/(assimp|hdf5)/")
if(has_shared)
  set(scene_kind SHARED)
else()
  set(scene_kind STATIC)
endif()

add_library(pliant_scene ${scene_kind} ${scene_sources})
target_include_directories(pliant_scene PRIVATE io ${PROJECT_SOURCE_DIR})
if(has_shared)
  target_link_libraries(pliant_scene PRIVATE pliant_settings pliant_support pliant_jansson m
    PUBLIC pliant_shared)
else()
  # Who installs a static library installs all that it needs: the leaf is put into it, and the JSON library beside it.
  target_sources(pliant_scene PRIVATE $<FILTER:$<TARGET_OBJECTS:pliant_support>,EXCLUDE,nearest_name>) # libpliant.a has that.
  target_link_libraries(pliant_scene PRIVATE $<BUILD_INTERFACE:pliant_settings>
    PUBLIC $<BUILD_INTERFACE:pliant_jansson> $<INSTALL_INTERFACE:pliant::jansson> pliant_static m)
endif()
target_compile_definitions(pliant_scene PRIVATE PLI_SHARED PLI_BUILDING)
set_target_properties(pliant_scene PROPERTIES EXPORT_NAME scene VERSION ${PROJECT_VERSION} SOVERSION 0
  C_VISIBILITY_PRESET hidden)
add_library(pliant::scene ALIAS pliant_scene)

# A library of formats: its folder of io, and what it shares with the scene library compiled once more.
set(format_libraries "")
function(pliant_format_library name package shared_sources)
  if(NOT ${package}_FOUND)
    message(STATUS "Without pliant_${name}: its library was not found")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS io/${name}/*.c)
  add_library(pliant_${name} SHARED ${sources} ${shared_sources})
  target_include_directories(pliant_${name} PRIVATE io/${name} io)
  target_link_libraries(pliant_${name} PRIVATE pliant_settings pliant_support PkgConfig::${package} m pliant_shared)
  target_compile_definitions(pliant_${name} PRIVATE PLI_SHARED PLI_BUILDING)
  set_target_properties(pliant_${name} PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION 0
    C_VISIBILITY_PRESET hidden)
  set(format_libraries ${format_libraries} pliant_${name} PARENT_SCOPE)
endfunction()

if(has_shared)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HDF5 IMPORTED_TARGET hdf5)
  pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
  pliant_format_library(hdf5 HDF5 "io/files/io_error.c;io/files/file.c;io/caches/cache_objects.c;io/caches/recorder_files.c")
  pliant_format_library(assimp ASSIMP
    "io/files/io_error.c;io/files/file.c;io/soup/polygon_soup.c;io/soup/soup_layers.c;io/soup/soup_groups.c")
endif()
