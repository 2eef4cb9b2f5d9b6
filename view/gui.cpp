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

// The colours of the web page (web/page/src/style), 0xRRGGBB.
struct palette {
    unsigned panel, page, text, faint, accent, on_accent, edge, field;
};
static const palette light_palette = {0xffffff, 0xf6f4f0, 0x1d2327, 0x55606a, 0x0b6a75, 0xffffff, 0xcfcbc2, 0xf1eee8};
static const palette dark_palette = {0x1d2327, 0x14181b, 0xeef0f1, 0xaab3ba, 0x5cc3cd, 0x0d1416, 0x39424a, 0x2b343a};

static ImVec4 colour(unsigned rgb, float alpha = 1.0f)
{
    return ImVec4((float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f, (float)(rgb & 255) / 255.0f,
                  alpha);
}

static void shape_style(float scale)
{
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowRounding = 8.0f;
    style.FrameRounding = style.GrabRounding = 5.0f;
    style.PopupRounding = style.ChildRounding = style.TabRounding = 7.0f;
    style.ScrollbarRounding = 7.0f;
    style.WindowBorderSize = 0.0f;
    style.FrameBorderSize = style.PopupBorderSize = 1.0f;
    style.WindowPadding = ImVec2(12.0f, 10.0f);
    style.FramePadding = ImVec2(8.0f, 5.0f);
    style.ItemSpacing = ImVec2(8.0f, 6.0f);
    style.ItemInnerSpacing = ImVec2(6.0f, 4.0f);
    style.ScrollbarSize = 12.0f;
    style.GrabMinSize = 10.0f;
    style.WindowTitleAlign = ImVec2(0.5f, 0.5f);
    style.ScaleAllSizes(scale);
}

static void colour_style(const palette &p)
{
    ImVec4 *c = ImGui::GetStyle().Colors;
    const ImVec4 accent = colour(p.accent), field = colour(p.field), panel = colour(p.panel), edge = colour(p.edge);
    c[ImGuiCol_Text] = colour(p.text), c[ImGuiCol_TextDisabled] = colour(p.faint);
    c[ImGuiCol_WindowBg] = panel, c[ImGuiCol_PopupBg] = panel, c[ImGuiCol_ChildBg] = colour(p.panel, 0.0f);
    c[ImGuiCol_MenuBarBg] = colour(p.page);
    c[ImGuiCol_Border] = c[ImGuiCol_Separator] = c[ImGuiCol_SeparatorHovered] = edge;
    c[ImGuiCol_FrameBg] = field, c[ImGuiCol_FrameBgHovered] = edge, c[ImGuiCol_FrameBgActive] = edge;
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = colour(p.page);
    c[ImGuiCol_ScrollbarBg] = colour(p.panel, 0.0f), c[ImGuiCol_ScrollbarGrab] = edge;
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = colour(p.faint);
    c[ImGuiCol_CheckMark] = accent, c[ImGuiCol_SliderGrab] = accent, c[ImGuiCol_SliderGrabActive] = accent;
    c[ImGuiCol_Button] = field, c[ImGuiCol_ButtonHovered] = edge, c[ImGuiCol_ButtonActive] = accent;
    // Text on the accent.
    c[ImGuiCol_DragDropTarget] = colour(p.on_accent);
    c[ImGuiCol_Header] = colour(p.page), c[ImGuiCol_HeaderHovered] = field, c[ImGuiCol_HeaderActive] = edge;
    c[ImGuiCol_Tab] = colour(p.page), c[ImGuiCol_TabHovered] = field, c[ImGuiCol_TabActive] = edge;
    c[ImGuiCol_TabUnfocused] = c[ImGuiCol_Tab], c[ImGuiCol_TabUnfocusedActive] = c[ImGuiCol_TabActive];
    c[ImGuiCol_PlotLines] = accent, c[ImGuiCol_PlotHistogram] = colour(p.accent, 0.4f);
    c[ImGuiCol_TableHeaderBg] = colour(p.page), c[ImGuiCol_TableRowBg] = colour(p.panel, 0.0f);
    c[ImGuiCol_TableRowBgAlt] = colour(p.page), c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = edge;
    c[ImGuiCol_TextSelectedBg] = colour(p.accent, 0.35f), c[ImGuiCol_NavHighlight] = accent;
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
    shape_style(scale);
    colour_style(light ? light_palette : dark_palette);
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
