// SPDX-License-Identifier: MIT
// The order of systems that a program asks for, by the names of systems, of sets and of phases:
//
//   system after a system      an edge within a phase; across phases the order of the phases has to agree
//   system after a set         the same for each of its members
//   system after a phase       the system's own phase has to come later
//   set after any of them      the same for each member of the set
//   set without members        what comes before it comes before what comes after it
export module ecs.world:system_order;
import ecs.std;
import ecs.core;
import ecs.structure;
import :schedule;
import :system;
import :system_graph;

namespace ecs {

// g++ 16 cannot complete the element of a span while it reads another module (docs/compilers.md: span of
// incomplete).
static_assert(sizeof(std::unique_ptr<system_set>) == sizeof(system_set*));

/// The place of a system.
struct system_place {
    std::size_t phase;
    std::size_t system; ///< The place within the phase.
};

/// See the head of this file. Looks at phases and sets that do not change meanwhile.
class asked_order {
  public:
    /// Throws schedule_setup_error when a system or a set is a member of a set that is not there, or a set is
    /// one of itself.
    asked_order(std::span<const phase_of_systems> phases, std::span<const std::unique_ptr<system_set>> sets);

    /// The pairs of systems of each phase that are ordered, the first before the second. Throws
    /// schedule_setup_error when a name is unknown, or what is asked contradicts the order of the phases.
    [[nodiscard]] std::vector<std::vector<system_pair>> find();

    /// The sets of which the system is a member, also by way of others; outer sets come first.
    [[nodiscard]] std::vector<system_set*> sets_of(const scheduled_system& of) const;

  private:
    [[nodiscard]] std::size_t find_set(std::string_view name) const;
    [[nodiscard]] std::vector<std::size_t> numbers_of_sets(const scheduled_system& of) const;
    [[nodiscard]] std::vector<std::size_t> sets_named(const std::vector<std::string>& names,
                                                      const std::string& title) const;
    void add_set(std::vector<std::size_t>& found, std::vector<std::size_t>& open, const std::string& title,
                 const std::string& name) const;
    void add_all(std::span<const system_place> subjects, const std::string& title,
                 const std::vector<std::string>& after, const std::vector<std::string>& before);
    void add(std::span<const system_place> subjects, const std::string& title, const std::string& other,
             bool is_after);
    void require_known(const std::string& title, const std::string& name) const;
    /// What has to end before a set, or to wait for it.
    struct neighbours {
        std::size_t of; ///< The set.
        std::vector<system_place> systems;
        std::vector<std::size_t> phases;
    };
    void order_across(std::size_t empty);
    void require_order(std::size_t set, std::size_t first, std::size_t second) const;
    void gather(neighbours& found, std::vector<bool>& seen, std::size_t set, bool earlier) const;
    void gather_named(neighbours& found, std::vector<bool>& seen, std::string_view name, bool earlier) const;
    void gather_who_asks(neighbours& found, std::vector<bool>& seen, const std::string& name,
                         bool earlier) const;
    void order(system_place first, system_place second);
    void order_by_phase(system_place subject, std::size_t phase, bool is_after) const;
    [[nodiscard]] const std::string& name_of(system_place at) const;
    [[noreturn]] void refuse(std::size_t first, std::size_t second, const std::string& circle,
                             const std::string& asked) const;
    [[nodiscard]] std::optional<system_place> find_system(std::string_view name) const;
    [[nodiscard]] std::optional<std::size_t> find_phase(std::string_view name) const;

    std::span<const phase_of_systems> phases_;
    std::span<const std::unique_ptr<system_set>> sets_;
    std::vector<std::vector<system_place>> members_; ///< The members of each set.
    std::vector<std::vector<system_pair>> found_;    ///< The pairs of each phase.
    std::vector<flat_map<bool>> known_;              ///< The same pairs, to look for one.
};

} // namespace ecs
