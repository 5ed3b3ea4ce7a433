// SPDX-License-Identifier: MIT
export module id;

export template <class Layout> class basic_id {
  public:
    long index() const { return word; }

  private:
    long word{};
};
/// Complete nowhere in this module: with a static_assert of its size here, g++ 16 loads it.
export using entity = basic_id<int>;
