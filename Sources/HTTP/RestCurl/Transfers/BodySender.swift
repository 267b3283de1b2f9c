// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The source of the bytes of a request body.
enum BodySender {
    case none
    /// A buffer and the number of its bytes that were passed to libcurl.
    case bytes([UInt8], sent: Int)
    case file(FileSource)
    /// A body that is produced while it is sent.
    case stream(Upstream, length: Int64?)

    /// Opens the body.
    ///
    /// - Throws: `.file` if the file cannot be read, before anything is sent.
    init(_ body: HTTPBody, upstream: Upstream?) throws(TransportError) {
        switch body {
        case .empty: self = .none
        case .bytes(let bytes): self = .bytes(bytes, sent: 0)
        case .file(let file): self = .file(try FileSource(file))
        case .stream(let source): self = upstream.map { .stream($0, length: source.length) } ?? .none
        }
    }

    /// The length of the body in bytes, or `nil` for a stream of unknown length.
    var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes, _): Int64(bytes.count)
        case .file(let reader): reader.length
        case .stream(_, let length): length
        }
    }

    var isDone: Bool { if case .none = self { true } else { false } }

    /// Fills the buffer and returns the result of libcurl's read callback.
    ///
    /// - Throws: the error because of which the body is incomplete.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        switch self {
        case .none:
            return 0
        case .bytes(let bytes, let sent):
            let count = min(buffer.count, bytes.count - sent)
            unsafe bytes.withUnsafeBytes { source in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[sent..<(sent + count)]))
            }
            self = .bytes(bytes, sent: sent + count)
            return count
        case .file(let reader):
            return unsafe try reader.read(into: buffer)
        case .stream(let upstream, _):
            return unsafe try Self.read(upstream, into: buffer)
        }
    }

    private static func read(
        _ upstream: Upstream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> Int {
        switch upstream.read(upTo: buffer.count) {
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            return bytes.count
        case .end: return 0
        case .pause: return Int(CURL_READFUNC_PAUSE)
        case .abort:
            if let failure = upstream.failure { throw failure }
            return Int(CURL_READFUNC_ABORT)
        }
    }
}

extension HTTPResponse.Download.Attempt {
    /// Moves the complete file into place on a separate thread, because it may wait for the disk.
    func finishAside() async throws(TransportError) {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, TransportError>, Never>) in
            let hasThread = runOnThread {
                continuation.resume(returning: Result { () throws(TransportError) in try finish() })
            }
            guard !hasThread else { return }
            let reason = TransportError(
                .file, "the downloaded file cannot be moved into place: no thread could be started",
                mayHaveReachedServer: true)
            continuation.resume(returning: .failure(reason))
        }.get()
    }
}
