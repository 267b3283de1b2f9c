// SPDX-License-Identifier: Apache-2.0

import CBrotli

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
