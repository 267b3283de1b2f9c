// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The identity of the file at a path: equal for all paths and links that lead to one file.
///
/// A file that does not exist yet is identified by its name and the identity of its directory.
package struct FilePlace: Hashable, Sendable {
    private static let mostLinks = 40

    private let volume: UInt64
    private let number: UInt64
    /// The name of a missing file; `volume` and `number` are those of its directory.
    private let name: String?

    /// Finds the file at a path; symbolic links are followed.
    ///
    /// `nil` for a path where no regular file is or can be, such as a directory, a device or a pipe.
    package init?(_ path: String) {
        self.init(path, linksLeft: Self.mostLinks)
    }

    /// Finds the file that a descriptor is open on; `nil` if it is not a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, S_IFREG, name: nil)
    }

    /// The first output that is the same file as an input or as another output.
    ///
    /// - Parameters:
    ///   - outputs: the paths of files that will be written.
    ///   - inputs: the paths of files that will be read.
    ///   - open: the descriptors that are in use, with their names for messages.
    /// - Returns: the output, and the name of the other file.
    package static func collision(
        of outputs: [String], with inputs: [String], open: [(descriptor: Int32, name: String)] = []
    ) -> (output: String, other: String)? {
        var known: [FilePlace: String] = [:]
        for (descriptor, name) in open { FilePlace(descriptor: descriptor).map { known[$0] = name } }
        for path in inputs { FilePlace(path).map { known[$0] = path } }
        for path in outputs {
            guard let place = FilePlace(path) else { continue }
            if let other = known.updateValue(path, forKey: place) { return (path, other) }
        }
        return nil
    }

    private init?(_ path: String, linksLeft: Int) {
        guard !path.utf8.contains(0) else { return nil }
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            self.init(status, S_IFREG, name: nil)
            return
        }
        guard errno == ENOENT else { return nil }
        let folder = FileWriter.folder(of: path)
        if let target = Self.target(ofLink: path) {
            guard linksLeft > 0 else { return nil }
            self.init(target.utf8.first == UInt8(ascii: "/") ? target : folder + target, linksLeft: linksLeft - 1)
            return
        }
        let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        guard unsafe stat(folder, &status) == 0, let name, !name.isEmpty else { return nil }
        self.init(status, S_IFDIR, name: String(name))
    }

    private init?(_ status: stat, _ type: mode_t, name: String?) {
        guard status.st_mode & S_IFMT == type else { return nil }
        volume = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        self.name = name
    }

    /// The path in a symbolic link; `nil` for anything else.
    private static func target(ofLink path: String) -> String? {
        var count = 0
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            count = unsafe readlink(path, start, buffer.count)
            filled = max(0, count)
        }
        return count > 0 ? String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
