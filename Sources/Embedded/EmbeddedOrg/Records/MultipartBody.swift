// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

/// A multipart body (RFC 7578).
struct MultipartBody {
    struct Part {
        let name: String?
        let fileName: String?
        /// The media type in lower case, without parameters.
        let type: String
        let bytes: ArraySlice<UInt8>
    }

    let parts: [Part]

    private static let mostParts = 20

    init(_ request: ServerRequest) throws(OrgError) {
        guard let boundary = Self.boundary(of: request.fields["Content-Type"] ?? "") else {
            throw .invalidInput("A multipart body needs a boundary.")
        }
        let body = request.body[...]
        let mark = Array("--\(boundary)".utf8)
        guard body.starts(with: mark) else { throw .invalidInput("The body must begin with its boundary.") }
        var (parts, start): ([Part], Int) = ([], mark.count)
        while !body[start...].starts(with: Array("--".utf8)) {
            guard parts.count < Self.mostParts,
                let end = Self.find(Array("\r\n".utf8) + mark, in: body, from: start),
                let head = Self.find(Array("\r\n\r\n".utf8), in: body, from: start), head < end
            else { throw .invalidInput("A part of the body does not end.") }
            let lines = String(decoding: body[start..<head], as: UTF8.self)
            parts.append(
                Part(
                    name: Self.parameter("name", of: lines), fileName: Self.parameter("filename", of: lines),
                    type: Self.type(in: lines), bytes: body[(head + 4)..<end]))
            start = end + 2 + mark.count
        }
        self.parts = parts
    }

    subscript(name: String) -> Part? { parts.first { $0.name == name } }

    private static func boundary(of type: String) -> String? {
        let parts = type.split(byte: ";").map { $0.split(byte: " ").joined(separator: " ") }
        let value = parts.first { $0.lowercased().hasBytes(prefix: "boundary=") }?.cut(byte: "=")?.after
        guard let text = value?.without("\""), (1...70).contains(text.utf8.count) else { return nil }
        return text
    }

    /// Returns a parameter of `Content-Disposition: form-data; name="VersionData"; filename="a.txt"`.
    private static func parameter(_ name: String, of lines: String) -> String? {
        guard let start = lines.firstRange(bytes: " \(name)=\"")?.upperBound else { return nil }
        let value = lines[start...].prefix(before: "\"")
        return value.isEmpty ? nil : String(value)
    }

    private static func type(in lines: String) -> String {
        for line in lines.lines where line.lowercased().hasBytes(prefix: "content-type:") {
            let value = line.cut(byte: ":")?.after.prefix(before: ";") ?? ""
            return value.split(byte: " ").joined().lowercased()
        }
        return ""
    }

    /// Returns the next position of the bytes.
    ///
    /// The search is linear, because the first byte is a carriage return and does not repeat.
    private static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = start
        while let found = bytes[position...].firstIndex(of: wanted[0]) {
            if bytes[found...].starts(with: wanted) { return found }
            position = found + 1
        }
        return nil
    }
}

/// The body of a record with a file: a part in JSON, and a part with bytes and the name of the file's field.
struct MultipartRecord {
    let members: JSONObject

    /// Adds the bytes in base64 under the name of their part.
    init(_ request: ServerRequest) throws(OrgError) {
        let parts = try MultipartBody(request).parts
        guard parts.count == 2, let record = parts.first(where: { $0.type == "application/json" }),
            let file = parts.first(where: { $0.bytes.startIndex != record.bytes.startIndex }), let name = file.name
        else { throw .invalidInput("The body must have one part in JSON and one with bytes.") }
        var members = try RecordInput.members(Array(record.bytes))
        members[name] = JSONValue(Base64.encode(Array(file.bytes)))
        self.members = members
    }
}
