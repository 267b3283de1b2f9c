// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is left out on both sides, by patterns of the shell (POSIX.1 `fnmatch`).
struct Exclusions {
    /// Repositories, and what a download that was killed has left behind.
    private static let usual = [".git", ".[0-9]*.part"]

    private let patterns: [String]

    init(_ patterns: [String]) {
        self.patterns = Self.usual + patterns
    }

    /// Whether a file or folder is left out, by its path below the folder that is synchronized.
    ///
    /// A pattern with a slash is about the path, any other about the name.
    func contain(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return patterns.contains { fnmatch($0, $0.contains("/") ? path : name, FNM_PATHNAME) == 0 }
    }

    /// Whether a file or folder is left out, or one of the folders that it is in.
    func containPart(of path: String) -> Bool {
        let names = path.split(separator: "/")
        return (1...max(1, names.count)).contains { contain(names.prefix($0).joined(separator: "/")) }
    }
}
