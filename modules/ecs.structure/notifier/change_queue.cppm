// SPDX-License-Identifier: MIT
// A change of several steps is one change for observers. While it is being made, an observer that is
// told of a step may ask for further changes: they wait here, and are made when the outermost change is
// complete, in the order in which they were asked for. What an observer throws neither undoes nor stops
// anything: the first of it is kept, and thrown at the end, unless the change itself throws.
//
//   change { step  -> observers ask for A and B
//            step  -> observers ask for C
//          }       -> A { -> observers ask for D }, B, C, D      then the caller goes on
//
// Changes of many entities are a series: each is whole by itself, and what observers throw is thrown behind
// the last of them.
export module ecs.structure:change_queue;
import ecs.std;
import ecs.id;
import ecs.storage;

export namespace ecs {

class notifier;

/// A change that waits until the observers have been told.
class waiting_change {
  public:
    waiting_change() = default;
    waiting_change(const waiting_change&) = delete;
    waiting_change& operator=(const waiting_change&) = delete;
    virtual ~waiting_change() = default;
    virtual void make() = 0;
};
template <class F> class waiting_function final : public waiting_change {
  public:
    explicit waiting_function(F f) : f_(std::move(f)) {}
    void make() override { f_(); }

  private:
    F f_;
};

/// An entity without a row, which waits for one.
class waiting_row : public waiting_change {
  public:
    /// An entity that cannot get its row ends.
    void make() final;

    entity owner{};
    store* home{}; ///< The store of the entity.

  private:
    virtual void settle(entity e) = 0;
};
template <class Settle> class settling_row final : public waiting_row {
  public:
    explicit settling_row(Settle settle) : settle_(std::move(settle)) {}

  private:
    void settle(entity e) override { settle_(e); }

    Settle settle_;
};

/// See the head of this file. Not thread-safe.
class change_queue {
  public:
    /// A change that is being made, with all that belongs to it. A change that is not closed is given up.
    class open_change {
      public:
        inline open_change(change_queue& queue, notifier& in)
            : queue_(&queue), in_(&in), outer_(queue.depth_) {
            queue.depth_ = outer_ + 1;
        }
        open_change(const open_change&) = delete;
        open_change& operator=(const open_change&) = delete;
        inline ~open_change() {
            if (open_) [[unlikely]]
                queue_->abandon(outer_);
        }
        inline void close() {
            open_ = false;
            queue_->depth_ = outer_;
            if (queue_->is_unsettled_) [[unlikely]]
                queue_->settle(*in_);
        }

      private:
        change_queue* queue_;
        notifier* in_;
        std::uint32_t outer_; ///< How many changes are open around it.
        bool open_ = true;
    };

    /// Makes a change, which may be part of another. Throws what the change throws; else, when it is the
    /// outermost, what an observer threw first.
    template <class F> decltype(auto) make(notifier& in, F&& change) {
        using result_type = decltype(std::forward<F>(change)());
        open_change open(*this, in);
        if constexpr (std::is_void_v<result_type>) {
            std::forward<F>(change)();
            open.close();
        } else {
            result_type result = std::forward<F>(change)();
            open.close();
            return result;
        }
    }

    /// While it lives, what observers throw is kept, as those changes that follow each other are a series.
    /// When it ends unfinished, because a change has thrown, that is thrown and nothing else.
    class series {
      public:
        explicit series(change_queue* of) noexcept : of_(of) {
            if (of_) ++of_->series_;
        }
        series(const series&) = delete;
        series& operator=(const series&) = delete;
        ~series() {
            if (of_) of_->abandon_series();
        }
        /// Throws the first of what observers have thrown, unless other changes are open around it.
        void finish() {
            if (of_) std::exchange(of_, nullptr)->close_series();
        }

      private:
        change_queue* of_;
    };

    /// Makes the change when the outermost change is complete. Throws std::bad_alloc.
    template <class F> void wait(F change) {
        wait_for_turn(std::unique_ptr<waiting_change>(new waiting_function<F>(std::move(change))));
    }
    /// Not inline: importers would compile a queue for every type of change.
    void wait_for_turn(std::unique_ptr<waiting_change> change);

    /// Notes that an observer has thrown.
    inline void fail(std::exception_ptr cause) noexcept {
        if (!failure_) failure_ = std::move(cause);
        is_unsettled_ = true;
    }
    /// Something has to be done at the end of the outermost change.
    inline void unsettle() noexcept { is_unsettled_ = true; }
    /// Whether nothing is left to do when no change is open: no change waits, and nothing has been thrown.
    [[nodiscard]] inline bool is_settled() const { return !is_unsettled_; }
    /// Takes what an observer has thrown since the change began, for the caller to report; null when none
    /// has.
    [[nodiscard]] inline std::exception_ptr take_failure() noexcept { return std::exchange(failure_, {}); }

    /// What happens from now on is another occasion, even if it is part of the same change.
    inline void begin_occasion() noexcept {
        if (whole_ == 0) [[likely]]
            occasion_ = ++occasions_;
    }

    /// All that happens while it lives is one occasion.
    class whole_occasion {
      public:
        explicit whole_occasion(change_queue& of) : of_(&of) {
            of_->begin_occasion();
            ++of_->whole_;
        }
        whole_occasion(const whole_occasion&) = delete;
        whole_occasion& operator=(const whole_occasion&) = delete;
        ~whole_occasion() { --of_->whole_; }

      private:
        change_queue* of_;
    };
    /// What an observer makes happen while it is told, without waiting for its turn, is another occasion;
    /// afterwards that one goes on of which the observer was told.
    class inner_occasion {
      public:
        explicit inner_occasion(change_queue& of)
            : of_(&of), occasion_(of.occasion_), whole_(std::exchange(of.whole_, 0)) {
            of_->begin_occasion();
        }
        inner_occasion(const inner_occasion&) = delete;
        inner_occasion& operator=(const inner_occasion&) = delete;
        ~inner_occasion() {
            of_->occasion_ = occasion_;
            of_->whole_ = whole_;
        }

      private:
        change_queue* of_;
        std::uint64_t occasion_;
        std::uint32_t whole_;
    };
    [[nodiscard]] inline std::uint64_t occasion() const { return occasion_; }

    [[nodiscard]] inline bool is_open() const { return depth_ != 0; }

    /// Nothing that is asked for from now on is done.
    inline void stop() noexcept { ++depth_; }
    /// Forgets the changes that wait.
    inline void clear() noexcept { waiting_.clear(); }

  private:
    void settle(notifier& in);
    void abandon(std::uint32_t outer) noexcept;
    void close_series();
    void abandon_series() noexcept;
    void make_waiting() noexcept;
    [[nodiscard]] bool is_within_others() const { return depth_ != 0 || series_ != 0 || making_; }
    void throw_failure();

    std::deque<std::unique_ptr<waiting_change>> waiting_;
    std::exception_ptr failure_;
    std::uint64_t occasion_{1};
    std::uint64_t occasions_{1}; ///< The number of the latest one, which occasion_ need not be.
    std::uint32_t whole_{};      ///< How many occasions are kept whole, one within the other.
    std::uint32_t depth_{};      ///< How many changes are open, one within the other.
    std::uint32_t series_{};     ///< How many series of changes there are, one within the other.
    bool making_{};              ///< The queue is being worked off.
    bool is_unsettled_{};        ///< False: no change waits, no failure is kept, and no observer that has
                                 ///< ended has to be forgotten.
};

} // namespace ecs
