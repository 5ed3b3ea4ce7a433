// SPDX-License-Identifier: MIT
// A bar on the terminal while long work goes on; a line for each tenth where there is no terminal.
#pragma once
#include <cstdio>
#include <string>
#include <unistd.h>

namespace skirmish {

class progress {
  public:
    explicit progress(unsigned steps) : steps_(steps) {}
    ~progress() {
        if (terminal_) std::fputs("\r\033[K", stderr);
    }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    void step(unsigned done, const std::string& what) {
        const unsigned percent = steps_ == 0 ? 100 : static_cast<unsigned>(100ULL * done / steps_);
        if (percent == shown_) return;
        if (terminal_)
            draw(percent, what);
        else if (percent % 10 == 0)
            std::fprintf(stderr, "%3u %%  %s\n", percent, what.c_str());
        shown_ = percent;
    }

  private:
    static void draw(unsigned percent, const std::string& what) {
        const std::string done(percent / 2, '#'), left(50 - percent / 2, '.');
        std::fprintf(stderr, "\r\033[K[%s%s] %3u %%  %s", done.c_str(), left.c_str(), percent, what.c_str());
    }

    unsigned steps_;
    unsigned shown_ = 101;
    bool terminal_ = ::isatty(2) != 0;
};

} // namespace skirmish
