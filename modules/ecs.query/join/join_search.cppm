// SPDX-License-Identifier: MIT
// Goes through the levels of a plan: at each, one variable takes the values that are on all of its lists.
export module ecs.query:join_search;
import ecs.std;
import ecs.structure;
import :join_plan;
import :joins;

export namespace ecs {

/// See the head of this file. Returns the number of answers. Throws what the visitor throws.
[[nodiscard]] std::size_t run_plan(engine& of, join_subjects& subjects, join_memory& memory, join_plan& plan,
                                   std::span<const std::string> names, const join::wish& asked);

} // namespace ecs
