// SPDX-License-Identifier: Apache-2.0

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

/// What is at a path of this machine; a link is a link, wherever it leads.
struct FileStatus {
    /// The kinds that matter here.
    enum Kind {
        case file, folder, link, other
    }

    let kind: Kind
    let size: Int64
    let modified: Date

    /// Looks at a path.
    ///
    /// - Returns: `nil` when nothing is there.
    /// - Throws: ``Problem`` when that cannot be said.
    init?(_ path: String) throws(Problem) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw Problem(path, String(cString: strerror(errno)))
        }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(status.st_size)
        #if canImport(Darwin)
        modified = Date(timeIntervalSince1970: Double(status.st_mtimespec.tv_sec))
        #else
        modified = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
        #endif
    }
}
