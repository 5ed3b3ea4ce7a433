// SPDX-License-Identifier: MIT
// Queries that no variable of the caller holds: those of loops that read their terms from a function's
// parameters. Each is made once, and made again when the type of a term gets another entity. Functions share
// the query of their terms, unless it asks for what has happened since it last looked: when one of them
// looks, the others have not looked.
export module ecs.query:query_cache;
import ecs.std;
import ecs.component;
import ecs.structure;
import :filter;
import :query;
import :term;

export namespace ecs {

class query_cache {
  public:
    explicit query_cache(engine& of) : engine_(of) {}

    /// The query of the terms.
    template <class... Terms> query<Terms...>& query_of(term_list<Terms...> terms) {
        return query_for<term_list<Terms...>>(terms);
    }
    /// The query of the terms that the parameters of a function stand for.
    template <class F> auto& query_of_function() {
        using terms = terms_of_function<F>;
        if constexpr (!lists_news<terms>)
            return query_of(terms{});
        else {
            using function = std::remove_cvref_t<F>;
            static_assert(
                std::is_class_v<function>,
                "a loop that asks what has changed since it last looked is known by the type of its "
                "function, which functions of one signature share: pass a lambda, or keep a query");
            return query_for<function>(terms{});
        }
    }

  private:
    template <class Key, class... Terms> query<Terms...>& query_for(term_list<Terms...>) {
        const std::uint32_t number = type_number<Key, type_series::keys>();
        any_query* known = number < queries_.size() ? queries_[number].get() : nullptr;
        if (!known || !is_good(*known)) [[unlikely]] {
            known = new kept_query<Terms...>(engine_);
            keep(number, known);
        }
        return static_cast<kept_query<Terms...>*>(known)->value;
    }

    struct any_query {
        explicit any_query(std::uint64_t forgotten) : forgotten_types(forgotten) {}
        any_query(const any_query&) = delete;
        any_query& operator=(const any_query&) = delete;
        virtual ~any_query() = default;

        std::uint64_t forgotten_types; ///< What the store had when the terms were looked up.
        const query_core* asked{};
    };
    template <class... Terms> struct kept_query final : any_query {
        explicit kept_query(engine& of) : any_query(of.rows().forgotten_types()), value(of) {
            asked = &value.untyped();
        }
        query<Terms...> value;
    };

    /// Whether the types of the query still have the same entities.
    [[nodiscard]] inline bool is_good(any_query& known) const {
        if (known.forgotten_types == engine_.rows().forgotten_types()) [[likely]]
            return true;
        known.forgotten_types = engine_.rows().forgotten_types();
        return !known.asked->names_ended();
    }

    /// Takes ownership of the query. Importers hand over a pointer, because their compiler then need not look
    /// into std::unique_ptr.
    void keep(std::uint32_t number, any_query* made) {
        std::unique_ptr<any_query> owned(made);
        if (number >= queries_.size()) queries_.resize(number + 1);
        queries_[number] = std::move(owned);
    }

    engine& engine_;
    std::vector<std::unique_ptr<any_query>> queries_; ///< By the number of the key.
};

} // namespace ecs
