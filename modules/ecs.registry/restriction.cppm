// SPDX-License-Identifier: MIT
// A restriction: for a while only one partition, or one range, may be changed. What is refused is refused in
// every build type: by the return value, by restricted_error, and by the status out_of_partition.
//
//   a registry            every change, by whoever makes it
//   a concurrent one      the same, through all of its handles; begun and ended while nobody else is inside
//   a local_handle        what is created and destroyed through that handle; other threads do not notice
export module ecs.registry:restriction;
import ecs.std;

namespace ecs {

/// The scope of a restriction. It puts back what was allowed before, so that restrictions nest; they end in
/// the opposite order. It refers to what is restricted, which must stay where it is meanwhile. Made by
/// restrict_to of a registry or a handle.
template <class Allowed> class restriction_scope {
  public:
    restriction_scope(const restriction_scope&) = delete;
    restriction_scope& operator=(const restriction_scope&) = delete;
    constexpr ~restriction_scope() { *allowed_ = before_; }

    /// Allows this alone, until the scope ends.
    constexpr restriction_scope(Allowed& allowed, Allowed only)
        : allowed_(&allowed), before_(std::exchange(allowed, only)) {}

  private:
    Allowed* allowed_;
    Allowed before_;
};

} // namespace ecs
