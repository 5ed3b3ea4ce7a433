// SPDX-License-Identifier: MIT
// How operations of a world say what happened: with a result where a refusal is usual, with an exception
// where the caller was promised a value.
export module ecs.component:result;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;

export namespace ecs {

/// The result of an operation that changes what an entity has.
enum class add_result : std::uint8_t {
    added,               ///< The entity did not have it and now does.
    already_there,       ///< Nothing to do: the entity has it (set has replaced its value), or it is
                         ///< enabled or disabled already.
    removed,             ///< The entity had it and no longer does.
    not_there,           ///< Nothing to do: the entity does not have it.
    enabled,             ///< It was hidden from queries and no longer is.
    disabled,            ///< It is hidden from queries now, and was not before.
    deferred,            ///< An observer asked: it will be done when the change that set it off is complete.
    not_alive,           ///< Refused: the entity is null, stale or of another world, as world.status says, or
                         ///< its components come with the next flush.
    not_alive_id,        ///< Refused: the component, the relation or the target is not alive.
    wildcard,            ///< Refused: a pattern cannot be added, it can only be asked for.
    no_value,            ///< Refused: set was given no value, or one for a tag.
    not_constructible,   ///< Refused: the component has no default value; use set.
    not_copyable,        ///< Refused: values of the component cannot be copied.
    would_make_a_cycle,  ///< Refused: the relation is acyclic.
    target_not_allowed,  ///< Refused: the relation restricts its targets.
    is_final,            ///< Refused: the target allows no is_a.
    name_taken,          ///< Refused: the parent has a child of that name.
    kept_by_policy,      ///< Refused: a clean-up policy keeps the entity alive.
    needs_target,        ///< Refused: it is a relation and can be added in a pair only.
    contradiction,       ///< Refused: the property contradicts another that the relation has.
    relation_in_use,     ///< Refused: a property would not hold for pairs that exist already or come in the
                         ///< same edit, or a target would leave the group that its relation demands (one_of).
    excluded,            ///< Refused: the entity, or an instance of it, has something that excludes it.
    needed,              ///< Refused: the entity has something that needs what would go.
    is_permanent,        ///< Refused: what would go is permanent.
    is_relation_only,    ///< Refused: the target is relation_only.
    is_singleton,        ///< Refused: no entity has it but its own.
    sources_not_allowed, ///< Refused: a list of sources names one twice, or more than the relation allows.
    is_target_only,      ///< Refused: it is target_only, and would be a relation or stand alone.
    is_built_in,         ///< Refused: a property of a built-in relation would go, an entity that the world
                         ///< itself needs, or all that a component has; or what the world says of a component
                         ///< (component_info) would change.
};

/// Whether the entity is, or will be, as the operation asked.
[[nodiscard]] constexpr bool succeeded(add_result result) { return result <= add_result::deferred; }

/// The result of the end of an entity: true when it has ended, or will.
class despawn_result {
  public:
    constexpr explicit despawn_result(add_result reason) : reason_(reason) {}

    constexpr operator bool() const { return succeeded(reason_); }
    /// removed or deferred; for a refusal, not_alive, kept_by_policy or is_built_in.
    [[nodiscard]] constexpr add_result reason() const { return reason_; }

  private:
    add_result reason_;
};

/// The result in words, as error texts use it.
[[nodiscard]] std::string_view to_string(add_result result);
[[nodiscard]] inline std::string_view to_string(despawn_result result) { return to_string(result.reason()); }
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, add_result result) {
    return out << to_string(result);
}

/// A value was asked for that the entity does not have, or of an entity that is not alive. The text says
/// which entity, which component and why; the members say it to a program.
struct access_error : std::runtime_error {
    access_error(entity subject, id component, id_status status, const std::string& text)
        : std::runtime_error(text), subject(subject), component(component), status(status) {}

    entity subject;
    id component;
    id_status status; ///< The status of the subject; live when the component is missing.
};

/// Thrown when the structure of a world is to be changed while a loop walks over it, or patch writes a value.
struct iteration_error : std::logic_error {
    using std::logic_error::logic_error;
};

/// Something was asked of a world that has ended.
struct world_ended_error : std::logic_error {
    using std::logic_error::logic_error;
};

/// Why a snapshot was refused.
enum class snapshot_refusal : std::uint8_t {
    foreign_world,     ///< The snapshot is of another world.
    commands_pending,  ///< Commands are recorded and not flushed.
    not_copyable,      ///< The values of a component cannot be copied.
    not_savable,       ///< Nothing says how the values of a component are written down.
    not_left_out,      ///< What is to be left out of the saved world cannot be left out.
    not_a_snapshot,    ///< The bytes are something else, or of another version of the format.
    layouts_differ,    ///< Made with other layouts or partitions, or by another kind of machine.
    truncated,         ///< The bytes end too early.
    damaged,           ///< The checksum is wrong.
    unknown_component, ///< There is a component that the world does not know.
    component_differs, ///< A component has another size, alignment, storage or other members.
    index_in_use,      ///< An index is an entity in the snapshot and a component here.
    inconsistent,      ///< The bytes say something that cannot be true of a world.
};

[[nodiscard]] std::string_view to_string(snapshot_refusal reason);

/// A snapshot could not be made, or was refused: then the world is as it was. The text says what is wrong.
struct snapshot_error : std::runtime_error {
    snapshot_error(snapshot_refusal reason, const std::string& text)
        : std::runtime_error(text), reason(reason) {}

    snapshot_refusal reason;
};

/// All numbers of worlds, 255 with the usual handles, are in use or spent.
struct too_many_worlds : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Thrown when another entity in the same scope has the name that is to be given, or when it cannot be a
/// name.
struct name_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

} // namespace ecs
