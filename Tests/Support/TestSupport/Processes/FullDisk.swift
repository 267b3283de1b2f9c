// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc

/// A disk that is full for a while: no file of this process can become longer than a number of bytes.
///
/// It is for a process of its own, such as that of an exit test.
package enum FullDisk {
    /// Does something while the disk is full; a write beyond the length writes what fits and then fails with `EFBIG`.
    ///
    /// - Parameters:
    ///   - bytes: the length that no file exceeds.
    ///   - work: what is done.
    /// - Returns: what the work gives.
    package static func during<Result>(after bytes: Int, _ work: () async throws -> Result) async rethrows -> Result {
        let before = limit(bytes)
        defer { _ = limit(before) }
        return try await work()
    }

    /// Sets the limit, and gives the one before.
    private static func limit(_ bytes: Int) -> Int {
        signal(SIGXFSZ, SIG_IGN)
        let files = __rlimit_resource_t(1)
        var limit = rlimit()
        unsafe getrlimit(files, &limit)
        defer {
            limit.rlim_cur = rlim_t(truncatingIfNeeded: bytes)
            unsafe setrlimit(files, &limit)
        }
        return Int(truncatingIfNeeded: limit.rlim_cur)
    }
}
#endif
