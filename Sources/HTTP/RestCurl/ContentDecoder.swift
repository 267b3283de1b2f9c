// SPDX-License-Identifier: Apache-2.0

import CZlib
import RestTransport

/// Decodes a body by its content coding (RFC 9110 §8.4.1) and detects whether the compressed data is complete.
///
/// libcurl's own decoder treats truncated data as a complete body. If the reader has no room for a chunk, the decoder
/// holds the chunk and returns it first when libcurl passes the same bytes again.
@safe final class ContentDecoder {
    enum Step {
        /// A number of decoded bytes, which are in `output` until the next call.
        case chunk(Int)
        case drained
        /// The bytes do not match the content coding.
        case malformed
    }

    /// The value of the `Accept-Encoding` header.
    static let accepted = "gzip, deflate"
    private static let outputBytes = 64 * 1024

    private let decompressor: Decompressor
    /// The buffer for decoded bytes.
    let output: UnsafeMutableRawBufferPointer
    /// The number of bytes in `output` that the reader rejected and that must be returned again.
    private var heldBytes = 0
    /// The number of bytes already used of the chunk that libcurl passed.
    private var consumedBytes = 0
    private var hasEnded = false
    private var hasStarted = false

    /// Creates a decoder for a value of `Content-Encoding`, or returns `nil` if the coding is not accepted.
    init?(coding: String) {
        let decompressor: Decompressor? =
            switch coding.lowercased() {
            case "gzip", "x-gzip": .gzip()
            case "deflate": .deflate()
            default: nil
            }
        guard let decompressor else { return nil }
        self.decompressor = decompressor
        unsafe output = .allocate(byteCount: Self.outputBytes, alignment: 16)
    }

    deinit { unsafe output.deallocate() }

    /// Whether the data is complete, where no data counts as an empty body.
    var isComplete: Bool { hasEnded || !hasStarted }

    /// Decodes the bytes that libcurl passed, and must be called until they are drained.
    func step(_ bytes: UnsafeRawBufferPointer) -> Step {
        if heldBytes > 0 { return takeHeld() }
        while true {
            let input = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(consumedBytes))
            if hasEnded {
                guard unsafe !input.isEmpty else { return drained() }
                guard decompressor.restart() else { return .malformed }
                hasEnded = false
            }
            let result = unsafe decompressor.decompress(input, into: output)
            consumedBytes += result.consumed
            hasStarted = hasStarted || result.consumed > 0
            hasEnded = result.state == .ended
            if result.state == .malformed { return .malformed }
            if result.produced > 0 {
                return .chunk(result.produced)
            }
            if consumedBytes == bytes.count, result.state == .needsInput { return drained() }
            if result.consumed == 0, result.state == .needsInput { return .malformed }
        }
    }

    /// Holds the last chunk, of `count` bytes, because the reader had no room for it.
    func hold(_ count: Int) { heldBytes = count }

    private func takeHeld() -> Step {
        defer { heldBytes = 0 }
        return .chunk(heldBytes)
    }

    private func drained() -> Step {
        consumedBytes = 0
        return .drained
    }
}

/// The result of one call to a decompressor.
struct Decompression {
    enum State {
        /// All input was used, and more may follow.
        case needsInput
        /// The output is full, so the decompressor must be called again.
        case needsOutput
        /// The compressed data is complete, and its checksum, if any, is correct.
        case ended
        case malformed
    }

    var consumed = 0
    var produced = 0
    var state = State.malformed
}

/// Decompresses gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951), which some servers send instead of zlib.
@safe final class Decompressor {
    private enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case bare = -15
    }

    // zlib stores a pointer to its stream, which therefore must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isGzip: Bool
    private var isStarted = false

    private init(isGzip: Bool) {
        self.isGzip = isGzip
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
    }

    deinit {
        if isStarted { unsafe inflateEnd(stream) }
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    static func gzip() -> Decompressor { Decompressor(isGzip: true) }

    static func deflate() -> Decompressor { Decompressor(isGzip: false) }

    /// Decompresses as much of a chunk as fits into `output`.
    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Decompression {
        guard unsafe !input.isEmpty || isStarted else { return Decompression(state: .needsInput) }
        if !isStarted {
            guard unsafe czlib_begin_inflating(stream, format(of: input).rawValue) == Z_OK else {
                return Decompression()
            }
            isStarted = true
        }
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
        let result = unsafe inflate(stream, Z_NO_FLUSH)
        let left = unsafe Int(stream.pointee.avail_out)
        return Decompression(
            consumed: input.count - Int(unsafe stream.pointee.avail_in), produced: output.count - left,
            state: Self.state(result, isFull: left == 0))
    }

    /// Prepares for another gzip member after the end of one, or returns `false` if the format has no members.
    func restart() -> Bool {
        guard isGzip else { return false }
        return unsafe inflateReset(stream) == Z_OK
    }

    private static func state(_ result: Int32, isFull: Bool) -> Decompression.State {
        switch result {
        case Z_STREAM_END: .ended
        case Z_OK, Z_BUF_ERROR: isFull ? .needsOutput : .needsInput
        default: .malformed
        }
    }

    private func format(of input: UnsafeRawBufferPointer) -> Format {
        if isGzip { return .gzip }
        let isZlib = unsafe input[0] & 0x0F == 8 && input[0] >> 4 <= 7
        guard isZlib, input.count > 1 else { return isZlib ? .zlib : .bare }
        return unsafe (Int(input[0]) << 8 + Int(input[1])) % 31 == 0 ? .zlib : .bare
    }
}
