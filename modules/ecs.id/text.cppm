// SPDX-License-Identifier: MIT
// Text made by the compiler. A writer is run twice, once to measure and once into an array of that size, so
// that diagrams and messages are constants and no importer pays for a string.
export module ecs.id:text;
import ecs.std;

namespace ecs {

/// A destination for text: memory, or, without memory, only a count of the characters.
class text_sink {
  public:
    constexpr text_sink() = default;
    constexpr explicit text_sink(char* destination) : destination_(destination) {}

    constexpr text_sink& put(char character) {
        if (destination_ != nullptr) destination_[size_] = character;
        ++size_;
        return *this;
    }

    constexpr text_sink& put(std::string_view text) {
        for (const char character : text) put(character);
        return *this;
    }

    constexpr text_sink& put_repeated(char character, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) put(character);
        return *this;
    }

    constexpr text_sink& put_number(std::uint64_t number) { return put_digits(number, 10, 1); }

    /// Writes a number as in a program: 0x and at least that many digits.
    constexpr text_sink& put_hex(std::uint64_t number, std::size_t digits = 1) {
        return put("0x").put_digits(number, 16, digits);
    }

    /// Writes bits as data sheets do: [high:low].
    constexpr text_sink& put_bits(unsigned high, unsigned low) {
        return put('[').put_number(high).put(':').put_number(low).put(']');
    }

    constexpr text_sink& put_quoted(std::string_view text) { return put('"').put(text).put('"'); }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }

  private:
    constexpr text_sink& put_digits(std::uint64_t number, unsigned base, std::size_t at_least) {
        char digits[20]; // 2^64 - 1 has 20 decimal digits.
        std::size_t count = 0;
        for (; number != 0 || count < at_least; number /= base)
            digits[count++] = "0123456789abcdef"[number % base];
        while (count != 0) put(digits[--count]);
        return *this;
    }

    char* destination_ = nullptr;
    std::size_t size_ = 0;
};

constexpr std::size_t digits_of(std::uint64_t number) {
    text_sink sink;
    return sink.put_number(number).size();
}

template <class Writer> consteval std::size_t rendered_size() {
    text_sink measure;
    Writer::write(measure);
    return measure.size();
}

template <class Writer> consteval auto render() {
    std::array<char, rendered_size<Writer>()> characters{};
    text_sink sink(characters.data());
    Writer::write(sink);
    return characters;
}

template <class Writer> inline constexpr auto rendered = render<Writer>();

/// The text that Writer::write writes; a constant that lives as long as the program.
template <class Writer> constexpr std::string_view text_of() {
    return {rendered<Writer>.data(), rendered<Writer>.size()};
}

} // namespace ecs
