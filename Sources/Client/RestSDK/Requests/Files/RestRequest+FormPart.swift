// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestText
import RestTransport

extension RestRequest {
    /// One part of a body of several (`multipart/form-data`, RFC 7578).
    public struct FormPart: Sendable, Hashable {
        /// What the part holds.
        enum Content: Sendable, Hashable {
            case bytes([UInt8])
            case file(path: String)
        }

        let name: String
        let fileName: String?
        let type: String
        let content: Content

        /// A part of JSON.
        public static func json(_ name: String, _ value: JSONValue) -> RestRequest.FormPart {
            RestRequest.FormPart(
                name: name, fileName: nil, type: "application/json; charset=UTF-8", content: .bytes(value.bytes()))
        }

        /// A part of bytes in memory that stands for a file.
        ///
        /// - Parameters:
        ///   - name: the part's name.
        ///   - bytes: its content.
        ///   - fileName: the file's name, as the server keeps it.
        ///   - type: the content's type.
        /// - Returns: the part.
        public static func bytes(
            _ name: String, _ bytes: [UInt8], fileName: String, type: String = "application/octet-stream"
        ) -> RestRequest.FormPart {
            RestRequest.FormPart(name: name, fileName: fileName, type: type, content: .bytes(bytes))
        }

        /// A part that is read from a file while it is sent.
        ///
        /// - Parameters:
        ///   - name: the part's name.
        ///   - path: where the file is.
        ///   - fileName: the file's name, as the server keeps it; `nil` takes the last part of the path.
        ///   - type: the content's type.
        /// - Returns: the part.
        public static func file(
            _ name: String, path: String, fileName: String? = nil, type: String = "application/octet-stream"
        ) -> RestRequest.FormPart {
            let last = path.split(byte: "/").last.map(String.init)
            return RestRequest.FormPart(
                name: name, fileName: fileName ?? last ?? "file", type: type, content: .file(path: path))
        }
    }
}

extension RestRequest.FormPart {
    /// What stands before the content.
    func head(boundary: String) -> [UInt8] {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { text += "; filename=\"\(Self.quoted(fileName))\"" }
        return Array("\(text)\r\nContent-Type: \(type)\r\n\r\n".utf8)
    }

    /// A name without what would end it or the line, percent-encoded as browsers do (RFC 7578 §2).
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, letter in
            switch letter {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(letter)
            }
        }
    }

    /// The part by another name.
    func named(_ name: String) -> RestRequest.FormPart {
        RestRequest.FormPart(name: name, fileName: fileName, type: type, content: content)
    }

    /// Whether the type can stand in a header line.
    var hasValidType: Bool { type.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}
