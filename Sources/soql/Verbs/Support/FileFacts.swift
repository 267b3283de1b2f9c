// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is known of files by their names.
enum FileFacts {
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func remove(_ path: String) { unsafe unlink(path) }
}
