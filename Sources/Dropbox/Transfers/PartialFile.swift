// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport

/// A file that is being downloaded: what has come, of which revision, and its hash so far.
///
/// It appears at its place when it is complete; let go of before, it leaves nothing.
struct PartialFile: Sendable {
    /// What it is at Dropbox.
    let file: Files.FileMetadata
    private let path: String
    private let writer: FileWriter
    private var hash = ContentHash()

    /// Begins an empty file.
    init(_ file: Files.FileMetadata, at path: String) throws(RestError) {
        (self.file, self.path) = (file, path)
        do throws(TransportError) { writer = try FileWriter(path: path) } catch { throw Self.failure(error, path) }
    }

    /// How many bytes have come.
    var count: Int64 { hash.count }

    /// Whether all bytes have come.
    var isWhole: Bool { UInt64(clamping: count) == file.size }

    /// How far it has come.
    var progress: TransferProgress { TransferProgress(received: count, receivedTotal: Int64(clamping: file.size)) }

    /// Adds a piece of the content.
    mutating func add(_ piece: [UInt8]) throws(RestError) {
        do throws(TransportError) { try writer.write(piece) } catch { throw Self.failure(error, path) }
        hash.update(piece)
    }

    /// Compares the content hash and puts the file in its place.
    func finish() throws(RestError) -> Files.FileMetadata {
        guard isWhole else {
            throw RestError(.transport, "\(path): \(count) of \(file.size) bytes came")
        }
        if let wanted = file.contentHash, let came = hash.text, wanted != came {
            throw RestError(.contentHash, "\(path) has the content hash \(wanted) at Dropbox, and \(came) came")
        }
        do throws(TransportError) { try writer.finish() } catch { throw Self.failure(error, path) }
        return file
    }

    private static func failure(_ error: TransportError, _ path: String) -> RestError {
        RestError(.file, "\(path): \(error.message)", underlying: error)
    }
}
