// SPDX-License-Identifier: MIT
//
// Fibers: threads of a modelled program that run one at a time, on stacks of their own, until they hand over.
//
// A fiber is entered once through ucontext and switched with _setjmp and _longjmp afterwards: swapcontext
// saves the signal mask with a system call each time, which would be most of an execution's cost. A fiber is
// reused for the next execution, so its body is a loop that the owner feeds. (A build with _FORTIFY_SOURCE
// rejects jumps between stacks.)
//
// A fiber may hand over while it handles an exception: the list of exceptions in flight, of which the runtime
// of the language keeps one for each thread of the system, changes with the stack.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstring>
#include <cxxabi.h>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define EXPLORER_ASAN 1
#endif
#endif

#ifdef _LIBCPP_VERSION
namespace __cxxabiv1 { // What libc++abi has of the ABI, and does not declare.
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals();
} // namespace __cxxabiv1
#endif

namespace explorer {

class fiber {
  public:
    fiber() = default; // the fiber of the calling thread: it has a stack already
    explicit fiber(std::function<void()> body) : body_(std::move(body)), stack_(new std::byte[stack_size]) {}
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    /// Suspends this fiber, which must be the running one, and continues `next` until something resumes this
    /// one.
    void hand_over(fiber& next) {
        std::memcpy(&in_flight_, abi::__cxa_get_globals(), sizeof in_flight_);
        std::memcpy(abi::__cxa_get_globals(), &next.in_flight_, sizeof in_flight_);
        leave_stack_for(next);
        if (_setjmp(resume_point_) == 0) next.resume();
        arrive_on_stack();
    }

  private:
    /// What __cxa_get_globals points to, as the ABI of C++ defines it.
    struct exceptions_in_flight {
        void* caught;
        unsigned uncaught;
    };

    static constexpr std::size_t stack_size = std::size_t{256} * 1024;

    [[noreturn]] void resume() {
        if (stack_ && !entered_) enter();
        _longjmp(resume_point_, 1);
    }

    [[noreturn]] void enter() {
        entered_ = true;
        ucontext_t context;
        getcontext(&context);
        context.uc_stack.ss_sp = stack_.get();
        context.uc_stack.ss_size = stack_size;
        context.uc_link = nullptr;
        entering_ = this;
        makecontext(&context, [] { entering_->run(); }, 0);
        setcontext(&context);
        std::abort();
    }

    [[noreturn]] void run() {
        arrive_on_stack();
        for (;;) body_();
    }

#ifdef EXPLORER_ASAN
    void leave_stack_for(fiber& next) {
        __sanitizer_start_switch_fiber(&fake_stack_, next.bottom(), next.size());
        previous_ = this;
    }
    void arrive_on_stack() {
        const void* bottom = nullptr;
        std::size_t size = 0;
        __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &size);
        if (previous_ && !previous_->stack_) previous_->host_bottom_ = bottom, previous_->host_size_ = size;
    }
    const void* bottom() const { return stack_ ? stack_.get() : host_bottom_; }
    std::size_t size() const { return stack_ ? stack_size : host_size_; }

    void* fake_stack_ = nullptr;
    const void* host_bottom_ = nullptr;
    std::size_t host_size_ = 0;
    inline static fiber* previous_ = nullptr;
#else
    void leave_stack_for(fiber&) {}
    void arrive_on_stack() {}
#endif

    std::function<void()> body_;
    std::unique_ptr<std::byte[]> stack_;
    exceptions_in_flight in_flight_{};
    std::jmp_buf resume_point_;
    bool entered_ = false;
    inline static fiber* entering_ = nullptr;
};

} // namespace explorer
