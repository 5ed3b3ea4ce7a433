// SPDX-License-Identifier: MIT
// Names of types as clang spells them, made from the names of g++: saved worlds know components by their
// names, so that a type has one name whatever compiles it.
//
//   g++                               clang
//   {anonymous}::hero                 (anonymous namespace)::hero
//   hero@game                         hero                             of a module
//   f(int)::local                     local                            of a function
//   long unsigned int                 unsigned long
//   const char* const&                const char *const &
//   int [3]                           int[3]
//   std::__cxx11::basic_string<char>  std::basic_string<char>
//
// One difference stays: the 3 of tagged<3U>, whose parameter is `auto`, has no suffix in the name that g++
// gives.
export module ecs.component:spelling;
import ecs.std;

export namespace ecs {

/// Writes the name, or counts what it would write. Names of arguments within arguments are followed as deep
/// as `depth_max`; deeper ones keep the function that they are local to.
class clang_spelling {
  public:
    /// Writes to that place, which has room for the size() of an earlier run; without a place it only counts.
    constexpr explicit clang_spelling(std::span<char> to = {}) : to_(to) {}

    constexpr clang_spelling& write(std::string_view name) {
        rest_ = name;
        while (!rest_.empty()) write_next();
        return *this;
    }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }

  private:
    struct other_word {
        std::string_view from;
        std::string_view to;
    };

    static constexpr std::size_t depth_max = 16;
    static constexpr other_word symbols[]{{"{anonymous}", "(anonymous namespace)"}, {" [", "["}};
    static constexpr other_word words[]{{"long long unsigned int", "unsigned long long"},
                                        {"long long int", "long long"},
                                        {"long unsigned int", "unsigned long"},
                                        {"long int", "long"},
                                        {"short unsigned int", "unsigned short"},
                                        {"short int", "short"},
                                        {"__cxx11::", ""},
                                        {"_V2::", ""}};

    [[nodiscard]] static constexpr bool is_in_word(char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    constexpr void write_next() {
        if (replace(symbols) || (!is_in_word(last_) && replace(words))) return;
        if (rest_.front() == '@')
            skip_module();
        else if (rest_.starts_with("::") && (last_ == ')' || last_ == ']') && !follows_namespace_)
            forget_function();
        else
            write_letter(rest_.front());
    }

    constexpr bool replace(std::span<const other_word> others) {
        const auto found =
            std::ranges::find_if(others, [&](const other_word& word) { return matches(word.from); });
        if (found == others.end()) return false;
        rest_.remove_prefix(found->from.size());
        for (const char c : found->to) put(c);
        follows_namespace_ = found->to.ends_with(" namespace)");
        return true;
    }

    /// Whether the text is next, and not the beginning of a longer word.
    [[nodiscard]] constexpr bool matches(std::string_view text) const {
        return rest_.starts_with(text) &&
               (!is_in_word(text.back()) || rest_.size() == text.size() || !is_in_word(rest_[text.size()]));
    }

    /// The name of a module is words, points, and one colon before that of a partition.
    constexpr void skip_module() {
        std::size_t end = 1;
        while (end < rest_.size() && (is_in_word(rest_[end]) || rest_[end] == '.' || begins_partition(end)))
            ++end;
        rest_.remove_prefix(end);
    }

    [[nodiscard]] constexpr bool begins_partition(std::size_t at) const {
        return rest_[at] == ':' && at + 1 < rest_.size() && is_in_word(rest_[at + 1]) && rest_[at - 1] != ':';
    }

    /// Forgets what was written of the argument: it was the function to which the argument is local.
    constexpr void forget_function() {
        rest_.remove_prefix(2);
        if (depth_ < depth_max) size_ = begins_[depth_];
        last_ = ' ';
    }

    constexpr void write_letter(char c) {
        rest_.remove_prefix(1);
        follows_namespace_ = false;
        if ((c == '*' || c == '&') && (is_in_word(last_) || last_ == '>' || last_ == ')' || last_ == ']'))
            put(' ');
        if (c == ' ' && (last_ == '*' || last_ == '&')) return;
        if ((c == '>' || c == ')') && depth_ != 0) --depth_;
        put(c);
        if (c == '<' || c == '(') ++depth_;
        if (c == '<' || (c == ' ' && before_last_ == ',')) begin_argument();
    }

    constexpr void begin_argument() {
        if (depth_ < depth_max) begins_[depth_] = size_;
    }

    constexpr void put(char c) {
        if (size_ < to_.size()) to_[size_] = c; // What is forgotten may be longer.
        ++size_;
        before_last_ = last_;
        last_ = c;
    }

    std::string_view rest_{};
    std::span<char> to_;
    std::size_t size_{};
    std::size_t depth_{};
    std::size_t begins_[depth_max]{}; ///< Where the argument began, for each depth of brackets.
    char before_last_ = ' ';
    char last_ = ' ';
    bool follows_namespace_{}; ///< The bracket that ends the name is that of a namespace, not of a function.
};

} // namespace ecs
