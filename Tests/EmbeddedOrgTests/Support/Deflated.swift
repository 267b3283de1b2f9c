// SPDX-License-Identifier: Apache-2.0

import CZlib
import Testing

/// The bytes in zlib's format (RFC 1950), which HTTP calls deflate.
func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var size = compressBound(uLong(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(size))
    let code = unsafe compress2(&output, &size, bytes, uLong(bytes.count), 9)
    try #require(code == Z_OK)
    return Array(output.prefix(Int(size)))
}
