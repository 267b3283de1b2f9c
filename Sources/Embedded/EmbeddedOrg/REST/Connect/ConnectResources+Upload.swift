// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

extension ConnectResources {
    /// What is said of a file, in a part of JSON or in a part for each name.
    private struct About {
        var members: JSONObject = [:]

        init(_ body: MultipartBody) throws(OrgFault) {
            if let json = body.parts.first(where: { $0.type == "application/json" || $0.name == "json" }) {
                members = try RecordInput.members(Array(json.bytes))
            }
            for name in ["title", "desc", "description"] {
                guard let part = body[name] else { continue }
                members[name] = JSONValue(String(decoding: part.bytes, as: UTF8.self))
            }
        }

        var title: String? { members["title"]?.string }
        var description: String? { (members["desc"] ?? members["description"])?.string }
    }

    /// Makes a file of a user's own.
    func upload(to user: String) throws(OrgFault) -> ServerResponse {
        let body = try MultipartBody(call.request)
        let about = try About(body)
        var members = try version(body, about)
        members["OwnerId"] = JSONValue(user)
        return try detailed(try create(members), status: 201)
    }

    /// Gives a file another version.
    func upload(toReplace file: ConnectFile) throws(OrgFault) -> ServerResponse {
        let body = try MultipartBody(call.request)
        let about = try About(body)
        var members = try version(body, about)
        members["ContentDocumentId"] = JSONValue(file.id)
        if about.title == nil { members["Title"] = JSONValue(file.title) }
        return try detailed(try create(members), status: 201)
    }

    private func version(_ body: MultipartBody, _ about: About) throws(OrgFault) -> JSONObject {
        guard let data = body["fileData"] else { throw .invalidInput("The body must have a part fileData") }
        let path = data.fileName ?? about.title ?? ""
        guard !path.isEmpty else { throw .invalidInput("The part fileData must have a filename, or the file a title") }
        var members: JSONObject = [
            "PathOnClient": JSONValue(path), "VersionData": JSONValue(Base64.encode(Array(data.bytes))),
        ]
        if let title = about.title, !title.isEmpty { members["Title"] = JSONValue(title) }
        if let description = about.description { members["Description"] = JSONValue(description) }
        return members
    }

    /// The id of the document of a new version.
    private func create(_ members: JSONObject) throws(OrgFault) -> String {
        guard let object = store.schema.object(named: "ContentVersion"),
            let field = object.field(named: "ContentDocumentId")
        else { throw .notFound }
        guard let id = try store.text(field, try store.create(members, of: object), of: object) else {
            throw .notFound
        }
        return id
    }

    /// Changes the title and the description.
    func rename(_ file: ConnectFile) throws(OrgFault) {
        guard let object = store.schema.object(named: "ContentDocument") else { throw .notFound }
        let given = try RecordInput.members(call.request.body)
        var members: JSONObject = [:]
        if let title = given["title"] { members["Title"] = title }
        if let description = given["desc"] ?? given["description"] { members["Description"] = description }
        try store.update(file.id, with: members, of: object)
    }
}
