// SPDX-License-Identifier: MIT
// What an entity gets that becomes an instance of another: an operation on the five floors, see store.cppm.
export module ecs.structure:instantiation;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :constraints;
import :despawner;
import :lookup;
import :notifier;
import :row_spawner;
import :structure;

export namespace ecs {

/// See the head of this file.
class instantiation {
  public:
    instantiation(store& rows, const lookup& ask, const constraints& laws, notifier& notices, structure& core,
                  despawner& ends, row_spawner& births)
        : rows_(rows), ask_(ask), laws_(laws), notices_(notices), core_(core), ends_(ends), births_(births) {}
    instantiation(const instantiation&) = delete;
    instantiation& operator=(const instantiation&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& ask() const { return ask_; }
    [[nodiscard]] inline const constraints& laws() const { return laws_; }
    [[nodiscard]] inline notifier& notices() const { return notices_; }
    [[nodiscard]] inline structure& core() const { return core_; }
    [[nodiscard]] inline despawner& ends() const { return ends_; }
    [[nodiscard]] inline row_spawner& births() const { return births_; }

    /// See world::sync.
    std::size_t sync(entity prefab);
    /// Gives the heir what it does not share with the base. When that fails, what was made ends, and the pair
    /// that asked for it goes.
    void inherit(entity heir, entity from);
    /// Makes the heir an instance of the base, and nothing else that follows from it.
    void become_heir(entity heir, entity from);

  private:
    store& rows_;
    const lookup& ask_;
    const constraints& laws_;
    notifier& notices_;
    structure& core_;
    despawner& ends_;
    row_spawner& births_;
};

} // namespace ecs
