// SPDX-License-Identifier: Apache-2.0

import CZstd

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
