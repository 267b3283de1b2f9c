// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

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
