// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The header lines of the last response on a handle.
///
/// A server repeats most of its lines in every answer; a repeated line costs a comparison instead of two new strings.
struct FieldLineCache {
    /// What a field means for the transfer itself.
    enum Role {
        case plain
        case contentLength
        case contentEncoding
    }

    /// A line that was read before.
    struct Entry {
        let bytes: [UInt8]
        let field: HTTPFields.Field
        let role: Role
    }

    /// Longer lines and those further behind are not kept.
    private static let longestLine = 256
    private static let mostLines = 32

    private var entries: [Entry] = []

    /// The entry at this place in the header when its line is the same, byte by byte.
    func entry(at index: Int, equalTo line: UnsafeRawBufferPointer) -> Entry? {
        guard index < entries.count, entries[index].bytes.count == line.count else { return nil }
        let isSame = unsafe entries[index].bytes.withUnsafeBytes { unsafe $0.elementsEqual(line) }
        return isSame ? entries[index] : nil
    }

    /// Keeps a line for the next response.
    mutating func store(_ field: HTTPFields.Field, role: Role, line: UnsafeRawBufferPointer, at index: Int) {
        guard index < Self.mostLines, line.count <= Self.longestLine else { return }
        let entry = Entry(bytes: unsafe Array(line), field: field, role: role)
        if index < entries.count {
            entries[index] = entry
        } else if index == entries.count {
            entries.append(entry)
        }
    }
}
