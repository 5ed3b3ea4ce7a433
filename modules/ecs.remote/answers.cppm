// SPDX-License-Identifier: MIT
// The answers by kind of request: each function makes the answer to one kind, or throws refused_request.
module;
#include <nlohmann/json.hpp>
export module ecs.remote:answers;
import ecs.std;
import ecs.world;
import :exchange;
import :history;
import :names;
import :writing;

namespace ecs::remote {

/// How much an answer may take, and what it may do.
export struct answer_options {
    std::string token{};                        ///< The token of edits; empty: there are no edits.
    std::size_t rows_max = 10'000;              ///< The most rows of one answer, however many are asked for.
    std::chrono::nanoseconds budget{8'000'000}; ///< For one answer. Edits are made whole.
    const world_history* past{};                ///< The samples for statistics, if they are kept.
    ecs::schedule* schedule{}; ///< Its systems are shown, if there is one; it does not run meanwhile.
};

/// What the functions below use for an answer.
struct question {
    world& in;
    const request& asked;
    const answer_options& options;
    name_book names;
    time_limit limit;
    std::string_view rest; ///< The path behind the kind of request.
};

[[nodiscard]] json answer_query(const question& q);

[[nodiscard]] json answer_entity(const question& q);
[[nodiscard]] json answer_component(const question& q);
[[nodiscard]] json answer_type_info(const question& q);
[[nodiscard]] json answer_world(const question& q);

[[nodiscard]] json answer_components(const question& q);
[[nodiscard]] json answer_tables(const question& q);
[[nodiscard]] json answer_statistics(const question& q);
/// The entity for which clients ask every second to see whether the world is there.
[[nodiscard]] json world_summary(const question& q);

[[nodiscard]] json answer_layouts(const question& q);
[[nodiscard]] json answer_history(const question& q);
[[nodiscard]] json answer_schedule(const question& q);
/// Statistics of each system of the schedule.
[[nodiscard]] json pipeline_statistics(const question& q);

[[nodiscard]] json create_entity(const question& q);
[[nodiscard]] json delete_entity(const question& q);
[[nodiscard]] json put_component(const question& q);
[[nodiscard]] json delete_component(const question& q);
[[nodiscard]] json toggle(const question& q);

/// The answer to a request that takes longer than it may.
[[nodiscard]] response answer_too_late();

/// Makes the answer. Throws out_of_time.
[[nodiscard]] response answer_in_time(world& of, const request& asked, const answer_options& options);

/// The answer to a request, which is made from the world as it is: an entity, a query, statistics, or an
/// edit. What is wrong with a request is in the answer; nothing is thrown but std::bad_alloc. On the world's
/// thread, not inside a loop. Linear in what the answer says and what a query looks at, for no longer than
/// the budget, but for edits, which are made whole: the time is checked for each row, and while the variables
/// of a query are tried.
export [[nodiscard]] response answer(world& of, const request& asked, const answer_options& options = {});

} // namespace ecs::remote
