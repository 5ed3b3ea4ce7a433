// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :spawner;

namespace ecs {

void spawner::add_or_end(entity e, id word) {
    add_result result = add_result::not_alive;
    try {
        result = store_.add(e, word);
    } catch (...) {
        store_.despawn(e);
        throw;
    }
    if (succeeded(result)) return;
    store_.despawn(e);
    throw std::invalid_argument("an entity cannot be spawned with that identifier: " +
                                std::string(to_string(result)));
}

void spawner::require_added(add_result result, std::string_view type_name) {
    if (!succeeded(result))
        throw std::invalid_argument(std::string(type_name) +
                                    " is refused: " + std::string(to_string(result)));
}

void spawner::keep(std::uint32_t number, std::unique_ptr<any_bundle> made) {
    if (number >= bundles_.size()) bundles_.resize(number + 1);
    bundles_[number] = std::move(made);
}

} // namespace ecs
