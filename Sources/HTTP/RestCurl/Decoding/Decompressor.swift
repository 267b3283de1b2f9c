// SPDX-License-Identifier: Apache-2.0

import CBrotli
import CZlib
import CZstd

/// One format of compressed data, read in pieces of any size.
protocol Decompressor: AnyObject {
    /// Unpacks as much as fits.
    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Decompression

    /// Gets ready for another unit of compressed data behind one that has ended; `false` when the format has no such.
    func restart() -> Bool
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

/// Brotli (RFC 7932), windows up to 16 MiB.
@safe final class BrotliDecompressor: Decompressor {
    private let decoder: OpaquePointer

    /// Makes a decompressor; `nil` when memory is exhausted.
    init?() {
        guard let decoder = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        unsafe self.decoder = decoder
    }

    deinit {
        unsafe BrotliDecoderDestroyInstance(decoder)
    }

    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Decompression {
        var inputLeft = input.count
        var outputLeft = output.count
        var next = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var place = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = unsafe BrotliDecoderDecompressStream(decoder, &inputLeft, &next, &outputLeft, &place, nil)
        let state: Decompression.State =
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: .ended
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: .needsInput
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: .needsOutput
            default: .malformed
            }
        return Decompression(consumed: input.count - inputLeft, produced: output.count - outputLeft, state: state)
    }

    func restart() -> Bool { false }
}

/// Zstandard (RFC 8878), windows up to 8 MiB as RFC 9659 demands for HTTP.
@safe final class ZstdDecompressor: Decompressor {
    private static let largestWindowBits: Int32 = 23

    private let decoder: OpaquePointer

    /// Makes a decompressor; `nil` when memory is exhausted.
    init?() {
        guard let decoder = unsafe ZSTD_createDStream() else { return nil }
        unsafe self.decoder = decoder
        unsafe ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.largestWindowBits)
    }

    deinit {
        unsafe ZSTD_freeDStream(decoder)
    }

    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Decompression {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(decoder, &target, &source)
        let isFull = unsafe target.pos == target.size
        let state: Decompression.State =
            if ZSTD_isError(result) != 0 { .malformed } else if result == 0 { .ended } else if isFull {
                .needsOutput
            } else { .needsInput }
        return unsafe Decompression(consumed: source.pos, produced: target.pos, state: state)
    }

    func restart() -> Bool { true }
}
