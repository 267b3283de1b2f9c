// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension Endpoint where Self == RestRequest {
    /// Sends a body with several parts (`multipart/form-data`, RFC 7578).
    ///
    /// The call can be retried like any other. A file is read while it is sent, and again for each attempt. If the file
    /// changes meanwhile, the call fails with ``RestError/Code/bodyChanged``, so that no damaged file is stored.
    ///
    /// - Parameters:
    ///   - parts: the parts, in order.
    ///   - resource: the target resource.
    ///   - method: the HTTP method.
    ///   - name: the kind of call, a fixed label.
    /// - Returns: the request.
    public static func form(
        _ parts: [RestRequest.FormPart], to resource: RestRequest.Resource, method: HTTPMethod = .post,
        name: String = "form"
    ) -> RestRequest {
        let form = FormBody(parts)
        return RestRequest(name: name, method: method, resource: resource, fields: ["Content-Type": form.contentType])
            .with { $0.parts = .form(form) }
            .refused("parts", parts.isEmpty ? "must not be empty" : nil)
            .refused("type", parts.allSatisfy(\.hasValidType) ? nil : "must be printable ASCII")
    }

    /// Creates a record with a file.
    ///
    /// - Parameters:
    ///   - type: the object's name, such as `ContentVersion`, `Document` or `Attachment`.
    ///   - fields: the other fields, such as `Title` and `PathOnClient`.
    ///   - content: the file, whose part has the name of its field: `.file("VersionData", path: …)`.
    /// - Returns: the request.
    public static func create(_ type: String, _ fields: JSONObject, with content: RestRequest.FormPart) -> RestRequest {
        // The name of the first part is arbitrary. Salesforce's examples use this one.
        let entity = type == "ContentVersion" ? "entity_content" : "entity_\(type.lowercased())"
        return form(
            [.json(entity, JSONValue(fields)), content], to: .data(["sobjects", type]), name: "createWithFile"
        ).requiring(type, "type").requiring(content.name, "content")
    }

    /// Reads a file from a field of a record.
    ///
    /// The payload contains its bytes. To write the file to disk without loading it into memory, use
    /// ``RestClient/download(_:to:range:)``.
    ///
    /// - Parameters:
    ///   - type: the object's name, such as `ContentVersion`.
    ///   - id: the record's id.
    ///   - field: the field that contains the file, such as `VersionData`.
    /// - Returns: the request, whose payload is the stored content, unchanged.
    public static func blob(_ type: String, id: String, field: String) -> RestRequest {
        RestRequest(
            name: "blob", resource: .data(["sobjects", type, id, field]), fields: ["Accept": "*/*"],
            expectation: .anything
        ).requiring(type, "type").requiringID(id).requiring(field, "field")
    }
}

extension RestClient {
    /// Downloads the body of a response to a file, which appears when it is complete.
    ///
    /// The memory use is small, regardless of the size of the file. Tokens are renewed and the call is retried like any
    /// other. If the response is interrupted and the server sent a strong validator (RFC 9110 §8.8.1), the next attempt
    /// requests only the rest. If the resource has changed by then, the download starts over.
    /// ``RestRequest/reportingProgress(to:)`` reports the progress in bytes of the whole file.
    ///
    /// If the server does not support ranges, it sends the whole resource, and the range is cut out of it.
    ///
    /// - Parameters:
    ///   - request: a call that reads, such as ``RestRequest/blob(_:id:field:)``.
    ///   - path: the destination path. An existing file is replaced.
    ///   - range: the part of the resource to download, in bytes. If `nil`, the whole resource is downloaded.
    /// - Returns: the head of the last response. Its status is 206 for a range and for the rest of a file.
    /// - Throws: ``RestError``, with ``RestError/Code/file`` if the file cannot be written, and
    ///   ``RestError/Code/rangeNotSatisfiable`` if the resource has no bytes in the range.
    @discardableResult
    public func download(
        _ request: RestRequest, to path: String, range: HTTPRequest.ByteRange? = nil
    ) async throws(RestError) -> HTTPResponse.Head {
        try await download(request, to: path, range: range, route: { _ in nil })
    }

    /// Like ``download(_:to:range:)``, but `route` converts a ``RestError`` to the caller's typed error for error
    /// handlers.
    @discardableResult
    package func download(
        _ request: RestRequest, to path: String, range: HTTPRequest.ByteRange?,
        progress: TransferProgress.Handler? = nil,
        route: @escaping @Sendable (RestError) -> (any Error)?
    ) async throws(RestError) -> HTTPResponse.Head {
        var request = request.requiring(path, "path").refused("range", range?.problem)
        if case .file(let file) = request.body, FilePlace.collision(of: [path], with: [file.path]) != nil {
            request = request.refused("path", "this file is the body of the request; choose another path")
        }
        request = request.refused("range", range != nil && request.method != .get ? "is allowed only for a GET" : nil)
        let target = HTTPResponse.Download(path: path, range: range)
        defer { target.discard() }
        return try await content(
            of: request, { $0.head }, Call.Options(progress: progress, destination: .file(target)), route: route)
    }
}

/// A body with several parts (`multipart/form-data`, RFC 7578).
struct FormBody: Sendable, Hashable {
    let parts: [RestRequest.FormPart]
    let boundary: String

    init(_ parts: [RestRequest.FormPart]) {
        self.parts = parts
        // 122 random bits do not occur in any content.
        boundary = "RestSDK-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
    }

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Returns bytes if all parts are in memory, otherwise a stream of known length, or throws if a file cannot be
    /// read.
    ///
    /// The stream reads the files again for each attempt, and throws if a file has changed since the call began.
    func body() throws(TransportError) -> HTTPBody {
        var chunks: [Chunk] = []
        for part in parts {
            chunks.append(.bytes(part.head(boundary: boundary)))
            switch part.content {
            case .bytes(let bytes): chunks.append(.bytes(bytes))
            case .file(let path): chunks.append(.file(HTTPBody.File(path: path).forOneCall))
            case .source(let source): chunks.append(.source(source))
            }
            chunks.append(.bytes(Array("\r\n".utf8)))
        }
        chunks.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        guard chunks.contains(where: \.isFile) else { return .bytes(chunks.flatMap(\.bytes)) }
        var length: Int64 = 0
        for chunk in chunks { length += try chunk.opened().length }
        return .stream(
            .restartable(length: length) { [chunks] in
                let maker = Maker(try chunks.map { try $0.opened() })
                return { try await maker.next() }
            })
    }

    private enum Chunk: Sendable {
        case bytes([UInt8])
        case file(HTTPBody.File)
        case source(RestRequest.FormSource)

        var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
        var isFile: Bool { if case .bytes = self { false } else { true } }

        func opened() throws(TransportError) -> OpenChunk {
            switch self {
            case .bytes(let bytes): .bytes(bytes)
            case .file(let file): .file(try FileSource(file))
            case .source(let source): .source(source, position: 0)
            }
        }
    }

    private enum OpenChunk: Sendable {
        case bytes([UInt8])
        case file(FileSource)
        case source(RestRequest.FormSource, position: Int64)

        var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file): file.length
            case .source(let source, _): source.length
            }
        }
    }

    /// Returns the parts one after another, and a file in chunks.
    private actor Maker {
        private var chunks: ArraySlice<OpenChunk>

        init(_ chunks: [OpenChunk]) { self.chunks = chunks[...] }

        func next() throws -> [UInt8]? {
            switch chunks.first {
            case nil: return nil
            case .bytes(let bytes):
                chunks.removeFirst()
                return bytes
            case .file(let file):
                if let bytes = try file.next() { return bytes }
                chunks.removeFirst()
                return try next()
            case .source(let source, let position):
                chunks.removeFirst()
                guard position < source.length else { return try next() }
                let bytes = try source.read(position)
                chunks.insert(.source(source, position: position + Int64(bytes.count)), at: chunks.startIndex)
                return bytes
            }
        }
    }
}

extension RestRequest {
    /// One part of a `multipart/form-data` body (RFC 7578).
    public struct FormPart: Sendable, Hashable {
        enum Content: Sendable, Hashable {
            case bytes([UInt8])
            case file(path: String)
            case source(FormSource)
        }

        let name: String
        let fileName: String?
        let type: String
        let content: Content

        /// Makes a JSON part.
        public static func json(_ name: String, _ value: JSONValue) -> RestRequest.FormPart {
            RestRequest.FormPart(
                name: name, fileName: nil, type: "application/json; charset=UTF-8", content: .bytes(value.bytes()))
        }

        /// Makes a file part from bytes in memory.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - bytes: the content.
        ///   - fileName: the file name for the server.
        ///   - type: the media type of the content.
        /// - Returns: the part.
        public static func bytes(
            _ name: String, _ bytes: [UInt8], fileName: String, type: String = "application/octet-stream"
        ) -> RestRequest.FormPart {
            RestRequest.FormPart(name: name, fileName: fileName, type: type, content: .bytes(bytes))
        }

        /// Makes a part from a file, which is read while it is sent.
        ///
        /// - Parameters:
        ///   - name: the name of the part.
        ///   - path: the path of the file.
        ///   - fileName: the file name for the server. If `nil`, the last component of the path is used.
        ///   - type: the media type of the content.
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

extension RestRequest {
    /// Content of known length, which is read again for each attempt.
    package final class FormSource: Sendable, Hashable {
        let length: Int64
        /// Returns the next bytes at a position before the end.
        let read: @Sendable (_ position: Int64) throws -> [UInt8]

        package init(length: Int64, read: @escaping @Sendable (_ position: Int64) throws -> [UInt8]) {
            (self.length, self.read) = (length, read)
        }

        package static func == (first: FormSource, second: FormSource) -> Bool { first === second }

        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension RestRequest.FormPart {
    /// Makes a file part from a source.
    package static func source(_ name: String, _ source: RestRequest.FormSource, fileName: String) -> Self {
        Self(name: name, fileName: fileName, type: "application/octet-stream", content: .source(source))
    }
}

extension RestRequest.FormPart {
    /// The boundary and headers before the content.
    func head(boundary: String) -> [UInt8] {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { text += "; filename=\"\(Self.quoted(fileName))\"" }
        return Array("\(text)\r\nContent-Type: \(type)\r\n\r\n".utf8)
    }

    /// Percent-encodes quotes and line breaks in a name, as browsers do (RFC 7578 §2).
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

    func named(_ name: String) -> RestRequest.FormPart {
        RestRequest.FormPart(name: name, fileName: fileName, type: type, content: content)
    }

    var hasValidType: Bool { type.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}
