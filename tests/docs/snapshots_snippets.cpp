// SPDX-License-Identifier: MIT
// The examples of docs/snapshots.md, in its order.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>
import ecs.world;

struct position {
    int x;
};

namespace their {
/// A type of another library's.
class type {
  public:
    explicit type(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};
} // namespace their

struct label {
    std::string text;
    void save(ecs::snapshot_writer& to) const { to.write(text); }
    static label load(ecs::snapshot_reader& from) { return {from.read<std::string>()}; }
};
template <> struct ecs::snapshot_traits<their::type> {
    static void save(const their::type& value, ecs::snapshot_writer& to) { to.write(value.text()); }
    static their::type load(ecs::snapshot_reader& from) { return their::type(from.read<std::string>()); }
};

struct texture {
    std::unique_ptr<int> pixels;
};
struct sees {};

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("snapshots_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

void simulate(ecs::world& world) {
    world.each([](position& p) { ++p.x; });
    world.spawn(position{7});
}

void a_way_back() {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1});
    const ecs::snapshot then = world.snapshot();
    simulate(world);
    world.restore(then); // as often as one likes
    require(world.get<position>(e).x == 1 && world.count<position>() == 1, __LINE__);
}

void a_saved_world() {
    ecs::world world;
    ecs::world other;
    world.spawn("Ship", position{1}, label{"Aurora"}, their::type("oak"));
    other.component<position>();
    other.component<label>();
    other.component<their::type>();
    const std::vector<std::byte> bytes = ecs::save(world);
    ecs::load(other, bytes);
    const auto lean = ecs::save(world, {.without = {world.component<texture>(), world.component<sees>()}});
    require(lean.size() == bytes.size(), __LINE__);
    const ecs::entity ship = other.lookup("Ship");
    require(other.get<position>(ship).x == 1 && other.get<label>(ship).text == "Aurora", __LINE__);
    require(other.get<their::type>(ship).text() == "oak", __LINE__);
}

} // namespace

int main() {
    a_way_back();
    a_saved_world();
}
