// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc

/// Simulates a full disk: no file of this process can grow beyond a size.
///
/// Use it in a separate process, such as an exit test.
package enum FullDisk {
    /// Runs `work` while the disk is full.
    ///
    /// A longer write is truncated at the limit, and the next one fails with `EFBIG`.
    ///
    /// - Parameters:
    ///   - bytes: the maximum size of a file.
    ///   - work: the work.
    /// - Returns: the result of the work.
    package static func during<Result>(after bytes: Int, _ work: () async throws -> Result) async rethrows -> Result {
        let before = limit(bytes)
        defer { _ = limit(before) }
        return try await work()
    }

    /// Sets the limit, and returns the previous one.
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
