// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Unpacks a body by its content coding (RFC 9110 §8.4.1) and knows whether the compressed data is complete.
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
    static let accepted = "gzip, deflate, br, zstd"
    private static let outputBytes = 64 * 1024

    private let decompressor: any Decompressor
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
        let decompressor: (any Decompressor)? =
            switch coding.lowercased() {
            case "gzip", "x-gzip": InflateDecompressor.gzip()
            case "deflate": InflateDecompressor.deflate()
            case "br": BrotliDecompressor()
            case "zstd": ZstdDecompressor()
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
