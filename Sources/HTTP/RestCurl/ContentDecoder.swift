// SPDX-License-Identifier: Apache-2.0

import CZlib
import RestTransport

/// Unpacks a body by its content coding (RFC 9110 8.4.1) and knows whether the compressed data is complete.
///
/// libcurl could unpack too, but takes compressed data that ends too early for a whole body. A piece whose reader has
/// no room for it is held here, and is the first one when libcurl offers the same bytes again.
@safe final class ContentDecoder {
    /// What comes next out of some bytes.
    enum Step {
        /// That many unpacked bytes, in `output` until the next call.
        case piece(Int)
        /// All bytes are used up.
        case drained
        /// The bytes are not what the header says.
        case malformed
    }

    /// What is asked of servers.
    static let accepted = "gzip, deflate"
    private static let outputBytes = 64 * 1024

    private let decompressor: Decompressor
    /// Where unpacked bytes are put.
    let output: UnsafeMutableRawBufferPointer
    /// How many bytes of the output were refused and are to be offered again.
    private var heldBytes = 0
    /// How many bytes of the piece offered by libcurl are used up.
    private var consumedBytes = 0
    private var hasEnded = false
    private var hasStarted = false

    /// Makes a decoder for a value of `Content-Encoding`; `nil` when it is none of those accepted.
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

    deinit {
        unsafe output.deallocate()
    }

    /// Whether the data ends here: nothing at all counts as an empty body.
    var isComplete: Bool { hasEnded || !hasStarted }

    /// Goes on with the bytes libcurl offers; call until they are drained.
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
                return .piece(result.produced)
            }
            if consumedBytes == bytes.count, result.state == .needsInput { return drained() }
            if result.consumed == 0, result.state == .needsInput { return .malformed }
        }
    }

    /// The reader had no room for the last piece, which was this long.
    func hold(_ count: Int) {
        heldBytes = count
    }

    private func takeHeld() -> Step {
        defer { heldBytes = 0 }
        return .piece(heldBytes)
    }

    private func drained() -> Step {
        consumedBytes = 0
        return .drained
    }
}

/// What one call to a decompressor did.
struct Decompression {
    enum State {
        /// Everything given was used; there may be more to come.
        case needsInput
        /// The output is full; call again.
        case needsOutput
        /// The compressed data is complete, its checksum right where it has one.
        case ended
        /// The data is not what it claims to be.
        case malformed
    }

    var consumed = 0
    var produced = 0
    var state = State.malformed
}

/// The formats of zlib: gzip (RFC 1952), zlib (RFC 1950) and bare deflate (RFC 1951), which some servers send for it.
@safe final class Decompressor {
    private enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case bare = -15
    }

    // zlib keeps a pointer back to its stream, which therefore must not move.
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

    /// For the content coding `gzip`.
    static func gzip() -> Decompressor { Decompressor(isGzip: true) }

    /// For the content coding `deflate`.
    static func deflate() -> Decompressor { Decompressor(isGzip: false) }

    /// Unpacks as much as fits of data that comes in pieces of any size.
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

    /// Gets ready for another member behind one that has ended; `false` when the format has no such.
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
