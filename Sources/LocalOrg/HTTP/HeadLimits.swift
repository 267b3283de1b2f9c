// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What the head of a request may be, whether it stands alone or inside of another one.
enum HeadLimits {
    /// The target, and the target with the header fields, in bytes: the platform's own limits.
    static let longest = 16_384
    private static let mostFields = 100

    /// Whether the fields are not too many and not too long beside a target of that many bytes.
    static func allows(_ fields: HTTPFields, beside target: Int) -> Bool {
        let size = fields.reduce(target) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return size <= longest && fields.count <= mostFields
    }

    /// Whether names are tokens and values have no control characters but tabs (RFC 9110 §5.5, §5.6.2).
    static func areWellFormed(_ fields: HTTPFields) -> Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(isTokenByte)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
