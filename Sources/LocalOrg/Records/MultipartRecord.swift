// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// The body of a record with a file: a part in JSON, and a part of bytes whose name is the file's field (RFC 7578).
struct MultipartRecord {
    let members: JSONObject

    /// Reads the parts, and puts the bytes in base 64 under the name of their part.
    init(_ request: ServerRequest) throws(OrgFault) {
        guard let boundary = Self.boundary(of: request.fields["Content-Type"] ?? "") else {
            throw .invalidInput("A multipart body needs a boundary.")
        }
        let body = request.body
        let mark = Array("--\(boundary)".utf8)
        guard body.starts(with: mark) else { throw .invalidInput("The body must begin with its boundary.") }
        var record: JSONObject?
        var file: (name: String, bytes: [UInt8])?
        var start = mark.count
        while !body[start...].starts(with: Array("--".utf8)) {
            guard let end = Self.find(Array("\r\n".utf8) + mark, in: body, from: start),
                let head = Self.find(Array("\r\n\r\n".utf8), in: body, from: start), head < end
            else { throw .invalidInput("A part of the body does not end.") }
            let lines = String(decoding: body[start..<head], as: UTF8.self)
            let content = Array(body[(head + 4)..<end])
            if lines.lowercased().contains("application/json"), record == nil {
                record = try RecordInput.members(content)
            } else if let name = Self.name(in: lines), file == nil {
                file = (name, content)
            } else {
                throw .invalidInput("The body must have one part in JSON and one with bytes.")
            }
            start = end + 2 + mark.count
        }
        guard var members = record, let file else {
            throw .invalidInput("The body must have one part in JSON and one with bytes.")
        }
        members[file.name] = JSONValue(Base64.encode(file.bytes))
        self.members = members
    }

    private static func boundary(of type: String) -> String? {
        let parts = type.split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
        let value = parts.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst("boundary=".count)
        guard let text = value?.filter({ $0 != "\"" }), (1...70).contains(text.utf8.count) else { return nil }
        return text
    }

    /// The name of `Content-Disposition: form-data; name="VersionData"; filename="a.txt"`.
    private static func name(in lines: String) -> String? {
        guard let start = lines.firstRange(of: " name=\"")?.upperBound else { return nil }
        let name = lines[start...].prefix { $0 != "\"" }
        return name.isEmpty ? nil : String(name)
    }

    /// Where the bytes stand next; one pass, since the first byte is a carriage return and never repeats inside.
    private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while let found = bytes[position...].firstIndex(of: wanted[0]) {
            if bytes[found...].starts(with: wanted) { return found }
            position = found + 1
        }
        return nil
    }
}
