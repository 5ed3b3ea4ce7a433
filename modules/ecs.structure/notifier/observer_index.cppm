// SPDX-License-Identifier: MIT
// The observers of one world, and who of them is to be told of what. They may begin and end while they are
// told.
export module ecs.structure:observer_index;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.storage;
import :change_queue;
import :observer;
import :pattern_index;

export namespace ecs {

/// What a queued observer will be told.
struct queued_event {
    queued_event(std::shared_ptr<observer_record> of, const event_context& now)
        : to(std::move(of)),
          what(now.what),
          subject(now.subject),
          seen_at(now.seen_at),
          word(now.word),
          payload(now.keep ? now.keep(now.payload) : nullptr),
          payload_type(payload ? now.payload_type : 0),
          type(now.type.begin(), now.type.end()) {}

    std::shared_ptr<observer_record> to;
    event what{};
    entity subject{};
    entity seen_at{};
    id word{};
    std::shared_ptr<const void> payload{};
    std::uint32_t payload_type{};
    std::vector<id> type; ///< The type of a table.
};

/// Observers that are told of the same, in the order in which they are told.
struct told_list {
    observer_list observers;
    bool is_plain{}; ///< Each asks for one identifier, and for no value before a write: nothing has to be
                     ///< asked.
};

/// Who may hear that an entity's own value is written.
enum class audience : std::uint8_t {
    nobody,
    queries,   ///< Queries, which see that the value has changed.
    observers, ///< Also observers, who are told of nothing but the new value.
    others,    ///< Also instances, observers who ask for the old value, and those who are told later.
};

/// What is known of a write before it.
struct write_hearing {
    audience who = audience::nobody;
    const told_list* observers{}; ///< If they are known: good until observer_index::version changes.
    std::uint64_t version{};
};

/// The observers of one world. Not thread-safe.
class observer_index {
  public:
    observer_index() = default;
    observer_index(const observer_index&) = delete;
    observer_index& operator=(const observer_index&) = delete;
    ~observer_index();

    observer add(const std::shared_ptr<observer_record>& fresh);

    /// While it lives, some observer is told of something, and no observer's function is destroyed.
    class telling {
      public:
        inline explicit telling(observer_index& of) : of_(&of), outer_(of.telling_) {
            of.telling_ = outer_ + 1;
        }
        telling(const telling&) = delete;
        telling& operator=(const telling&) = delete;
        inline ~telling() {
            of_->telling_ = outer_; // Not counted down: the processor need not wait for the earlier store.
            if (outer_ == 0 && of_->outdated_) [[unlikely]]
                of_->drop_outdated();
        }

      private:
        observer_index* of_;
        std::uint32_t outer_;
    };

    /// Observers that are to be told. The list stays as it is while this lives, whichever begin or end
    /// meanwhile.
    class listed {
      public:
        inline listed(observer_index& of, const told_list& all) : all_(&all), until_told_(of) {}
        inline listed(observer_index& of, std::unique_ptr<const told_list> own)
            : own_(std::move(own)), all_(own_.get()), until_told_(of) {}

        [[nodiscard]] inline auto begin() const { return all_->observers.begin(); }
        [[nodiscard]] inline auto end() const { return all_->observers.end(); }
        [[nodiscard]] inline bool empty() const { return all_->observers.empty(); }
        [[nodiscard]] inline const told_list& all() const { return *all_; }

      private:
        std::unique_ptr<const told_list> own_; ///< Null unless some are told of that entity alone.
        const told_list* all_;
        telling until_told_;
    };

    /// The observers to tell of what is seen at the entity, if at one: in the order in which they came, after
    /// the hooks, or before them when something ends.
    [[nodiscard]] inline listed of(event what, id word, entity at = {}) {
        const auto* const known = lists_[static_cast<std::size_t>(what)].find(key_of(word));
        if (!known || by_entity_.size() != 0) [[unlikely]]
            return look_up(what, word, at);
        return {*this, **known};
    }

    /// Whether some observers are told of certain entities alone.
    [[nodiscard]] inline bool tells_entities_apart() const { return by_entity_.size() != 0; }
    /// The observers of an event that are not restricted to certain entities. The list is good until
    /// `version` changes. Throws std::bad_alloc.
    [[nodiscard]] const told_list& of_anybody(event what, id word);
    /// Another number after every change of who is told of what.
    [[nodiscard]] inline std::uint64_t version() const { return version_; }
    /// Something else has changed that decides who is told.
    inline void outdate() noexcept { ++version_; }

    /// Who hears of a write to a component of the type with that number, which has eight bits: what was noted
    /// last, if it is true still; otherwise nullptr. It is never audience::others.
    [[nodiscard]] inline const write_hearing* hearing_of_type(std::uint32_t number) const {
        const write_hearing& known = hearings_[number];
        return known.version == version_ ? &known : nullptr;
    }
    inline void note_hearing(std::uint32_t number, const write_hearing& hears) noexcept {
        hearings_[number] = hears;
    }

    /// Whether an observer of the event, whatever it is about, is among the observers. One that has ended
    /// counts until forget_ended is called.
    [[nodiscard]] inline bool asks(event what) const {
        return asking_for_[static_cast<std::size_t>(what)] != 0;
    }

    /// What the observers ask for. One that has ended counts until forget_ended is called.
    [[nodiscard]] inline const pattern_index& interests() const { return interests_; }

    /// Whether an observer asks for values before they are written: any observer at all, or one of the
    /// identifier that is told of what is seen at the entity.
    [[nodiscard]] inline bool asks_previous() const { return asks_previous_; }
    [[nodiscard]] bool asks_previous(id word, entity at);

    /// Ends the observer. What its function holds goes at once, or when no observer is told of anything any
    /// more.
    void end(const std::shared_ptr<observer_record>& record) noexcept;
    /// Whether observers have ended since settle was last called.
    [[nodiscard]] inline bool is_stale() const { return stale_; }
    inline void settle() noexcept { stale_ = false; }
    /// Linear in the number of observers that have ended, and amortised in that of the observers that ask for
    /// the same.
    void forget_ended() noexcept;
    /// The same where many observers have ended. For code that makes observers in a world in which nothing is
    /// observed.
    void forget_many_ended() noexcept;
    /// Drops the list of the observers of an identifier that is none any more.
    void forget_lists_of(id word) noexcept;

    /// The world ends: observers that are no hooks and have not asked to be told of it end first.
    void begin_world_end() noexcept;

    /// The world has gone back: what has been queued in the future that is forgotten is not told.
    void resume() noexcept;

    change_queue changes;
    std::deque<queued_event> queued;
    flat_map<bool> despawning; ///< Entities whose end has been announced: nothing more is told of them.
    entity despawning_alone{}; ///< The same, where it is one.
    /// Whether there are such entities.
    [[nodiscard]] inline bool are_some_despawning() const {
        return despawning_alone != entity{} || despawning.size() != 0;
    }

  private:
    static constexpr std::size_t kinds = static_cast<std::size_t>(event::matching) + 1;

    /// A list that may be told when it has been forgotten.
    struct kept_list : told_list {
        std::unique_ptr<kept_list> older{}; ///< Forgotten before it.
    };

    [[nodiscard]] inline static std::uint64_t key_of(id word) {
        return word ? word.value() : ~std::uint64_t{0};
    }
    [[nodiscard]] listed look_up(event what, id word, entity at);
    void forget(std::unique_ptr<kept_list> list) noexcept;
    void forget_lists() noexcept;
    void drop_outdated() noexcept;
    void file(const std::shared_ptr<observer_record>& fresh);
    void count_events(const observer_record& of, std::uint32_t difference) noexcept;
    void drop_body(observer_record& of) const noexcept;
    void withdraw(const std::shared_ptr<observer_record>& ended);

    observer_list all_;   ///< Includes ended observers, until they are half of them.
    observer_list ended_; ///< Ended observers; what they asked for counts still.
    pattern_index interests_;
    /// Observers that are told of certain entities alone, by entity: they are found without a walk over the
    /// others.
    flat_map<observer_list> by_entity_;
    std::uint64_t numbers_{};
    std::uint64_t version_{1};
    /// The other observers, by what they are told of.
    std::array<flat_map<std::unique_ptr<kept_list>>, kinds> lists_;
    std::unique_ptr<kept_list> outdated_; ///< Lists that have been forgotten while somebody was told.
    std::array<write_hearing, low_ids> hearings_{}; ///< By the numbers of types.
    std::array<std::uint32_t, kinds> asking_for_{}; ///< How many observers there are of each event.
    std::size_t ended_in_all_{}; ///< How many observers of all_ have ended and count no more.
    std::uint32_t telling_{};    ///< How many observers are being told, each because of what another one did.
    bool stale_{};
    bool forgetting_{};
    bool asks_previous_{};
};

} // namespace ecs
