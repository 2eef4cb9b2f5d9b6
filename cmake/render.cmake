# Pictures; and videos by libav, whose libraries are a hundred and are loaded when a video is written.
find_package(PkgConfig REQUIRED)
pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(VIDEO REQUIRED IMPORTED_TARGET libavcodec libavformat libavutil libswscale)
file(GLOB_RECURSE render_sources CONFIGURE_DEPENDS render/*.c)
list(FILTER render_sources EXCLUDE REGEX "/render/libav/")
if(render_sources)
  include(cmake/shaders.cmake)
  pliant_shaders(${PROJECT_BINARY_DIR}/shaders/shaders.h)
  add_library(pliant_render SHARED ${render_sources})
  target_include_directories(pliant_render PRIVATE render ${PROJECT_BINARY_DIR}/shaders)
  target_link_libraries(pliant_render PUBLIC pliant_shared
    PRIVATE pliant_settings pliant_support PkgConfig::EPOXY PkgConfig::EGL PkgConfig::PNG m)
  target_compile_definitions(pliant_render PRIVATE PLI_SHARED PLI_BUILDING)
  set_target_properties(pliant_render PROPERTIES EXPORT_NAME render VERSION ${PROJECT_VERSION} SOVERSION 0
    C_VISIBILITY_PRESET hidden)
  add_library(pliant::render ALIAS pliant_render)
  file(GLOB video_sources CONFIGURE_DEPENDS render/libav/*.c)
  add_library(pliant_video SHARED ${video_sources})
  target_include_directories(pliant_video PRIVATE render)
  target_link_libraries(pliant_video PRIVATE pliant_settings pliant_support PkgConfig::VIDEO Threads::Threads pliant_shared)
  target_compile_definitions(pliant_video PRIVATE PLI_SHARED PLI_BUILDING)
  set_target_properties(pliant_video PROPERTIES EXPORT_NAME video VERSION ${PROJECT_VERSION} SOVERSION 0
    C_VISIBILITY_PRESET hidden)
  add_dependencies(pliant_render pliant_video) # So that who builds the one has the other beside it.
endif()
