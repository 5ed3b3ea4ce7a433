// SPDX-License-Identifier: MIT
// Component types that count their lives, so that a lost, doubled or leaked value shows.
#pragma once
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

/// Counts how many values of it exist; each value owns memory, so that a sanitizer sees what the count does
/// not.
template <int Kind> class counted {
  public:
    counted() : counted(0) {}
    explicit counted(int value) : value_(std::make_unique<int>(value)) { ++lives; }
    counted(const counted& other) : counted(*other.value_) {}
    counted(counted&& other) noexcept : value_(std::move(other.value_)) { ++lives; }
    counted& operator=(const counted& other) {
        value_ = std::make_unique<int>(*other.value_);
        return *this;
    }
    counted& operator=(counted&&) noexcept = default;
    ~counted() { --lives; }

    [[nodiscard]] int value() const { return *value_; }

    static inline int lives = 0;

  private:
    std::unique_ptr<int> value_;
};

/// Counts its lives and cannot be copied.
class move_only {
  public:
    explicit move_only(int value) : value_(std::make_unique<int>(value)) { ++lives; }
    move_only(move_only&& other) noexcept : value_(std::move(other.value_)) { ++lives; }
    move_only& operator=(move_only&&) noexcept = default;
    ~move_only() { --lives; }

    [[nodiscard]] int value() const { return *value_; }

    static inline int lives = 0;

  private:
    std::unique_ptr<int> value_;
};

/// Throws from its next construction after `fuse` others, when a fuse is set.
class explosive {
  public:
    struct explosion : std::runtime_error {
        explosion() : std::runtime_error("bang") {}
    };

    explosive() {
        burn();
        ++lives;
    }
    explicit explosive(int v) : explosive() { value = v; }
    explosive(const explosive& other) : value(other.value) {
        burn();
        ++lives;
    }
    explosive(explosive&& other) noexcept : value(other.value) { ++lives; }
    explosive& operator=(const explosive&) = default;
    explosive& operator=(explosive&&) noexcept = default;
    ~explosive() { --lives; }

    int value = 0;

    static inline int lives = 0;
    static inline int fuse = -1; ///< Constructions that still succeed; negative: no fuse.

  private:
    static void burn() {
        if (fuse < 0) return;
        if (fuse-- == 0) throw explosion();
    }
};
