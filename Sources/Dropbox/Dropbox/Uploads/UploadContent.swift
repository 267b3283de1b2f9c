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
    /// - Throws: `RestError.Code.file` when the file is not there, not readable or no regular file.
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

    /// A part, to be sent.
    ///
    /// The bytes of a file stay on the disk: they are read once for their hash, and again while they are sent.
    ///
    /// - Parameters:
    ///   - start: the place of its first byte.
    ///   - count: how many bytes it has at most.
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

    /// All of a short content.
    ///
    /// - Throws: as ``part(from:count:)``.
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

    /// The content hash of all of it; what was not read before is read now.
    @concurrent
    func hash() async throws(RestError) -> String? {
        if case .stream(let stream) = source { return stream.hash }
        return try hash(of: 0..<(size ?? 0))
    }

    /// The hash of a part by itself; the digests of blocks of the whole are kept.
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
                while let piece = try source.next() { digest.update(piece[...]) }
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

/// A part of a content.
struct UploadPart: Sendable {
    /// Its bytes, in memory or in a file.
    let body: HTTPBody
    /// How many they are.
    let count: Int64
    /// Whether the content ends with it.
    let isEnd: Bool
    /// Its content hash by itself.
    let hash: String?
}

/// A streamed content that is read part by part, one part at a time.
///
/// The last part stays in memory until the next one is asked for: the server may want it again.
final class UploadStream: Sendable {
    private struct Reading: Sendable {
        var pieces: HTTPBody.Source.Pieces?
        /// What was read and may be wanted (again).
        var kept: [UInt8] = []
        /// The place of its first byte.
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

    /// The content hash of what was read, which is the whole when its end was reached.
    var hash: String? { reading.withLock { $0.isEnded ? $0.hash.text : nil } }

    /// Reads a part; see ``UploadContent/part(from:count:)``.
    func part(from start: Int64, count: Int) async throws(RestError) -> UploadPart {
        // Nobody else reads meanwhile, so the state can be away from its place while the source is waited for.
        var now = reading.withLock { $0 }
        defer { reading.withLock { $0 = now } }
        do throws(TransportError) {
            if start < now.start { now = Reading() }
            // One byte more than is wanted tells whether the content goes on.
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
        let pieces: HTTPBody.Source.Pieces
        if let begun = now.pieces { pieces = begun } else { pieces = try source.begin() }
        now.pieces = pieces
        do {
            guard let piece = try await pieces() else {
                now.isEnded = true
                return
            }
            now.hash.update(piece)
            now.kept += piece
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
