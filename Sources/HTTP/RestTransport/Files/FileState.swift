// SPDX-License-Identifier: Apache-2.0

import RestBase

/// What tells a file from another, and from itself at another time.
package struct FileState: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    /// The length in bytes.
    package let size: Int64

    /// Looks at an open file; `nil` for one that is not regular.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
        size = Int64(status.st_size)
    }

    /// The state as a word, for comparing it in another process.
    package var text: String { "\(device):\(inode):\(seconds).\(nanoseconds):\(size)" }

    /// Whether an open file is the regular file at a path, and not one that had this name before.
    package static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_mode & S_IFMT == S_IFREG
    }
}
