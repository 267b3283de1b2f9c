// SPDX-License-Identifier: Apache-2.0

// prose: names that people read
extension Character {
    /// What of a character can be a part of a Swift name; nothing for a separator.
    ///
    /// Letters and digits can, with their marks. A scalar that nobody sees is left out, so that names differ visibly.
    var namePart: String {
        guard isLetter || isNumber else { return "" }
        return String(String.UnicodeScalarView(unicodeScalars.filter(\.isNamePart)))
    }
}

extension Unicode.Scalar {
    /// Whether a name can begin with it (`identifier-head` in the grammar of Swift).
    var isNameHead: Bool { Self.heads.contains { $0.contains(value) } }

    fileprivate var isNamePart: Bool {
        guard !properties.isDefaultIgnorableCodePoint, properties.generalCategory != .unassigned else { return false }
        return isNameHead || Self.parts.contains { $0.contains(value) }
    }

    private static let parts: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    private static let heads: [ClosedRange<UInt32>] = [
        0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xAA...0xAA, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6,
        0xD8...0xF6, 0xF8...0x2FF, 0x370...0x167F, 0x1681...0x180D, 0x180F...0x1DBF, 0x1E00...0x1FFF,
        0x203F...0x2040, 0x2054...0x2054, 0x2070...0x20CF, 0x2100...0x218F, 0x2460...0x24FF, 0x2776...0x2793,
        0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0x303F, 0x3040...0xD7FF,
        0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE1F, 0xFE30...0xFE44, 0xFE47...0xFFFD, 0x10000...0x1FFFD,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
