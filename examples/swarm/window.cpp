// SPDX-License-Identifier: MIT
#include "window.hpp"
#include <SDL.h>

namespace swarm {

namespace {

template <class T> T* required(T* made) {
    if (!made) throw no_display(SDL_GetError());
    return made;
}

std::array<std::uint32_t, 256> words_of(const std::array<rgb, 256>& palette) {
    std::array<std::uint32_t, 256> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = 0xFF00'0000U | std::uint32_t{palette[i].red} << 16 | std::uint32_t{palette[i].green} << 8 |
                   palette[i].blue;
    return words;
}

} // namespace

window::library::library() {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) throw no_display(SDL_GetError());
}

window::library::~library() { SDL_Quit(); }

void window::closer::operator()(SDL_Window* w) const { SDL_DestroyWindow(w); }
void window::closer::operator()(SDL_Renderer* r) const { SDL_DestroyRenderer(r); }
void window::closer::operator()(SDL_Texture* t) const { SDL_DestroyTexture(t); }

window::window(const std::string& title, std::uint32_t width, std::uint32_t height) {
    const int columns = static_cast<int>(width), rows = static_cast<int>(height);
    window_.reset(required(SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                            columns, rows, SDL_WINDOW_RESIZABLE)));
    SDL_Renderer* renderer = SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_PRESENTVSYNC);
    if (!renderer) renderer = SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_SOFTWARE);
    renderer_.reset(required(renderer));
    SDL_RenderSetLogicalSize(renderer_.get(), columns, rows);
    texture_.reset(required(SDL_CreateTexture(renderer_.get(), SDL_PIXELFORMAT_ARGB8888,
                                              SDL_TEXTUREACCESS_STREAMING, columns, rows)));
}

void window::show(canvas& picture) {
    const auto words = words_of(picture.palette());
    void* memory = nullptr;
    int pitch = 0;
    if (SDL_LockTexture(texture_.get(), nullptr, &memory, &pitch) != 0) throw no_display(SDL_GetError());
    const std::uint8_t* from = picture.develop().data();
    auto* line = static_cast<std::byte*>(memory);
    for (std::uint32_t row = 0; row < picture.height(); ++row, line += pitch) {
        auto* const pixels = reinterpret_cast<std::uint32_t*>(line);
        for (std::uint32_t column = 0; column < picture.width(); ++column) pixels[column] = words[*from++];
    }
    SDL_UnlockTexture(texture_.get());
    SDL_RenderClear(renderer_.get());
    SDL_RenderCopy(renderer_.get(), texture_.get(), nullptr, nullptr);
    SDL_RenderPresent(renderer_.get());
}

void window::set_title(const std::string& title) { SDL_SetWindowTitle(window_.get(), title.c_str()); }

bool window::is_wanted() {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        if (event.type == SDL_QUIT) return false;
        if (event.type != SDL_KEYDOWN) continue;
        const SDL_Keycode key = event.key.keysym.sym;
        if (key == SDLK_ESCAPE || key == SDLK_q) return false;
        if (key == SDLK_SPACE) paused_ = !paused_;
    }
    return true;
}

std::optional<place> window::pointed_at() const {
    int x = 0, y = 0;
    if (SDL_GetMouseState(&x, &y) == 0) return std::nullopt;
    place at{};
    SDL_RenderWindowToLogical(renderer_.get(), x, y, &at.x, &at.y);
    return at;
}

} // namespace swarm
