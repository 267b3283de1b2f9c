// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// Where the bytes of a request body come from while they are sent.
enum BodySender {
    /// Nothing is left to hand over.
    case none
    /// A buffer and how much of it was handed over.
    case bytes([UInt8], sent: Int)
    /// A file being read.
    case file(FileSource)
    /// A body made while it is sent.
    case stream(Upstream, length: Int64?)

    /// Opens the body.
    ///
    /// - Throws: `.file` when the file cannot be read; nothing has been sent then.
    init(_ body: HTTPBody, upstream: Upstream?) throws(TransportError) {
        switch body {
        case .empty: self = .none
        case .bytes(let bytes): self = .bytes(bytes, sent: 0)
        case .file(let file): self = .file(try FileSource(file))
        case .stream(let source): self = upstream.map { .stream($0, length: source.length) } ?? .none
        }
    }

    /// The number of bytes in all; `nil` when only the end of the stream will tell.
    var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes, _): Int64(bytes.count)
        case .file(let reader): reader.length
        case .stream(_, let length): length
        }
    }

    /// Whether nothing is left to hand over.
    var isDone: Bool {
        if case .none = self { true } else { false }
    }

    /// Fills the buffer with what comes next; the return value is the one of a read callback.
    ///
    /// - Throws: why the body will not be complete.
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
    /// Puts the complete file in its place on a thread that may wait for the disk; its caller's may not.
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
