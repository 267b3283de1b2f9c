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

/// The size of an image, as its first bytes tell.
struct ImageSize: Sendable, Hashable {
    let width: Int
    let height: Int

    /// How many bytes of a file are looked at.
    static let mostBytes = 64 << 10

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Reads PNG, GIF and JPEG; `nil` for everything else.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            self.init(width: Self.number(bytes[16..<20]), height: Self.number(bytes[20..<24]))
        } else if bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 10 {
            self.init(
                width: Self.number(bytes[6..<8].reversed()[...]), height: Self.number(bytes[8..<10].reversed()[...]))
        } else if bytes.starts(with: [0xFF, 0xD8]), let size = Self.jpeg(bytes) {
            self = size
        } else {
            return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Goes from segment to segment to the one that begins the frame (ITU-T T.81, B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> ImageSize? {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return ImageSize(
                    width: number(bytes[position + 7..<position + 9]),
                    height: number(bytes[position + 5..<position + 7]))
            }
            let length = number(bytes[position + 2..<position + 4])
            guard length >= 2 else { return nil }
            position += 2 + length
        }
        return nil
    }

    /// The largest size inside of a frame that has the same proportions.
    func fitting(_ frame: ImageSize) -> ImageSize {
        guard width > frame.width || height > frame.height else { return self }
        let scale = min(Double(frame.width) / Double(width), Double(frame.height) / Double(height))
        return ImageSize(
            width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)))
    }
}
