// SPDX-License-Identifier: MIT
// Objects with several owners. Not made by std::make_shared: std::shared_ptr declares it a friend, and where
// ecs.std exports it clang 19 can refuse that declaration in a file that includes <memory> as well
// (docs/compilers.md: friend that a module exports).
export module ecs.core:shared;
import ecs.std;

export namespace ecs {

/// A new T with one owner. Throws std::bad_alloc, and what the constructor throws.
template <class T, class... A> [[nodiscard]] std::shared_ptr<T> shared(A&&... arguments) {
    return std::shared_ptr<T>(std::make_unique<T>(std::forward<A>(arguments)...));
}

} // namespace ecs
