// SPDX-License-Identifier: Apache-2.0

import CZlib

/// zlib's format (RFC 1950) and checksum, for images.
package enum Deflate {
    /// The bytes compressed; `nil` when zlib has no memory.
    package static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt(exactly: bytes.count) else { return nil }
        var length = CZlib.compressBound(size)
        var isDone = false
        let made = unsafe [UInt8](unsafeUninitializedCapacity: Int(clamping: length)) { buffer, count in
            count = 0
            isDone = unsafe bytes.withUnsafeBufferPointer {
                unsafe compress2(buffer.baseAddress, &length, $0.baseAddress, size, 1) == Z_OK
            }
            if isDone { count = Int(clamping: length) }
        }
        return isDone ? made : nil
    }

    /// The checksum of PNG's chunks and of zip files.
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: unsafe CZlib.crc32(0, $0.baseAddress, UInt32(clamping: $0.count)))
        }
    }
}
