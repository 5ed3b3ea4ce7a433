// SPDX-License-Identifier: MIT
// GET /query: the matches of a query, row by row.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

/// Ends a loop that has found as many matches as were asked for.
struct enough {};

class query_answer {
  public:
    explicit query_answer(const question& q)
        : q_(&q),
          writer_(q.in, q.names, row_parts(q.asked)),
          asked_(read_expression(q.in, q.names, text(q.asked, "expr"))),
          query_(q.in.query(asked_.own_text())),
          left_(std::min(number(q.asked, "limit", 1000), q.options.rows_max)),
          skip_(number(q.asked, "offset", 0)),
          fields_(flag(q.asked, "fields", true)),
          shows_library_(flag(q.asked, "builtin")) {}

    [[nodiscard]] json answer() {
        json made = json::object();
        if (flag(q_->asked, "field_info")) made["field_info"] = field_info();
        if (flag(q_->asked, "query_info")) made["query_info"] = query_info();
        if (flag(q_->asked, "query_plan")) made["query_plan"] = query_.text();
        if (flag(q_->asked, "results", true)) made["results"] = rows();
        return made;
    }

  private:
    using kind = asked_term::kind;
    using demand = asked_term::demand;

    [[nodiscard]] static entity_parts row_parts(const request& asked) {
        entity_parts parts = parts_of(asked);
        parts.has = flag(asked, "table");
        return parts;
    }

    // Rows.

    [[nodiscard]] json rows() {
        json all = json::array();
        if (std::ranges::any_of(asked_.terms, asks_for_nobody)) return all;
        const auto row = [&](const text_match& m) {
            q_->limit.check();
            if ((is_of_library(q_->in, m.subject()) && !shows_library_) || !satisfies(m.subject())) return;
            if (skip_ != 0) return void(--skip_);
            if (left_ == 0) throw enough{};
            --left_;
            all.push_back(row_to_json(m));
        };
        try {
            query_.each(row, [&] { q_->limit.check(); });
        } catch (const enough&) {
            return all;
        }
        return all;
    }

    [[nodiscard]] static bool asks_for_nobody(const asked_term& t) {
        return t.what == kind::nobody && t.asked == demand::required;
    }

    /// Whether the entity satisfies the terms beside the query.
    [[nodiscard]] bool satisfies(entity e) const {
        return std::ranges::all_of(asked_.terms, [&](const asked_term& t) {
            return t.what == kind::plain || t.asked == demand::optional ||
                   holds(t, e) == (t.asked == demand::required);
        });
    }

    [[nodiscard]] bool holds(const asked_term& t, entity e) const {
        switch (t.what) {
        case kind::has_sources: return has_sources(e, t.relation);
        case kind::target_if_any: return static_cast<bool>(q_->in.target_of(e, t.relation));
        case kind::is_called: return is_called(e, t.part);
        case kind::is_called_like: return q_->names.name_of(e).find(t.part) != std::string::npos;
        case kind::is_had: return std::ranges::binary_search(uses().had, e.index());
        case kind::is_relation: return std::ranges::binary_search(uses().related, e.index());
        default: return false;
        }
    }

    /// Which entities are in the types of tables, by index.
    struct uses_of_entities {
        std::vector<std::uint64_t> had, related;
    };

    [[nodiscard]] const uses_of_entities& uses() const {
        if (uses_) return *uses_;
        uses_.emplace();
        for (const table_summary& table : q_->in.tables())
            for (const id word : table.type) {
                if (word.is_entity()) uses_->had.push_back(word.as_entity().index());
                if (word.has_relation()) uses_->related.push_back(word.relation_index());
            }
        std::ranges::sort(uses_->had);
        std::ranges::sort(uses_->related);
        return *uses_;
    }

    [[nodiscard]] bool is_called(entity e, const std::string& name) const {
        return q_->names.name_of(e) == name || q_->names.path_of(e) == name || q_->names.find(name, '.') == e;
    }

    [[nodiscard]] bool has_sources(entity e, entity relation) const {
        if (relation.index() != child_of.index()) return !q_->in.sources(e, relation).empty();
        for ([[maybe_unused]] const entity child : q_->in.children(e)) return true;
        return false;
    }

    [[nodiscard]] json row_to_json(const text_match& m) const {
        json row = writer_.entity_to_json(m.subject());
        if (!asked_.variables.empty()) row["vars"] = variables(m);
        if (fields_ && !flag(q_->asked, "table"))
            if (json fields = fields_to_json(m); !fields.empty()) row["fields"] = std::move(fields);
        return row;
    }

    [[nodiscard]] json variables(const text_match& m) const {
        json made = json::object();
        for (const std::string& name : asked_.variables) made[name] = value_of_variable(m, name);
        return made;
    }

    [[nodiscard]] std::string value_of_variable(const text_match& m, const std::string& name) const {
        for (const asked_term& t : asked_.terms)
            if (t.what == kind::target_if_any && t.variable == name) {
                const entity target = q_->in.target_of(m.subject(), t.relation);
                return target ? q_->names.path_of(target) : "*";
            }
        return q_->names.path_of(m[name]);
    }

    // Fields: a list for each of their properties, which is left out where it says nothing.

    struct field_lists {
        json is_set = json::array(), ids = json::array(), sources = json::array(), values = json::array();
        bool one_missing{}, one_elsewhere{}, one_with_value{};
    };

    [[nodiscard]] json fields_to_json(const text_match& m) const {
        field_lists lists;
        std::size_t field = 0;
        for (const asked_term& t : asked_.terms) {
            if (t.what != kind::plain)
                add_beside(lists, t, m.subject());
            else
                for (std::size_t i = 0; i < t.fields; ++i) add_field(lists, t, m, field++);
        }
        json made = json::object();
        if (lists.one_missing || asked_.can_miss_one()) made["is_set"] = std::move(lists.is_set);
        if (asked_.can_vary()) made["ids"] = std::move(lists.ids);
        if (lists.one_elsewhere) made["sources"] = std::move(lists.sources);
        if (lists.one_with_value) made["values"] = std::move(lists.values);
        return made;
    }

    void add_field(field_lists& to, const asked_term& t, const text_match& m, std::size_t field) const {
        const bool is_set = m.has(field) || (t.asked == demand::required && !t.is_compound());
        const id word = m.has(field) ? m.word(field) : id{};
        const entity source = m.has(field) ? m.source(field) : entity{};
        add(to, is_set, t.is_open() && word ? id_to_json(word) : json(0),
            source && source != m.subject() ? json(q_->names.path_of(source)) : json(0));
        const bool has_value = is_set && t.access != "none" && q_->in.value_type_of(word);
        const void* const value = has_value ? m.value(field) : nullptr;
        to.values.push_back(value ? writer_.value_to_json(word, value) : json(0));
        to.one_with_value |= value != nullptr && flag(q_->asked, "values", true);
    }

    static void add(field_lists& to, bool is_set, json word, json source) {
        to.one_missing |= !is_set;
        to.one_elsewhere |= source != 0;
        to.is_set.push_back(is_set);
        to.ids.push_back(std::move(word));
        to.sources.push_back(std::move(source));
    }

    void add_beside(field_lists& to, const asked_term& t, entity e) const {
        const bool is_set = holds(t, e) && t.what != kind::is_called && t.what != kind::is_called_like;
        const std::string relation = t.relation ? q_->names.path_of(t.relation) : "";
        json word = 0, source = 0;
        if (is_set && t.what == kind::has_sources) {
            word = json::array({relation, q_->names.path_of(e)});
            source = "*";
        } else if (is_set && t.what == kind::target_if_any) {
            word = json::array({relation, q_->names.path_of(q_->in.target_of(e, t.relation))});
        } else if (is_set && t.what == kind::is_had) {
            word = json::array({q_->names.path_of(e)});
        } else if (is_set && t.what == kind::is_relation) {
            word = json::array({q_->names.path_of(e), "*"});
        }
        add(to, is_set, std::move(word), std::move(source));
        to.values.push_back(0);
    }

    [[nodiscard]] json id_to_json(id word) const {
        if (word.is_entity()) return json::array({q_->names.path_of(word.as_entity())});
        return json::array({q_->names.text_of_relation(word), q_->names.text_of_target(word)});
    }

    // What is known without rows.

    [[nodiscard]] json field_info() const {
        json all = json::array();
        std::size_t field = 0;
        for (const asked_term& t : asked_.terms) {
            for (std::size_t i = 0; i < t.fields; ++i)
                all.push_back(info_of(t, t.what == kind::plain ? query_.component_of(field++) : entity{}));
        }
        return all;
    }

    [[nodiscard]] json info_of(const asked_term& t, entity component) const {
        json made = json::object({{"id", t.is_compound() ? json(0) : json(id_text(t))}});
        if (t.asked == demand::negated) made["not"] = true;
        if (t.asked == demand::optional) made["optional"] = true;
        if (!component) return made;
        made["type"] = made["symbol"] = q_->names.path_of(component);
        made["schema"] = writer_.schema_of(component);
        return made;
    }

    [[nodiscard]] std::string full_name(const std::string& word) const {
        const entity known = word.empty() ? entity{} : q_->names.find(word, '.');
        return known ? q_->names.path_of(known) : word;
    }

    [[nodiscard]] std::string id_text(const asked_term& t) const {
        if (t.second.empty()) return pattern_of(t.first);
        return '(' + pattern_of(t.first) + ',' + pattern_of(t.second) + ')';
    }

    [[nodiscard]] std::string pattern_of(const std::string& word) const {
        return asked_term::stands_for_any(word) ? "*" : full_name(word);
    }

    [[nodiscard]] json query_info() const {
        json variables = json::array({"this"});
        for (const std::string& name : asked_.variables) variables.push_back(name);
        json terms = json::array();
        std::size_t field = 0;
        for (const asked_term& t : asked_.terms) {
            terms.push_back(term_info(t, t.what == kind::plain && query_.component_of(field)));
            if (t.what == kind::plain) field += t.fields;
        }
        return {{"vars", std::move(variables)}, {"terms", std::move(terms)}};
    }

    [[nodiscard]] json term_info(const asked_term& t, bool has_value) const {
        json made = json::object();
        made["inout"] = t.asked == demand::negated ? "none" : t.access.empty() ? "default" : t.access;
        made["has_value"] = has_value && t.asked != demand::negated && !t.is_compound();
        made["oper"] = t.is_compound()               ? "or"
                       : t.asked == demand::negated  ? "not"
                       : t.asked == demand::optional ? "optional"
                                                     : "and";
        made["src"] = reference(t.subject.empty() ? "$this" : t.subject);
        made["first"] = reference(t.first.empty() ? t.text : t.first);
        if (!t.second.empty()) made["second"] = reference(t.second);
        made["flags"] = json::array({"self"});
        return made;
    }

    [[nodiscard]] json reference(const std::string& word) const {
        if (word.starts_with('$')) return {{"var", word.substr(1)}};
        if (asked_term::stands_for_any(word)) return {{"var", word}};
        const std::string name = full_name(word);
        const entity known = q_->names.find(word, '.');
        if (!known || !q_->in.has<component_info>(known)) return {{"entity", name}};
        return {{"entity", name}, {"symbol", name}, {"type", true}};
    }

    const question* q_;
    entity_writer writer_;
    expression asked_;
    text_query query_;
    std::size_t left_;
    std::size_t skip_;
    bool fields_;
    bool shows_library_;
    mutable std::optional<uses_of_entities> uses_; ///< Made for the first row that needs it.
};

} // namespace

json answer_query(const question& q) {
    if (!text(q.asked, "name").empty())
        refuse(404, "queries have no names here: ask with the parameter \"expr\"");
    try {
        return query_answer(q).answer();
    } catch (const std::invalid_argument& wrong) { // query_text_error is one of these.
        refuse(400, wrong.what());
    }
}

} // namespace ecs::remote
