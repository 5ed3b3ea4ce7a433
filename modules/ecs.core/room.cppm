// SPDX-License-Identifier: MIT
// Room that is made before it is needed, so that what follows cannot fail.
export module ecs.core:room;
import ecs.std;

export namespace ecs {

/// Makes room, so that the next push_back cannot fail. Throws std::bad_alloc. Amortised constant time: a list
/// that asked for one place at a time would move with each.
template <class T> void reserve_one(std::vector<T>& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

} // namespace ecs
