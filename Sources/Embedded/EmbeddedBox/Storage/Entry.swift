// SPDX-License-Identifier: Apache-2.0

/// A file or folder as the database keeps it.
struct Entry: Sendable {
    /// What only a file has.
    struct Content: Sendable, Hashable {
        var rev: String
        /// The number of the bytes.
        var blob: Int64
        var size: Int64
        /// The content hash.
        var hash: String
        /// Seconds since 1970.
        var clientModified: Int64
        var serverModified: Int64
    }

    var path: BoxPath
    var id: String
    /// `nil` for a folder.
    var content: Content?

    var isFolder: Bool { content == nil }
}
