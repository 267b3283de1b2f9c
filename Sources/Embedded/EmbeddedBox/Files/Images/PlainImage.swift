// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Thumbnails: images of one colour that belongs to the content, in the size that was asked for.
enum PlainImage {
    /// A PNG of RGB pixels (ISO/IEC 15948); `nil` when zlib has no memory.
    static func png(width: Int, height: Int, color: [UInt8]) -> [UInt8]? {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(height * (width * 3 + 1))  // bounded: inside of the frames that there are
        // Each line begins with the number of its filter, 0 for none.
        var line: [UInt8] = [0]
        for _ in 0..<width { line += color.prefix(3) }
        for _ in 0..<height { pixels += line }
        guard let data = Deflate.zlib(pixels) else { return nil }
        let header = bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bytes(UInt32(clamping: data.count)) + body + bytes(Deflate.crc32(body))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }
}
