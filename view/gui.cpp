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
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = style.FrameRounding = 4.0f;
    style.WindowBorderSize = 0.0f;
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.10f, 0.12f, 0.14f, 0.94f);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330");
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
