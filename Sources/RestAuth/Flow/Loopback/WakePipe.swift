// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Wakes a thread that waits for sockets; once woken, it stays so.
final class WakePipe: Sendable {
    /// The end that becomes readable.
    let descriptor: Int32
    private let writing: Int32

    /// `nil` when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes the thread; may be called from any thread, also before it waits.
    func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(writing, &byte, 1)
    }
}
