// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The header lines of the last response on a handle.
///
/// A server repeats most of its lines in every answer; a repeated line costs a comparison of bytes, and a header that
/// repeats as a whole shares the fields of the one before.
struct FieldLineCache {
    /// What a field means for the transfer itself.
    enum Role {
        case plain
        case contentLength(Int)
        case contentCoding(String)
        case transferCoding(isChunked: Bool)
        case location(String)
    }

    /// Longer lines and those further behind are not kept.
    private static let longestLine = 256
    private static let mostLines = 32

    /// A row of `longestLine` bytes for each line, so that no line owns memory of its own.
    private var rows: [UInt8] = []
    private var lengths: [Int] = []
    private var roles: [Role] = []
    private(set) var fields = HTTPFields()

    /// The meaning of the line at this place in the header when it is the same as last time, byte by byte, and the
    /// offset behind it.
    ///
    /// Its field is the one at the same place of `fields`.
    func line(at index: Int, equalTo head: UnsafeRawBufferPointer, from start: Int) -> (role: Role, end: Int)? {
        guard index < lengths.count, lengths[index] <= head.count - start else { return nil }
        let isSame = unsafe rows.withUnsafeBytes { rows in
            unsafe ccurl_is_equal(
                rows.baseAddress, index * Self.longestLine, head.baseAddress, start, lengths[index]) != 0
        }
        return isSame ? (roles[index], start + lengths[index]) : nil
    }

    /// Keeps a line, its end included, for the next response.
    ///
    /// A line that ends with a bare line feed is not kept, since each of them counts.
    mutating func store(_ field: HTTPFields.Field, role: Role, line: UnsafeRawBufferPointer, at index: Int) {
        guard index < Self.mostLines, line.count <= Self.longestLine, index <= lengths.count,
            line.count > 1, unsafe line[line.count - 2] == UInt8(ascii: "\r")
        else { return }
        if index == lengths.count {
            rows.append(contentsOf: repeatElement(0, count: Self.longestLine))
            lengths.append(0)
            roles.append(role)
            fields.append(field)
        }
        let start = index * Self.longestLine
        unsafe rows.replaceSubrange(start..<start + line.count, with: line)
        lengths[index] = line.count
        roles[index] = role
        fields.replace(at: index, with: field)
    }
}
