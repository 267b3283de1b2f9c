// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// The content of one file, in parts, and its content hash.
final class UploadContent: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(FileParts)
        case stream(UploadStream)
    }

    /// The number of bytes, or `nil` for a stream of unknown length.
    let size: Int64?
    /// The identity of the content for another process, or `nil` if it has none.
    let state: String?
    private let source: Source
    /// The digests of the blocks that were read, by number.
    private let blocks = Mutex<[Int: [UInt8]]>([:])

    init() { (source, size, state) = (.bytes([]), 0, nil) }

    /// Opens a content.
    ///
    /// - Throws: `RestError.Code.file` if the file is missing, not readable or not a regular file.
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

    /// Returns a part.
    ///
    /// The bytes of a file are read once for their hash, and again while they are sent.
    ///
    /// - Parameters:
    ///   - start: the offset of the first byte.
    ///   - count: the maximum number of bytes.
    /// - Returns: the part, and whether the content ends with it.
    /// - Throws: `RestError.Code.file`, `RestError.Code.bodyChanged` or `RestError.Code.cancelled`.
    @concurrent
    func part(from start: Int64, count: Int) async throws(RestError) -> UploadPart {
        let end = min(start + Int64(count), size ?? .max)
        let body: HTTPBody
        switch source {
        case .stream(let stream): return try await stream.part(from: start, count: count)
        case .bytes(let bytes): body = .bytes(Array(bytes[Int(start)..<Int(end)]))
        case .file(let file): body = .file(.part(start..<end, of: file))
        }
        return UploadPart(body: body, count: end - start, isEnd: end == size, hash: try hash(of: start..<end))
    }

    /// Returns all bytes of a short content.
    ///
    /// - Throws: the errors of ``part(from:count:)``.
    @concurrent
    func bytes() async throws(RestError) -> [UInt8] {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let file):
            do throws(TransportError) {
                let bytes = try file.read(from: 0, count: Int(file.state.size))
                for (number, block) in Self.blocks(of: 0..<Int64(bytes.count)).enumerated() {
                    let digest = ContentHash.digest(bytes[Int(block.lowerBound)..<Int(block.upperBound)])
                    blocks.withLock { $0[number] = digest }
                }
                return bytes
            } catch {
                throw Self.failure(error, file.path)
            }
        case .stream(let stream): return try await stream.part(from: 0, count: Int(size ?? 0)).body.inMemory ?? []
        }
    }

    /// Returns the content hash, and reads the blocks that were not read before.
    @concurrent
    func hash() async throws(RestError) -> String? {
        if case .stream(let stream) = source { return stream.hash }
        return try hash(of: 0..<(size ?? 0))
    }

    /// The hash of a part, which keeps the digests of the whole content's blocks.
    private func hash(of range: Range<Int64>) throws(RestError) -> String? {
        let size = Int64(ContentHash.blockSize)
        var digests: [[UInt8]?] = []
        for block in Self.blocks(of: range) {
            guard !Task.isCancelled else { throw RestError(.cancelled, "cancelled while the content was hashed") }
            let isOfWhole =
                block.lowerBound.isMultiple(of: size)
                && (block.count == size || block.upperBound == self.size)
            let number = Int(block.lowerBound / size)
            var known = isOfWhole ? blocks.withLock { $0[number] } : nil
            if known == nil {
                known = try digest(block)
                if isOfWhole { blocks.withLock { $0[number] = known } }
            }
            digests.append(known)
        }
        return ContentHash.text(of: digests)
    }

    private func digest(_ range: Range<Int64>) throws(RestError) -> [UInt8]? {
        switch source {
        case .bytes(let bytes): return ContentHash.digest(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        case .file(let file):
            do throws(TransportError) {
                var digest = RunningSHA256()
                let source = try FileSource(.part(range, of: file))
                while let chunk = try source.next() { digest.update(chunk[...]) }
                return digest.digest
            } catch {
                throw Self.failure(error, file.path)
            }
        case .stream: return nil
        }
    }

    private static func blocks(of range: Range<Int64>) -> [Range<Int64>] {
        stride(from: range.lowerBound, to: range.upperBound, by: ContentHash.blockSize).map {
            $0..<min($0 + Int64(ContentHash.blockSize), range.upperBound)
        }
    }

    private static func failure(_ error: TransportError, _ path: String) -> RestError {
        let code: RestError.Code = error.code == .bodyChanged ? .bodyChanged : .file
        return RestError(code, "\(path): \(error.message)", outcome: .notApplied, underlying: error)
    }
}

struct UploadPart: Sendable {
    let body: HTTPBody
    let count: Int64
    let isEnd: Bool
    let hash: String?
}

/// A streamed content, of which one part at a time is read.
///
/// The last part stays in memory until the next part is read, because it may have to be sent again.
final class UploadStream: Sendable {
    private struct Reading: Sendable {
        var chunks: HTTPBody.Source.Chunks?
        /// The bytes that were read and may be needed again.
        var kept: [UInt8] = []
        /// The offset of the first of these bytes.
        var start: Int64 = 0
        var isEnded = false
        var hash = ContentHash()

        var end: Int64 { start + Int64(kept.count) }
    }

    private let source: HTTPBody.Source
    private let reading = Mutex(Reading())

    init(_ source: HTTPBody.Source) {
        self.source = source
    }

    /// The content hash, or `nil` before the end of the stream.
    var hash: String? { reading.withLock { $0.isEnded ? $0.hash.text : nil } }

    /// Reads a part (see ``UploadContent/part(from:count:)``).
    func part(from start: Int64, count: Int) async throws(RestError) -> UploadPart {
        // Only one part is read at a time, so the state can be copied out while the source is awaited.
        var now = reading.withLock { $0 }
        defer { reading.withLock { $0 = now } }
        do throws(TransportError) {
            if start < now.start { now = Reading() }
            // One more byte shows whether the content continues.
            while now.end <= start + Int64(count), !now.isEnded { try await readOn(&now, from: start) }
        } catch {
            let code: RestError.Code =
                switch error.code {
                case .cancelled: .cancelled
                case .bodyChanged: .bodyChanged
                case .bodySource: .bodySource
                default: .invalidRequest
                }
            throw RestError(code, error.message, outcome: .notApplied, underlying: error.underlying ?? error)
        }
        drop(&now, before: start)
        guard start <= now.end, source.length.map({ now.end <= $0 && (!now.isEnded || now.end == $0) }) ?? true else {
            throw RestError(.bodyChanged, source.wrongLength.message, outcome: .notApplied)
        }
        let bytes = Array(now.kept.prefix(count))
        return UploadPart(
            body: .bytes(bytes), count: Int64(bytes.count), isEnd: now.isEnded && bytes.count == now.kept.count,
            hash: ContentHash(of: bytes).text)
    }

    private func readOn(_ now: inout Reading, from start: Int64) async throws(TransportError) {
        drop(&now, before: start)
        let chunks: HTTPBody.Source.Chunks
        if let begun = now.chunks { chunks = begun } else { chunks = try source.begin() }
        now.chunks = chunks
        do {
            guard let chunk = try await chunks() else {
                now.isEnded = true
                return
            }
            now.hash.update(chunk)
            now.kept += chunk
        } catch {
            throw .bodySource(error, mayHaveReachedServer: false)
        }
    }

    private func drop(_ now: inout Reading, before start: Int64) {
        let count = Int(clamping: min(start - now.start, Int64(now.kept.count)))
        guard count > 0 else { return }
        now.kept.removeFirst(count)
        now.start += Int64(count)
    }
}
