// SPDX-License-Identifier: Apache-2.0

/// The size of an image, as its first bytes tell.
package struct ImageSize: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// How many bytes of a file are looked at.
    package static let mostBytes = 64 << 10

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Reads PNG, GIF and JPEG; `nil` for everything else.
    package init?(_ bytes: [UInt8]) {
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
    package func fitting(_ frame: ImageSize) -> ImageSize {
        guard width > frame.width || height > frame.height else { return self }
        let scale = min(Double(frame.width) / Double(width), Double(frame.height) / Double(height))
        return ImageSize(
            width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)))
    }
}
