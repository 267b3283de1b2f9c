// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The formats of zlib: gzip (RFC 1952), zlib (RFC 1950) and bare deflate (RFC 1951), which some servers send for it.
@safe final class InflateDecompressor: Decompressor {
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
    static func gzip() -> InflateDecompressor { InflateDecompressor(isGzip: true) }

    /// For the content coding `deflate`.
    static func deflate() -> InflateDecompressor { InflateDecompressor(isGzip: false) }

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
