// SPDX-License-Identifier: MIT
// The writer and the reader of saved worlds: values one behind the other, without gaps. The reader trusts
// nothing: it asks for the bytes before it makes room for them.
export module ecs.component:bytes;
import ecs.std;
import ecs.core;
import :result;

export namespace ecs {

class snapshot_writer;
class snapshot_reader;

/// How the values of a type are saved, when they are more than their bytes: specialise it for a type of
/// another library, or give the type `void save(ecs::snapshot_writer&) const` and `static T
/// load(ecs::snapshot_reader&)`. load may throw anything when it cannot accept what it reads.
template <class T> struct snapshot_traits {
    static void save(const T& value, snapshot_writer& to)
        requires requires { value.save(to); }
    {
        value.save(to);
    }
    static T load(snapshot_reader& from)
        requires requires {
            { T::load(from) } -> std::same_as<T>;
        }
    {
        return T::load(from);
    }
};

/// A type that says how it is saved.
template <class T>
concept saves_itself = requires(const T& value, snapshot_writer& to, snapshot_reader& from) {
    snapshot_traits<T>::save(value, to);
    { snapshot_traits<T>::load(from) } -> std::same_as<T>;
};

/// A type whose values can be saved: as it says, or byte by byte. Pointers are bytes, too: a program that
/// keeps them should say how they are saved.
template <class T>
concept savable = saves_itself<T> || is_trivial_to_copy<T>;

/// Appends values to a list of bytes. Everything may throw std::bad_alloc.
class snapshot_writer {
  public:
    explicit snapshot_writer(std::vector<std::byte>& to) : to_(&to) {}

    template <savable T> void write(const T& value) {
        if constexpr (saves_itself<T>)
            snapshot_traits<T>::save(value, *this);
        else
            write_bytes({reinterpret_cast<const std::byte*>(std::addressof(value)), sizeof(T)});
    }
    inline void write_bytes(std::span<const std::byte> bytes) {
        to_->insert(to_->end(), bytes.begin(), bytes.end());
    }

    /// Writes the length, then the characters.
    inline void write_text(std::string_view text) {
        write(std::uint64_t{text.size()});
        write_bytes(std::as_bytes(std::span(text)));
    }

    [[nodiscard]] inline std::size_t size() const { return to_->size(); }

    /// Overwrites a number that was written at that place.
    inline void correct(std::size_t place, std::uint64_t number) {
        std::memcpy(to_->data() + place, &number, sizeof(number));
    }

  private:
    std::vector<std::byte>* to_;
};

/// Reads what a snapshot_writer wrote. A read beyond the last byte throws snapshot_error.
class snapshot_reader {
  public:
    explicit snapshot_reader(std::span<const std::byte> from) : left_(from) {}

    template <savable T> [[nodiscard]] T read() {
        if constexpr (saves_itself<T>) {
            return snapshot_traits<T>::load(*this);
        } else {
            alignas(T) std::byte bytes[sizeof(T)];
            std::memcpy(bytes, read_bytes(sizeof(T)).data(), sizeof(T));
            return *reinterpret_cast<T*>(bytes);
        }
    }
    [[nodiscard]] inline std::span<const std::byte> read_bytes(std::size_t count) {
        if (count > left_.size()) refuse(count);
        const std::span<const std::byte> taken = left_.first(count);
        left_ = left_.subspan(count);
        return taken;
    }

    /// Reads the number of things that follow, each of which takes at least that many bytes, one or more:
    /// throws snapshot_error when there are not so many bytes.
    [[nodiscard]] inline std::size_t read_count(std::size_t bytes_each) {
        const auto count = read<std::uint64_t>();
        if (count > left_.size() / bytes_each) refuse(count);
        return static_cast<std::size_t>(count);
    }
    [[nodiscard]] inline std::string read_text() {
        const std::span<const std::byte> text = read_bytes(read_count(1));
        return {reinterpret_cast<const char*>(text.data()), text.size()};
    }

    [[nodiscard]] inline std::size_t left() const { return left_.size(); }

  private:
    [[noreturn]] static inline void refuse(std::uint64_t count) {
        throw snapshot_error(snapshot_refusal::truncated, "the snapshot ends before " +
                                                              std::to_string(count) +
                                                              " more things it announces");
    }

    std::span<const std::byte> left_;
};

template <> struct snapshot_traits<std::string> {
    static inline void save(const std::string& text, snapshot_writer& to) { to.write_text(text); }
    static inline std::string load(snapshot_reader& from) { return from.read_text(); }
};

/// The elements of a list write a byte each, or more: a number of elements is compared with the bytes that
/// are left before room is made for them.
template <savable T> struct snapshot_traits<std::vector<T>> {
    static void save(const std::vector<T>& list, snapshot_writer& to) {
        to.write(std::uint64_t{list.size()});
        const std::size_t begin = to.size();
        for (const T& element : list) to.write(element);
        if (to.size() - begin < list.size())
            throw snapshot_error(
                snapshot_refusal::not_savable,
                "the elements of a std::vector write less than a byte each: nobody could load it");
    }
    static std::vector<T> load(snapshot_reader& from) {
        std::vector<T> list;
        for (std::size_t left = from.read_count(1); left != 0; --left) list.push_back(from.read<T>());
        return list;
    }
};

} // namespace ecs
