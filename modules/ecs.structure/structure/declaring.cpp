// SPDX-License-Identifier: MIT
// A relation gets a property, or loses one: the digest of the traits follows, and edges that were found under
// other traits are forgotten.
module ecs.structure;
import ecs.std;

namespace ecs {

void structure::prepare_to_declare(entity relation, id property) {
    rows_.all_traits().reserve_one(index_of(relation));
    const trait added = rule_of_property(property);
    if (added == trait::needs) rows_.all_traits().reserve_one(property.target_index());
    if (added == trait::non_fragmenting) add(relation, exclusive);
    if (added == trait::needs)
        add(relation, pair(rows_.resolve(with), rows_.entities().at(property.target_index())));
}

void structure::declare(entity relation, id property) noexcept {
    rows_.set_trait(relation, property);
    rows_.invalidate_edges();
}

void structure::retract(entity relation, id property) noexcept {
    rows_.clear_trait(relation, property);
    rows_.invalidate_edges();
}

} // namespace ecs
