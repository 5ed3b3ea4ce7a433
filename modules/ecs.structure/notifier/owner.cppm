// SPDX-License-Identifier: MIT
// The world as the code below it sees it. Hooks, observers and recorded functions are handed their world, and
// what calls them is below the class world: it passes on an owner_ref, which becomes the world where the
// function asks for one.
export module ecs.structure:owner;
import ecs.std;

export namespace ecs {

/// The base class of the class that owns an engine. That class calls itself `owner_class`.
class owner {
  protected:
    owner() = default;
    ~owner() = default;
};

/// The class whose objects an owner is: itself, and no class that is derived from it.
template <class World>
concept owning_class = std::same_as<std::remove_const_t<World>, typename World::owner_class>;

/// A reference to a world, which converts to `ecs::world&` and `const ecs::world&`. Made by the library.
class owner_ref {
  public:
    owner_ref() = default;
    explicit owner_ref(owner& of) : owner_(&of) {}

    template <owning_class World> operator World&() const { return static_cast<World&>(*owner_); }

  private:
    owner* owner_{};
};

} // namespace ecs
