// SPDX-License-Identifier: Apache-2.0

extension CSVSource {
    /// The offset of the first byte of a range that is not part of well-formed UTF-8 (RFC 3629 §4), or nil.
    func firstInvalidByte(in range: Range<Int>) -> Int? {
        var at = range.lowerBound
        while at < range.upperBound {
            if byte(at) < 0x80 {
                at &+= 1
                while at &+ CSVSource.step <= range.upperBound,
                    (block(at) .>= SIMD64<UInt8>(repeating: 0x80)).bits == 0
                { at &+= CSVSource.step }
                continue
            }
            let length = multiByteLength(at)
            guard length > 0, at &+ length <= range.upperBound else { return at }
            at &+= length
        }
        return nil
    }

    /// The length of the well-formed multi-byte character at an offset, or 0.
    ///
    /// Overlong forms, surrogates (U+D800…U+DFFF) and code points above U+10FFFF are not well-formed.
    @inline(__always)
    private func multiByteLength(_ at: Int) -> Int {
        let (first, second) = (byte(at), byte(at &+ 1))
        guard second & 0xC0 == 0x80 else { return 0 }
        switch first {
        case 0xC2...0xDF: return 2
        case 0xE0...0xEF:
            guard byte(at &+ 2) & 0xC0 == 0x80 else { return 0 }
            return first == 0xE0 && second < 0xA0 || first == 0xED && second >= 0xA0 ? 0 : 3
        case 0xF0...0xF4:
            guard byte(at &+ 2) & 0xC0 == 0x80, byte(at &+ 3) & 0xC0 == 0x80 else { return 0 }
            return first == 0xF0 && second < 0x90 || first == 0xF4 && second >= 0x90 ? 0 : 4
        default: return 0
        }
    }
}
