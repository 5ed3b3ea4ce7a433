// SPDX-License-Identifier: MIT
// How conditions are combined; see condition.cppm.
module ecs.query;
import ecs.std;

namespace ecs {

query_condition query_condition::join(query_condition one, const query_condition& other, step_kind how) {
    const std::size_t depth = std::max(one.depth_, other.depth_ + 1);
    if (depth > max_depth)
        throw std::invalid_argument("a condition is nested more than " + std::to_string(max_depth) +
                                    " deep: put the longer part first, or split it with a second where");
    const std::size_t before = one.asked_.size();
    one.asked_.insert(one.asked_.end(), other.asked_.begin(), other.asked_.end());
    for (const step& s : other.steps_) one.steps_.push_back({s.what, s.asked + before});
    one.steps_.push_back({how, 0});
    one.depth_ = depth;
    return one;
}

query_condition query_condition::opposite(query_condition of) {
    of.steps_.push_back({step_kind::negated, 0});
    return of;
}

} // namespace ecs
