// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The file of `--output`: written whole or not at all, so that no program ever reads half a result.
///
/// What is no ordinary file, such as `/dev/null` or a named pipe, is written to directly.
struct OutputFile: Sendable {
    /// The file cannot be written.
    struct Failed: Error, CustomStringConvertible {
        let path: String
        let code: Int32
        var description: String { "\(path) cannot be written: \(systemMessage(code))" }
    }

    private enum Way {
        /// By a temporary file beside it.
        case whole(FileWriter)
        case direct(Int32)
    }

    let path: String
    private let way: Way

    /// Opens it.
    ///
    /// Symbolic links are followed and stay, and an existing file keeps its permissions.
    ///
    /// - Throws: ``Failed`` for a directory, for links in a circle, and if no file can be made there.
    init(_ path: String) throws {
        self.path = path
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT != S_IFDIR else { throw Failed(path: path, code: EISDIR) }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            let opened = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard opened >= 0 else { throw Failed(path: path, code: errno) }
            way = .direct(opened)
        } else {
            guard let place = FileFacts.followed(path) else { throw Failed(path: path, code: ELOOP) }
            way = try .whole(
                Self.failing(path) { () throws(TransportError) in try FileWriter(path: place, access: .usual) })
        }
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws {
        switch way {
        case .whole(let writer): try Self.failing(path) { () throws(TransportError) in try writer.write(bytes) }
        case .direct(let descriptor): try direct { try StandardOutput.write(bytes, to: descriptor) }
        }
    }

    /// Puts what was written on the disk.
    func flush() throws {
        guard case .whole(let writer) = way else { return }
        try Self.failing(path) { () throws(TransportError) in try writer.flush() }
    }

    /// Puts the whole file in its place.
    func finish() throws {
        switch way {
        case .whole(let writer): try Self.failing(path) { () throws(TransportError) in try writer.finish() }
        case .direct(let descriptor):
            if close(descriptor) != 0 { throw Failed(path: path, code: errno) }
        }
    }

    /// Leaves the file that was there before, if there was one.
    func discard() {
        switch way {
        case .whole(let writer): writer.discard()
        case .direct(let descriptor): close(descriptor)
        }
    }

    private func direct(_ write: () throws -> Void) throws {
        do {
            try write()
        } catch let error as StandardOutput.WriteFailed {
            throw Failed(path: path, code: error.code)
        }
    }

    private static func failing<Result>(
        _ path: String, _ work: () throws(TransportError) -> Result
    ) throws(Failed) -> Result {
        do {
            return try work()
        } catch {
            throw Failed(path: path, code: error.systemErrors.first.map { Int32(truncatingIfNeeded: $0.number) } ?? EIO)
        }
    }
}
