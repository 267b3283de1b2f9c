// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestTransport

extension RestRequest {
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
        _ parts: [RestRequest.FormPart], to resource: Resource, method: HTTPMethod = .post, name: String = "form"
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
    /// Where the answer breaks off and the server gave a strong validator (RFC 9110 §8.8.1), the next attempt asks for
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
