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
    case file(FileReader)

    /// A body made while it is sent.
    case stream(Upstream, length: Int64?)

    /// Opens the body.
    ///
    /// - Throws: `.file` when the file cannot be read; nothing has been sent then.
    init(_ body: HTTPBody, upstream: Upstream?) throws(TransportError) {
        switch body {
        case .empty: self = .none
        case .bytes(let bytes): self = .bytes(bytes, sent: 0)
        case .file(let path): self = .file(try FileReader(path: path))
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

    /// Why reading stopped early.
    var failure: (code: TransportError.Code, message: String)? {
        switch self {
        case .none, .bytes: nil
        case .file(let reader):
            reader.hasFailed ? (.file, "the file to upload changed or became unreadable while it was sent") : nil
        case .stream(let upstream, _):
            upstream.failure.map { (.invalidRequest, $0) }
        }
    }

    /// Fills the buffer with what comes next; the return value is the one of a read callback.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
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
            return unsafe reader.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
        case .stream(let upstream, _):
            return unsafe Self.read(upstream, into: buffer)
        }
    }

    private static func read(_ upstream: Upstream, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch upstream.read(upTo: buffer.count) {
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            return bytes.count
        case .end: return 0
        case .pause: return Int(CURL_READFUNC_PAUSE)
        case .abort: return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Closes the source.
    func close() {
        if case .file(let reader) = self { reader.close() }
    }
}
