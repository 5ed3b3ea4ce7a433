// SPDX-License-Identifier: MIT
// A million birds in a window, or in PNG files where there is none. Each flies as its neighbours do: a grid
// that all threads add to says how, and who is where. The same numbers give the same pictures, on any number
// of threads.
#include "canvas.hpp"
#include "crowd.hpp"
#include "png_file.hpp"
#include "window.hpp"
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

import ecs;

#include "flock.hpp"

namespace {

struct options {
    std::size_t birds = 1'000'000;
    std::uint32_t width = 1280, height = 720;
    unsigned frames = 0;
    unsigned every = 1;
    unsigned threads = 0;
    std::uint64_t seed = 1;
    std::string folder;
    std::string picture;
};

constexpr unsigned frames_of_files = 120; ///< Where nobody can close a window.

class stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    }

  private:
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

std::filesystem::path file_of_frame(const std::filesystem::path& folder, unsigned frame) {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%05u.png", frame);
    return folder / name;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code why;
    std::filesystem::create_directories(folder, why);
    if (why)
        throw std::runtime_error("the folder " + folder.string() + " cannot be made: " + why.message() +
                                 "; name another with --png");
}

unsigned fly_into_files(swarm::flock& birds, swarm::canvas& picture, const options& chosen) {
    const unsigned frames = chosen.frames != 0 ? chosen.frames : frames_of_files;
    if (!chosen.folder.empty()) make_folder(chosen.folder);
    for (unsigned frame = 1; frame <= frames; ++frame) {
        birds.fly();
        if (chosen.folder.empty() || frame % chosen.every != 0) continue;
        birds.draw(picture);
        write_png(picture, file_of_frame(chosen.folder, frame));
    }
    return frames;
}

void heed(const swarm::window& shown, swarm::flock& birds) {
    if (const auto at = shown.pointed_at())
        birds.lure(at->x, at->y);
    else
        birds.let_go();
}

unsigned fly_in_window(swarm::window& shown, swarm::flock& birds, swarm::canvas& picture,
                       const options& chosen) {
    unsigned frame = 0;
    const stopwatch watch;
    while (shown.is_wanted() && (chosen.frames == 0 || frame < chosen.frames)) {
        heed(shown, birds);
        if (!shown.paused()) {
            birds.fly();
            ++frame;
        }
        birds.draw(picture);
        shown.show(picture);
        if (frame % 32 == 0)
            shown.set_title(std::to_string(chosen.birds) + " birds, " +
                            std::to_string(static_cast<int>(frame / watch.seconds())) + " frames a second");
    }
    return frame;
}

/// Null where pictures go to files, because that is asked for or because there is no display.
std::unique_ptr<swarm::window> open_window(options& chosen) {
    if (!chosen.folder.empty() || !chosen.picture.empty()) return nullptr;
    try {
        return std::make_unique<swarm::window>("swarm", chosen.width, chosen.height);
    } catch (const swarm::no_display& e) {
        chosen.folder = "swarm-frames";
        std::fprintf(stderr, "swarm: there is no display (%s): pictures go to the folder %s\n", e.what(),
                     chosen.folder.c_str());
        return nullptr;
    }
}

void run(options chosen) {
    const auto executor = ecs::make_tbb_executor(chosen.threads);
    swarm::canvas picture(chosen.width, chosen.height, chosen.birds);
    swarm::flock birds({static_cast<float>(chosen.width), static_cast<float>(chosen.height)}, chosen.birds,
                       chosen.seed, *executor);
    const auto shown = open_window(chosen);
    const stopwatch watch;
    const unsigned frames =
        shown ? fly_in_window(*shown, birds, picture, chosen) : fly_into_files(birds, picture, chosen);
    std::fprintf(stderr, "%.1f frames a second\n", frames / watch.seconds());
    if (!chosen.picture.empty()) {
        birds.draw(picture);
        write_png(picture, chosen.picture);
    }
    std::printf("%zu birds, %u frames of %u x %u, checksum %016llx\n", chosen.birds, frames, chosen.width,
                chosen.height, static_cast<unsigned long long>(birds.checksum()));
}

void describe(CLI::App& app, options& chosen) {
    app.add_option("--birds", chosen.birds, "how many")
        ->check(CLI::Range(1, 50'000'000))
        ->capture_default_str();
    app.add_option("--width", chosen.width, "of the picture")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--height", chosen.height, "of the picture")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--frames", chosen.frames,
                   "how many; a window stays until it is closed when none are given, and files end after " +
                       std::to_string(frames_of_files));
    app.add_option("--png", chosen.folder, "no window: write frames as PNG files into this folder");
    app.add_option("--every", chosen.every, "with --png: one frame of so many")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--picture", chosen.picture, "no window: write the last frame as this PNG file");
    app.add_option("--threads", chosen.threads, "0: one for each processor; the pictures are the same")
        ->check(CLI::Range(0, 1024));
    app.add_option("--seed", chosen.seed, "another number, another swarm")->capture_default_str();
    app.footer("In the window: hold a mouse button to lure birds, space pauses, escape ends.");
}

} // namespace

int main(int argc, char** argv) {
    options chosen;
    CLI::App app("A swarm of a million birds, in a window or as PNG files");
    describe(app, chosen);
    CLI11_PARSE(app, argc, argv);
    try {
        run(chosen);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "swarm: %s\n", e.what());
        return 1;
    }
    return 0;
}
