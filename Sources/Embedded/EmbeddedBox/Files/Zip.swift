// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// A zip file whose members are stored as they are (APPNOTE 6.3).
struct Zip {
    private var body: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// Adds a file, or a folder whose name ends with a slash.
    mutating func add(_ name: String, _ bytes: [UInt8]) {
        let (name, place) = (Array(name.utf8), body.count)
        // Version 2.0, names in UTF-8, stored, 1 January 1980.
        let common =
            Self.short(20) + Self.short(0x800) + Self.short(0) + Self.short(0) + Self.short(0x21)
            + Self.long(Int(Deflate.crc32(bytes))) + Self.long(bytes.count) + Self.long(bytes.count)
            + Self.short(name.count) + Self.short(0)
        body += Self.long(0x0403_4B50) + common + name + bytes
        directory += Self.long(0x0201_4B50) + Self.short(20) + common
        // No comment, the first disk, no attributes.
        directory += Self.short(0) + Self.short(0) + Self.short(0) + Self.long(0) + Self.long(place) + name
        count += 1
    }

    /// The whole file.
    var bytes: [UInt8] {
        body + directory + Self.long(0x0605_4B50) + Self.short(0) + Self.short(0) + Self.short(count)
            + Self.short(count) + Self.long(directory.count) + Self.long(body.count) + Self.short(0)
    }

    private static func short(_ number: Int) -> [UInt8] { little(number, 2) }
    private static func long(_ number: Int) -> [UInt8] { little(number, 4) }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
