// Opens Dear ImGui with its back ends for GLFW and OpenGL 3, in the project's colours.
#include "gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <unistd.h>

// Common system fonts; the first one that exists is used, else the built-in font of Dear ImGui.
static const char *const fonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};

static void load_font(float scale)
{
    ImFontConfig config;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    ImFont *font = nullptr;
    atlas->Clear();
    for (size_t i = 0; i < sizeof fonts / sizeof *fonts && !font; i++)
        if (access(fonts[i], R_OK) == 0)
            font = atlas->AddFontFromFileTTF(fonts[i], (float)PLI_GUI_FONT * scale);
    config.SizePixels = 13.0f * scale;
    if (!font)
        atlas->AddFontDefault(&config);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

extern "C" {

void pli_gui_open(struct GLFWwindow *window)
{
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330");
}

void pli_gui_look(float scale, bool light)
{
    static float scale_before = 0.0f;
    static bool light_before = false;
    if (scale == scale_before && light == light_before)
        return;
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    // Panels are adjacent, and rounded corners would leave gaps between them.
    style.FrameRounding = style.PopupRounding = 4.0f;
    style.WindowBorderSize = 0.0f;
    style.ScaleAllSizes(scale);
    if (light) {
        ImGui::StyleColorsLight();
        style.Colors[ImGuiCol_WindowBg] = ImVec4(0.95f, 0.95f, 0.94f, 0.96f);
    } else {
        ImGui::StyleColorsDark();
        style.Colors[ImGuiCol_WindowBg] = ImVec4(0.10f, 0.12f, 0.14f, 0.94f);
    }
    if (scale != scale_before)
        load_font(scale);
    scale_before = scale;
    light_before = light;
}

void pli_gui_close(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void pli_gui_begin(void)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void pli_gui_begin_at(float x, float y, bool pressed)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::GetIO().MousePos = ImVec2(x, y);
    ImGui::GetIO().MouseDown[0] = pressed;
    ImGui::NewFrame();
}

void pli_gui_end(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool pli_gui_wants_pointer(void) { return ImGui::GetCurrentContext() && ImGui::GetIO().WantCaptureMouse; }

bool pli_gui_wants_keys(void) { return ImGui::GetCurrentContext() && ImGui::GetIO().WantCaptureKeyboard; }
}
