// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer: PROGRAM INPUTS [CORPUS FOLDER]... First comes every file of the
// corpus folders, then so many inputs of a fixed pseudo-random sequence. The same inputs on every machine; a
// crash names its input.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using bytes = std::vector<std::uint8_t>;

constexpr std::size_t longest_input = 512;

std::string current_input;

void run(const std::string& name, const bytes& input) {
    current_input = name;
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

// The process is lost; printing is the best that can still be tried.
extern "C" void name_the_input(int number) {
    std::fprintf(stderr, "the input was: %s\n", current_input.c_str());
    std::signal(number, SIG_DFL);
    std::raise(number);
}

bytes content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

unsigned replay_folder(const std::filesystem::path& folder) {
    unsigned files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        run(entry.path(), content_of(entry.path()));
        ++files;
    }
    return files;
}

bytes generated_input(std::mt19937& random) {
    bytes input(random() % longest_input);
    for (auto& byte : input) byte = static_cast<std::uint8_t>(random());
    return input;
}

void run_generated_inputs(unsigned long inputs) {
    for (unsigned seed = 0; seed < inputs; ++seed) {
        std::mt19937 random(seed);
        run("generated from seed " + std::to_string(seed), generated_input(random));
    }
}

} // namespace

int main(int count, char** arguments) {
    for (const int number : {SIGABRT, SIGSEGV, SIGILL, SIGTRAP}) std::signal(number, name_the_input);
    const unsigned long inputs = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 0;
    if (inputs == 0) {
        std::fprintf(stderr, "usage: %s INPUTS [CORPUS FOLDER]...\n", arguments[0]);
        return 2;
    }
    unsigned files = 0;
    for (int i = 2; i < count; ++i) files += replay_folder(arguments[i]);
    run_generated_inputs(inputs);
    std::printf("%u corpus files and %lu generated inputs\n", files, inputs);
}
