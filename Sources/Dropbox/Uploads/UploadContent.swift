// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// What is sent of one file, part by part, and its content hash.
final class UploadContent: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(FileParts)
        case stream(UploadStream)
    }

    /// How long it is; `nil` for a stream that does not say.
    let size: Int64?
    /// What tells the content from another one in another process; `nil` when nothing does.
    let state: String?
    private let source: Source
    /// The digests of the blocks that were read, by their numbers.
    private let blocks = Mutex<[Int: [UInt8]]>([:])

    /// A content without bytes.
    init() { (source, size, state) = (.bytes([]), 0, nil) }

    /// Looks at a content.
    ///
    /// - Throws: ``RestError/Code/file`` when the file is not there, not readable or no regular file.
    init(_ body: HTTPBody) throws(RestError) {
        switch body {
        case .empty, .bytes:
            let bytes = body.inMemory ?? []
            (source, size, state) = (.bytes(bytes), Int64(bytes.count), ContentHash(of: bytes).text)
        case .file(let file):
            do throws(TransportError) {
                let parts = try FileParts(path: file.path)
                (source, size, state) = (.file(parts), parts.state.size, parts.state.text)
            } catch {
                throw Self.failure(error, file.path)
            }
        case .stream(let stream):
            (source, size, state) = (.stream(UploadStream(stream)), stream.length, nil)
        }
    }

    /// Whether parts can be read in any order.
    var isRandomAccess: Bool { if case .stream = source { false } else { true } }

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - start: the place of its first byte.
    ///   - count: how many bytes it has at most.
    /// - Returns: the bytes, and whether the content ends with them.
    /// - Throws: ``RestError/Code/file``, ``RestError/Code/bodyChanged`` or ``RestError/Code/cancelled``.
    @concurrent
    func part(from start: Int64, count: Int) async throws(RestError) -> UploadPart {
        switch source {
        case .stream(let stream): return try await stream.part(from: start, count: count)
        case .bytes, .file:
            let bytes = try read(start, count)
            return UploadPart(
                bytes: bytes, isEnd: start + Int64(bytes.count) >= size ?? 0, hash: hash(bytes, at: start))
        }
    }

    /// The content hash of all of it; what was not read before is read now.
    @concurrent
    func hash() async throws(RestError) -> String? {
        guard let size, isRandomAccess else {
            if case .stream(let stream) = source { return stream.hash }
            return nil
        }
        var digests: [[UInt8]?] = []
        let block = Int64(ContentHash.blockSize)
        for number in 0..<Int((size + block - 1) / block) {
            if let known = blocks.withLock({ $0[number] }) {
                digests.append(known)
            } else {
                guard !Task.isCancelled else { throw RestError(.cancelled, "cancelled while the content was hashed") }
                digests.append(ContentHash.digest(try read(Int64(number) * block, Int(block))[...]))
            }
        }
        return ContentHash.text(of: digests)
    }

    private func read(_ start: Int64, _ count: Int) throws(RestError) -> [UInt8] {
        let count = Int(min(Int64(count), max(0, (size ?? 0) - start)))
        switch source {
        case .bytes(let bytes): return Array(bytes[Int(start)..<Int(start) + count])
        case .file(let file):
            do throws(TransportError) {
                return try file.read(from: start, count: count)
            } catch {
                throw Self.failure(error, file.path)
            }
        case .stream: return []
        }
    }

    /// The hash of a part; where it begins with a block, the digests of its blocks are kept for the whole.
    private func hash(_ bytes: [UInt8], at start: Int64) -> String? {
        guard start.isMultiple(of: Int64(ContentHash.blockSize)) else { return ContentHash(of: bytes).text }
        let digests = stride(from: 0, to: bytes.count, by: ContentHash.blockSize).map { place in
            ContentHash.digest(bytes[place..<min(place + ContentHash.blockSize, bytes.count)])
        }
        blocks.withLock { blocks in
            for (number, digest) in digests.enumerated() {
                blocks[Int(start) / ContentHash.blockSize + number] = digest
            }
        }
        return ContentHash.text(of: digests)
    }

    private static func failure(_ error: TransportError, _ path: String) -> RestError {
        let code: RestError.Code = error.code == .bodyChanged ? .bodyChanged : .file
        return RestError(code, "\(path): \(error.message)", outcome: .notApplied, underlying: error)
    }
}

/// A part of a content.
struct UploadPart: Sendable {
    /// Its bytes.
    let bytes: [UInt8]
    /// Whether the content ends with it.
    let isEnd: Bool
    /// Its content hash by itself.
    let hash: String?
}
