// The OpenGL context of a renderer. A context of its own is opened with EGL without a display: Mesa's surfaceless platform first, then
// the default display.
//
// The display belongs to the process: other renderers, and the application, get the same one from EGL, and eglTerminate would
// take their contexts from them. So it stays open; opening it again costs nothing.
#include "gl/gl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <dlfcn.h>
#include <stddef.h>

static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
        return display;
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

static pli_status refuse(pli_error *error, const char *what)
{
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "no OpenGL 3.3 without a display: %s; install the packages "
                    "libegl1 and libgl1-mesa-dri",
                    what);
}

// Whether a context of GLX, which windows under X11 usually have, is current on this thread. The library is asked only if the
// process has loaded it.
static bool has_glx_context(void)
{
    void *library = dlopen("libGLX.so.0", RTLD_LAZY | RTLD_NOLOAD);
    union {
        void *symbol;
        void *(*call)(void);
    } current = {library ? dlsym(library, "glXGetCurrentContext") : NULL};
    bool has = current.symbol && current.call();
    if (library)
        dlclose(library);
    return has;
}

pli_status pli_gl_context_open(pli_gl_context *c, pli_error *error)
{
    *c = (pli_gl_context){0};
    if (!epoxy_has_egl())
        return refuse(error, "there is no EGL library");
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY)
        return refuse(error, "EGL opens no display");
    c->display = display;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, wanted, &config, 1, &count) && count > 0) {
        c->context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        c->surface = eglCreatePbufferSurface(display, config, size);
    }
    if (c->context && eglMakeCurrent(display, c->surface, c->surface, c->context) && epoxy_gl_version() >= 33)
        return pli_succeed(error);
    bool taken = c->context && eglGetError() == EGL_BAD_ACCESS;
    pli_gl_context_close(c);
    // Contexts of GLX and of EGL exclude each other on a thread.
    if (taken || has_glx_context())
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "another OpenGL context is current on this thread; draw in it (pli_renderer_create_current), "
                        "let the window "
                        "have one of EGL, or draw on another thread");
    return refuse(error, "EGL makes no context");
}

pli_status pli_gl_context_take(pli_gl_context *c, pli_error *error)
{
    *c = (pli_gl_context){.hosts = true};
    if (!has_glx_context() && !(epoxy_has_egl() && eglGetCurrentContext()))
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "no OpenGL context is current; make the window's current, or use pli_renderer_create");
    if (epoxy_is_desktop_gl() && epoxy_gl_version() >= 33)
        return pli_succeed(error);
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "the context that is current has OpenGL %d.%d; ask the window for 3.3, core profile",
                    epoxy_gl_version() / 10, epoxy_gl_version() % 10);
}

pli_status pli_gl_context_make_current(const pli_gl_context *c, pli_error *error)
{
    if (c->hosts)
        return pli_succeed(error);
    if (eglMakeCurrent(c->display, c->surface, c->surface, c->context))
        return pli_succeed(error);
    if (eglGetError() == EGL_BAD_ACCESS)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the renderer was made on another thread; draw on the thread that made it");
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "the renderer's OpenGL context is lost; was eglTerminate called? Make a new renderer");
}

void pli_gl_context_close(pli_gl_context *c)
{
    if (!c->display)
        return;
    eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (c->surface)
        eglDestroySurface(c->display, c->surface);
    if (c->context)
        eglDestroyContext(c->display, c->context);
    *c = (pli_gl_context){0};
}
