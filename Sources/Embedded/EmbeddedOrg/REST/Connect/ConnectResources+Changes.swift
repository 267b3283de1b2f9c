// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
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

extension ConnectResources {
    private var link: SObjectSchema? { store.schema.object(named: "ContentDocumentLink") }

    /// A page of those with whom a file is shared.
    func shares(_ file: ConnectFile) throws(OrgFault) -> ServerResponse {
        let page = try ConnectPage(call)
        let found = try files.shares(file, from: page.start, most: page.size + 1)
        var items: [JSONValue] = []
        for share in found.prefix(page.size) { items.append(try json(share)) }
        return page.answer("shares", items, hasMore: found.count > page.size)
    }

    private func json(_ share: ConnectFiles.Share) throws(OrgFault) -> JSONValue {
        let object = store.schema.objects.first { share.entity.hasBytes(prefix: $0.keyPrefix) }
        let name = try object.map { (object) throws(OrgFault) in try files.name(of: share.entity, object) }
        return [
            "id": JSONValue(share.id),
            "entity": [
                "id": JSONValue(share.entity), "name": JSONValue(name ?? share.entity),
                "type": JSONValue(object?.name ?? ""),
                "url": JSONValue("\(call.version.path)/sobjects/\(object?.name ?? "")/\(share.entity)"),
            ],
            "sharingType": JSONValue(share.type),
        ]
    }

    /// Shares a file with users, groups or records, or ends it for those with the type `N`.
    func share(_ file: ConnectFile) throws(OrgFault) -> ServerResponse {
        guard let link else { throw .notFound }
        let wishes = try RecordInput.members(call.request.body)["shares"]?.array ?? []
        guard (1...100).contains(wishes.count) else { throw .invalidInput("shares must have 1 to 100 entries") }
        var checked: [(entity: String, type: String)] = []
        for wish in wishes {
            guard let id = wish["id"]?.string, let entity = RecordID.normalized(id),
                let type = wish["sharingType"]?.string.flatMap(Self.type)
            else { throw .invalidInput("A share has an id and a sharingType V, C, I or N") }
            checked.append((entity, type))
        }
        for (entity, type) in checked {
            let known = try files.share(file, with: entity)
            switch (known, type) {
            case (nil, "N"): break
            case (let known?, "N"): try store.delete(known.id, of: link)
            case (let known?, _): try store.update(known.id, with: ["ShareType": JSONValue(type)], of: link)
            case (nil, _):
                _ = try store.create(
                    [
                        "ContentDocumentId": JSONValue(file.id), "LinkedEntityId": JSONValue(entity),
                        "ShareType": JSONValue(type),
                    ], of: link)
            }
        }
        var response = try shares(file)
        response.status = 201
        return response
    }

    private static func type(_ name: String) -> String? {
        ["V": "V", "C": "C", "I": "I", "N": "N", "VIEWER": "V", "COLLABORATOR": "C", "NOACCESS": "N"][name.uppercased()]
    }
}
