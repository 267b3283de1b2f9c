// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func remove(_ path: String) { unsafe unlink(path) }

    /// The path that the symbolic links at a path lead to, even if nothing is there yet; `nil` if they form a circle.
    static func followed(_ path: String) -> String? {
        var path = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            path = target.hasBytes(prefix: "/") ? target : FileWriter.folder(of: path) + target
        }
        return nil
    }

    /// The absolute path without links; `nil` when nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

extension String {
    /// The folder that a path is in; of a bare name the present one.
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The last part of a path.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}
