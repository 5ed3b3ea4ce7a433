// SPDX-License-Identifier: MIT
// A window that shows a canvas, by SDL.
#pragma once
#include "canvas.hpp"
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

struct SDL_Window;
struct SDL_Renderer;
struct SDL_Texture;

namespace swarm {

/// There is nothing that a window could be shown on; the text says what SDL says.
struct no_display : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A place on the canvas.
struct place {
    float x, y;
};

class window {
  public:
    /// Throws no_display.
    window(const std::string& title, std::uint32_t width, std::uint32_t height);

    /// Waits for the screen, where it can.
    void show(canvas& picture);
    void set_title(const std::string& title);

    /// Looks at what the user did. False when the window is to be closed.
    [[nodiscard]] bool is_wanted();
    [[nodiscard]] bool paused() const { return paused_; }
    /// Where a mouse button is held down, if one is.
    [[nodiscard]] std::optional<place> pointed_at() const;

  private:
    struct library { ///< SDL itself, which is begun before the window and ends after it.
        library();
        ~library();
        library(const library&) = delete;
        library& operator=(const library&) = delete;
    };
    struct closer {
        void operator()(SDL_Window* w) const;
        void operator()(SDL_Renderer* r) const;
        void operator()(SDL_Texture* t) const;
    };

    library sdl_;
    std::unique_ptr<SDL_Window, closer> window_;
    std::unique_ptr<SDL_Renderer, closer> renderer_;
    std::unique_ptr<SDL_Texture, closer> texture_;
    bool paused_ = false;
};

} // namespace swarm
