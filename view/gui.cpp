// Opens Dear ImGui with its back ends for GLFW and OpenGL 3, in the project's colours.
#include "gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

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
    style.WindowRounding = style.FrameRounding = 4.0f;
    style.WindowBorderSize = 0.0f;
    style.ScaleAllSizes(scale);
    if (light) {
        ImGui::StyleColorsLight();
        style.Colors[ImGuiCol_WindowBg] = ImVec4(0.95f, 0.95f, 0.94f, 0.96f);
    } else {
        ImGui::StyleColorsDark();
        style.Colors[ImGuiCol_WindowBg] = ImVec4(0.10f, 0.12f, 0.14f, 0.94f);
    }
    if (scale != scale_before) {
        ImFontConfig config;
        config.SizePixels = 13.0f * scale;
        ImGuiIO &io = ImGui::GetIO();
        io.Fonts->Clear();
        io.Fonts->AddFontDefault(&config);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
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
