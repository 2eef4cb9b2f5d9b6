# The session of the window and of the web page (session/session.h), which tests link without a window.
if(TARGET pliant_scene)
  file(GLOB session_sources CONFIGURE_DEPENDS session/*.c)
  add_library(pliant_session STATIC ${session_sources})
  target_include_directories(pliant_session PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(pliant_session PRIVATE pliant_settings pliant_support PUBLIC pliant_scene m)
endif()
