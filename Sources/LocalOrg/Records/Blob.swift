// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// The contents of files.
enum Blob {
    /// A body may have no more, and base 64 makes it a third longer.
    static let mostBytes = 36 << 20

    /// How many bytes a text in base 64 stands for; `nil` when it is none.
    static func size(ofBase64 text: String) -> Int? {
        let bytes = text.utf8
        guard bytes.count % 4 == 0 else { return nil }
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, bytes.dropLast(padding).allSatisfy(isDigit) else { return nil }
        return bytes.count / 4 * 3 - padding
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }

    /// The bytes of a text in base 64 that was checked.
    static func bytes(ofBase64 text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var (bits, count) = (UInt32(0), 0)
        for byte in text.utf8 {
            let digit: UInt32
            switch byte {
            case 0x41...0x5A: digit = UInt32(byte) - 0x41
            case 0x61...0x7A: digit = UInt32(byte) - 0x61 + 26
            case 0x30...0x39: digit = UInt32(byte) - 0x30 + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            default: continue
            }
            bits = bits << 6 | digit
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= (1 << UInt32(count)) - 1
        }
        return bytes
    }
}

extension RecordStore {
    /// Takes the contents of files out of what is written, and leaves the paths where they can be read.
    func keepBlobs(
        of input: inout RecordInput, _ id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        for (field, value) in input.values where field.type == .base64 {
            guard case .text(let text) = value else { continue }
            do throws(DatabaseError) {
                try connection.run(
                    "INSERT OR REPLACE INTO \"org.Blob\" VALUES (?1, ?2, ?3)",
                    [.text(id), .text(field.name), .text(text)])
            } catch {
                throw OrgFault(error)
            }
            let version = APIVersion(number: APIVersion.supported.upperBound)
            input.set(field.name, .text("\(version.path)/sobjects/\(object.name)/\(id)/\(field.name)"))
            let size = Int64(Blob.size(ofBase64: text) ?? 0)
            for name in ["BodyLength", "ContentSize"] { input.set(name, .integer(size)) }
        }
    }

    /// The contents of a file; `nil` when it has none.
    func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgFault) -> [UInt8]? {
        try database.read { (connection) throws(OrgFault) -> [UInt8]? in
            let number = try row(id, of: object, connection)
            let record = RecordID.make(prefix: object.keyPrefix, number: number)
            var bytes: [UInt8]?
            do throws(DatabaseError) {
                try connection.rows(
                    "SELECT \"Data\" FROM \"org.Blob\" WHERE \"Record\" = ?1 AND \"Field\" = ?2",
                    [.text(record), .text(field.name)]
                ) { bytes = Blob.bytes(ofBase64: $0.text(0)) }
            } catch {
                throw OrgFault(error)
            }
            return bytes
        }
    }
}
