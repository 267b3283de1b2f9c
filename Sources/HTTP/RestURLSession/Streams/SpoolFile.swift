// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// A nameless temporary file that is written at its end and read from its beginning.
///
/// It exists from the first byte on and is emptied whenever everything was read.
struct SpoolFile {
    private var handle: FileHandle?
    private var written: UInt64 = 0
    private var read: UInt64 = 0

    /// Adds bytes at the end.
    ///
    /// - Throws: `.file` when the disk is full or broken.
    mutating func append(_ bytes: [UInt8]) throws(TransportError) {
        do {
            let handle = try handle ?? Self.open()
            self.handle = handle
            try handle.seek(toOffset: written)
            try handle.write(contentsOf: Data(bytes))
            written += UInt64(bytes.count)
        } catch {
            throw Self.failure("written")
        }
    }

    /// Takes that many bytes from the beginning.
    ///
    /// - Throws: `.file` when they cannot be read.
    mutating func take(_ count: Int) throws(TransportError) -> [UInt8] {
        do {
            try handle?.seek(toOffset: read)
            guard let data = try handle?.read(upToCount: count), data.count == count else {
                throw CocoaError(.fileReadUnknown)
            }
            read += UInt64(count)
            if read == written {
                try handle?.truncate(atOffset: 0)
                (read, written) = (0, 0)
            }
            return [UInt8](data)
        } catch {
            throw Self.failure("read")
        }
    }

    private static func failure(_ what: String) -> TransportError {
        TransportError(.file, "the temporary file for a slow reader cannot be \(what)", mayHaveReachedServer: true)
    }

    /// Makes a file that only its owner may read, and takes its name away.
    private static func open() throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }
}
