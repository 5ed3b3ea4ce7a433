// SPDX-License-Identifier: MIT
// Every form of query together, kept while random worlds change, finds what asking each entity finds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

#include "query_questions.hpp"

namespace query_properties_test {
namespace {

using query_model::choices;
using query_model::scene;

std::vector<std::uint8_t> bytes() {
    const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
    return *rc::gen::container<std::vector<std::uint8_t>>(600, any_byte);
}

TEST(query_properties, kept_queries_find_what_each_entity_says) {
    std::size_t matches = 0;
    EXPECT_TRUE(rc::check("queries find what each entity says", [&] {
        const std::vector<std::uint8_t> program = bytes();
        choices from(program);
        scene in(from);
        std::vector<std::unique_ptr<query_model::question>> kept;
        for (int round = 0; round < 5; ++round) {
            if (round < 3)
                kept.push_back(query_model::shapes[from.below(query_model::shapes.size())](in, from));
            for (const auto& one : kept) {
                if (const std::string wrong = one->ask(in, from); !wrong.empty()) RC_FAIL(wrong);
                if (const std::string wrong = one->refuse(in, from); !wrong.empty()) RC_FAIL(wrong);
                matches += one->matches(in);
            }
            for (std::size_t changes = from.below(4); changes != 0; --changes) in.change();
        }
    }));
    EXPECT_GT(matches, 0U);
}

} // namespace
} // namespace query_properties_test
