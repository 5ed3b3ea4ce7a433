// SPDX-License-Identifier: MIT
// What values were before an operation wrote them, for observers that ask. Copies are made before the write,
// and only of components for which somebody asks; they live until all have been told, also when that has to
// wait.
export module ecs.structure:previous_values;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;

export namespace ecs {

/// Copies of what one operation writes over. Not thread-safe.
class previous_values {
  public:
    /// Keeps a copy of the value, and which entity has it. Throws what the copy throws.
    void keep(entity owner, id word, const component_info& info, const void* value);
    /// The first kept value of what the pattern stands for; nullptr when there is none.
    [[nodiscard]] const void* find(entity owner, id pattern) const;

  private:
    struct kept_value {
        kept_value(entity of, id under, const component_info& info, const void* value);

        entity owner;
        id word;
        value_buffer copy;
    };

    std::deque<kept_value> kept_; ///< A buffer does not move.
};

} // namespace ecs
