// SPDX-License-Identifier: MIT
// Conditions that are made of other conditions, and those that need no types.
module ecs.world;
import ecs.std;

namespace ecs {

condition::condition(const condition& other) : body_(other.body_ ? other.body_->clone() : nullptr) {}

condition& condition::operator=(const condition& other) {
    condition copy(other);
    body_ = std::move(copy.body_);
    return *this;
}

void condition::bind(engine& in, bool anew) {
    if (body_) body_->bind(in, anew);
}

bool condition::ask(const system_input& input) { return !body_ || body_->ask(input); }

/// Two conditions: the second one is asked when the first one does not decide.
class condition_of_two final : public condition_body {
  public:
    condition_of_two(condition a, condition b, bool one_is_enough)
        : first_(std::move(a)), second_(std::move(b)), one_is_enough_(one_is_enough) {}

    void bind(engine& in, bool anew) override {
        first_.bind(in, anew);
        second_.bind(in, anew);
    }
    [[nodiscard]] bool ask(const system_input& input) override {
        return first_.ask(input) == one_is_enough_ ? one_is_enough_ : second_.ask(input);
    }
    [[nodiscard]] std::unique_ptr<condition_body> clone() const override {
        return std::make_unique<condition_of_two>(first_, second_, one_is_enough_);
    }

  private:
    condition first_;
    condition second_;
    bool one_is_enough_;
};

class negated_condition final : public condition_body {
  public:
    explicit negated_condition(condition of) : of_(std::move(of)) {}

    void bind(engine& in, bool anew) override { of_.bind(in, anew); }
    [[nodiscard]] bool ask(const system_input& input) override { return !of_.ask(input); }
    [[nodiscard]] std::unique_ptr<condition_body> clone() const override {
        return std::make_unique<negated_condition>(of_);
    }

  private:
    condition of_;
};

condition condition::joined(condition a, condition b, bool one_is_enough) {
    return condition(std::make_unique<condition_of_two>(std::move(a), std::move(b), one_is_enough));
}

condition condition::negated(condition a) {
    return condition(std::make_unique<negated_condition>(std::move(a)));
}

/// A copy knows what the original knows, until it was bound to one world and is bound to another.
class first_time_condition final : public condition_body {
  public:
    void bind(engine&, bool anew) override {
        if (std::exchange(was_bound_, true) && anew) asked_ = false;
    }
    [[nodiscard]] bool ask(const system_input&) override { return !std::exchange(asked_, true); }
    [[nodiscard]] std::unique_ptr<condition_body> clone() const override {
        auto made = std::make_unique<first_time_condition>();
        made->asked_ = asked_;
        return made;
    }

  private:
    bool asked_{};
    bool was_bound_{};
};

condition once() { return condition(std::make_unique<first_time_condition>()); }

condition every(std::uint64_t runs) {
    if (runs == 0)
        throw std::invalid_argument("a condition that holds in every n-th run asks for n of 1 or more");
    return [runs](const tick& now) { return now.number % runs == 0; };
}

} // namespace ecs
