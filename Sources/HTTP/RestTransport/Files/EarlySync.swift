// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if os(Linux)
import RestBase
#endif

/// Lets the disk begin with a file that is still being written, so that at its end little is left to wait for.
///
/// A hint: where the system knows no such call, and where the call fails, the end does all of the work.
final class EarlySync: Sendable {
    /// How many bytes are left to the system before it is told to begin.
    private static let step = 4 << 20

    private let pending = Atomic(0)

    /// Counts bytes that were written.
    func count(_ bytes: Int, of descriptor: Int32) {
        guard pending.add(bytes, ordering: .relaxed).newValue >= Self.step else { return }
        pending.store(0, ordering: .relaxed)
        #if os(Linux)
        _ = Self.syncFileRange?(descriptor, 0, 0, Self.write)
        #endif
    }

    #if os(Linux)
    /// Whether the system has the call.
    static var isKnown: Bool { syncFileRange != nil }

    private typealias Call = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    /// `SYNC_FILE_RANGE_WRITE` of `sync_file_range(2)`: starts to write what is not being written yet.
    private static let write: UInt32 = 2

    /// The call, which Swift's view of the C library leaves out.
    private static let syncFileRange: Call? = {
        guard let symbol = unsafe dlsym(nil, "sync_file_range") else { return nil }
        // The type is that of the manual page; offsets have 64 bits in this name on all 64-bit systems.
        return unsafe unsafeBitCast(symbol, to: Call.self)
    }()
    #endif
}
