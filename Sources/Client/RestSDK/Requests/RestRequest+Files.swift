// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension Endpoint where Self == RestRequest {
    /// A call whose body has several parts (`multipart/form-data`, RFC 7578).
    ///
    /// The form can be sent again as any body. A part that is a file is read while it is sent, anew for each attempt; a
    /// file that changes meanwhile ends the call with ``RestError/Code/bodyChanged`` in place of a damaged upload.
    ///
    /// - Parameters:
    ///   - parts: the parts, in order.
    ///   - resource: where they go.
    ///   - method: the method.
    ///   - name: the kind of call, a fixed label.
    /// - Returns: the request.
    public static func form(
        _ parts: [RestRequest.FormPart], to resource: RestRequest.Resource, method: HTTPMethod = .post,
        name: String = "form"
    ) -> RestRequest {
        let form = FormBody(parts)
        var request = RestRequest(
            name: name, method: method, resource: resource, fields: ["Content-Type": form.contentType])
        request.parts = .form(form)
        if parts.isEmpty { request = request.refused("parts", "there is none") }
        if parts.contains(where: { !$0.hasValidType }) { request = request.refused("type", "must be printable ASCII") }
        return request
    }

    /// Creates a record that holds a file.
    ///
    /// - Parameters:
    ///   - type: the object's name, such as `ContentVersion`, `Document` or `Attachment`.
    ///   - fields: the other fields, such as `Title` and `PathOnClient`.
    ///   - content: the file, named after its field: `.file("VersionData", path: …)`.
    /// - Returns: the request.
    public static func create(_ type: String, _ fields: JSONObject, with content: RestRequest.FormPart) -> RestRequest {
        // The name of the first part is free; the platform's own examples call it so.
        let entity = type == "ContentVersion" ? "entity_content" : "entity_\(type.lowercased())"
        return form(
            [.json(entity, JSONValue(fields)), content], to: .data(["sobjects", type]), name: "createWithFile"
        ).requiring(type, "type").requiring(content.name, "content")
    }

    /// Reads a file out of a record; the payload is its bytes.
    ///
    /// ``RestClient/download(_:to:range:)`` writes it to a file without keeping it in memory.
    ///
    /// - Parameters:
    ///   - type: the object's name, such as `ContentVersion`.
    ///   - id: the record's id.
    ///   - field: the field that holds the file, such as `VersionData`.
    /// - Returns: the request; its payload is the content as it is stored.
    public static func blob(_ type: String, id: String, field: String) -> RestRequest {
        RestRequest(
            name: "blob", resource: .data(["sobjects", type, id, field]), fields: ["Accept": "*/*"],
            expectation: .anything
        ).requiring(type, "type").requiringID(id).requiring(field, "field")
    }
}

extension RestClient {
    /// Sends a request and writes the body of its answer to a file, which appears when it is complete.
    ///
    /// However large the file is, little memory is used. The token is renewed and the call sent again as any other.
    /// Where the answer breaks off and the server gave a strong validator (RFC 9110 8.8.1), the next attempt asks for
    /// the rest alone; where the resource is another by then, it starts over. Progress is told by
    /// ``RestRequest/reportingProgress(to:)``, in amounts of the whole file.
    ///
    /// A server that knows no ranges sends the whole, out of which the range is cut.
    ///
    /// - Parameters:
    ///   - request: a call that reads, such as ``RestRequest/blob(_:id:field:)``.
    ///   - path: where the file is to be; one that is there is replaced.
    ///   - range: the part of the resource that is wanted, in bytes; `nil` for all of it.
    /// - Returns: status and header fields of the last answer: 206 for a part and for the rest of a file.
    /// - Throws: ``RestError``; ``RestError/Code/file`` when the file cannot be written,
    ///   ``RestError/Code/rangeNotSatisfiable`` when the resource has no bytes in the range.
    @discardableResult
    public func download(
        _ request: RestRequest, to path: String, range: HTTPRequest.ByteRange? = nil
    ) async throws(RestError) -> HTTPResponse.Head {
        try await download(request, to: path, range: range, route: { _ in nil })
    }

    /// The same for a caller whose own error a failure may stand for, which handlers are shown then.
    @discardableResult
    package func download(
        _ request: RestRequest, to path: String, range: HTTPRequest.ByteRange?,
        progress: TransferProgress.Handler? = nil,
        route: @escaping @Sendable (RestError) -> (any Error)?
    ) async throws(RestError) -> HTTPResponse.Head {
        var request = request.requiring(path, "path")
        if let problem = range?.problem { request = request.refused("range", problem) }
        if case .file(let file) = request.body, FilePlace.collision(of: [path], with: [file.path]) != nil {
            request = request.refused("path", "this file is the body of the request; choose another path")
        }
        if range != nil, request.method != .get { request = request.refused("range", "only a GET has one") }
        let target = HTTPResponse.Download(path: path, range: range)
        defer { target.discard() }
        return try await content(
            of: request, { $0.head }, Call.Options(progress: progress, destination: .file(target)), route: route)
    }
}

/// A body of several parts (`multipart/form-data`, RFC 7578).
struct FormBody: Sendable, Hashable {
    let parts: [RestRequest.FormPart]
    let boundary: String

    init(_ parts: [RestRequest.FormPart]) {
        self.parts = parts
        // 122 bits drawn by chance occur in no content.
        boundary = "RestSDK-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
    }

    /// The type of the body.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The body: bytes when all parts are in memory, else a stream of known length, which is read from the files anew
    /// for each attempt.
    ///
    /// A file that is not what it was when the call began ends the upload with an error.
    ///
    /// - Throws: `TransportError.Code.file` for a file that cannot be read.
    func body() throws(TransportError) -> HTTPBody {
        var pieces: [Piece] = []
        for part in parts {
            pieces.append(.bytes(part.head(boundary: boundary)))
            switch part.content {
            case .bytes(let bytes): pieces.append(.bytes(bytes))
            case .file(let path): pieces.append(.file(HTTPBody.File(path: path).forOneCall))
            }
            pieces.append(.bytes(Array("\r\n".utf8)))
        }
        pieces.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        guard pieces.contains(where: \.isFile) else { return .bytes(pieces.flatMap(\.bytes)) }
        var length: Int64 = 0
        for piece in pieces { length += try piece.opened().length }
        return .stream(
            .restartable(length: length) { [pieces] in
                let maker = Maker(try pieces.map { try $0.opened() })
                return { try await maker.next() }
            })
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        case file(HTTPBody.File)

        var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
        var isFile: Bool { if case .file = self { true } else { false } }

        func opened() throws(TransportError) -> OpenPiece {
            switch self {
            case .bytes(let bytes): .bytes(bytes)
            case .file(let file): .file(try FileSource(file))
            }
        }
    }

    private enum OpenPiece: Sendable {
        case bytes([UInt8])
        case file(FileSource)

        var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file): file.length
            }
        }
    }

    /// Gives the pieces one after another, those of a file in its own pieces.
    private actor Maker {
        private var pieces: ArraySlice<OpenPiece>

        init(_ pieces: [OpenPiece]) {
            self.pieces = pieces[...]
        }

        func next() throws -> [UInt8]? {
            switch pieces.first {
            case nil: return nil
            case .bytes(let bytes):
                pieces.removeFirst()
                return bytes
            case .file(let file):
                if let bytes = try file.next() { return bytes }
                pieces.removeFirst()
                return try next()
            }
        }
    }
}

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

    /// A name without what would end it or the line, percent-encoded as browsers do (RFC 7578 2).
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
