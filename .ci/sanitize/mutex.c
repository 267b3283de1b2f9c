// SPDX-License-Identifier: Apache-2.0

// ThreadSanitizer sees the fast path of Swift's `Mutex`, which is compiled into its users, but not the slow path, in which
// the kernel transfers the lock (libswiftSynchronization, futex with priority inheritance). It would report every value that
// another thread uses after contention. Preloaded by `make sanitize`, this slow path acquires the same lock word with an
// atomic operation and informs the sanitizer. Nothing else in the lock changes.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

// Missing in programs that tests start, which inherit the preloading.
void __tsan_acquire(void *address) __attribute__((weak));

__attribute__((swiftcall)) void lock_slow(uint32_t self, __attribute__((swift_context)) _Atomic uint32_t *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slow(uint32_t self, __attribute__((swift_context)) _Atomic uint32_t *word) {
    uint32_t unlocked = 0;
    while (!atomic_compare_exchange_weak_explicit(word, &unlocked, self, memory_order_acquire, memory_order_relaxed)) {
        unlocked = 0;
        sched_yield();
    }
    if (__tsan_acquire) __tsan_acquire(word);
}
