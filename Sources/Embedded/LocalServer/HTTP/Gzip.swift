// SPDX-License-Identifier: Apache-2.0

import CZlib
import RestBase
import RestTransport

/// Compresses answers for clients that ask for it (RFC 9110 8.4.1.3, RFC 1952).
package enum Gzip {
    /// Shorter bodies are not compressed.
    private static let leastBytes = 1_024

    /// The answer compressed, if the client takes gzip and the answer is long enough.
    package static func encoded(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        guard response.body.count >= leastBytes else { return response }
        var response = response
        response.fields.append(("Vary", "Accept-Encoding"))
        guard isAccepted(request.fields), let body = compressed(response.body) else { return response }
        response.body = body
        response.fields.append(("Content-Encoding", "gzip"))
        return response
    }

    /// Whether gzip is named with a weight above 0 (RFC 9110 12.5.3).
    static func isAccepted(_ fields: HTTPFields) -> Bool {
        fields.values(of: "Accept-Encoding").flatMap { $0.split(byte: ",") }.contains { coding in
            let parts = coding.split(byte: ";").map { $0.without(" \t").lowercased() }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            let weight = parts.dropFirst().lazy.compactMap { $0.removing(prefix: "q=") }.first.map { Double($0) ?? 0 }
            return weight.map { $0 > 0 } ?? true
        }
    }

    /// The bytes in gzip framing; `nil` when zlib has no memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: bytes.count) else { return nil }
        var stream = unsafe z_stream()
        guard unsafe czlib_begin_gzip(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        guard let capacity = Int(exactly: unsafe deflateBound(&stream, numericCast(size))) else { return nil }
        // zlib takes its input by a pointer that it does not write to.
        var input = bytes
        var isWhole = false
        let output = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                unsafe (stream.next_in, stream.avail_in) = (input.baseAddress, size)
                unsafe (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(clamping: capacity))
                isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = capacity - Int(unsafe stream.avail_out)
            }
        }
        return isWhole ? output : nil
    }
}
