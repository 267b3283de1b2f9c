// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

struct ConnectResources {
    let records: RecordResources
    let call: RESTRouter.Call
    /// The segments after `/connect`.
    let rest: [String]

    var store: RecordStore { records.store }
    var files: ConnectFiles { ConnectFiles(database: records.store.database) }

    init(records: RecordResources, call: RESTRouter.Call) {
        (self.records, self.call) = (records, call)
        rest = Array(call.rest.dropFirst())
    }

    func respond() throws(OrgError) -> ServerResponse {
        switch rest.first {
        case "files" where rest.count > 1:
            switch rest[1] {
            case "users" where rest.count > 2: return try listOrUpload()
            case "batch" where rest.count == 3: return try batch(rest[2])
            default: return try file(rest[1])
            }
        default: throw .notFound
        }
    }

    /// Returns the ID of a user, which may be given as `me`.
    private func user(_ name: String) throws(OrgError) -> String {
        guard name != "me" else { return call.userID }
        guard let object = store.schema.object(named: "User"), let id = RecordID.normalized(name) else {
            throw .notFound
        }
        _ = try store.facts(id, of: object)
        return id
    }

    private func listOrUpload() throws(OrgError) -> ServerResponse {
        let user = try user(rest[2])
        guard rest.count > 3 else {
            try call.allow("GET", "POST")
            return call.method == "POST" ? try upload(to: user) : try list(.owned, of: user)
        }
        try call.allow("GET")
        guard rest.count == 5, rest[3] == "filter", let list = ConnectFiles.List(rawValue: rest[4]), list != .owned
        else {
            throw .notFound
        }
        return try self.list(list, of: user)
    }

    private func list(_ list: ConnectFiles.List, of user: String) throws(OrgError) -> ServerResponse {
        let page = try ConnectPage(call)
        let found = try files.list(list, of: user, from: page.start, most: page.size + 1)
        let items = found.prefix(page.size).map { $0.json(call.version) }
        return page.respond("files", items, hasMore: found.count > page.size)
    }

    /// Returns the details of several files, each with its own status.
    private func batch(_ names: String) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let ids = names.split(byte: ",", omittingEmptySubsequences: false).map(String.init)
        guard ids.count <= 100 else { throw .badParameter("A batch has at most 100 files") }
        var (results, hasErrors): ([JSONValue], Bool) = ([], false)
        for id in ids {
            if let file = try files.file(id, version: nil) {
                results.append(["statusCode": 200, "result": file.json(call.version)])
            } else {
                hasErrors = true
                let fault = (try? JSONValue(parsing: OrgError.notFound.response.body)) ?? .null
                results.append(["statusCode": 404, "result": fault])
            }
        }
        return .json(value: ["hasErrors": JSONValue(hasErrors), "results": JSONValue(JSONArray(results))])
    }

    private func file(_ id: String) throws(OrgError) -> ServerResponse {
        let number = call.path.parameter("versionNumber")
        guard let file = try files.file(id, version: number) else {
            throw .missing("There is no file '\(id.prefix(40))' with such a version")
        }
        switch (rest.count, rest.count > 2 ? rest[2] : "") {
        case (2, _): return try details(file)
        case (3, "content"):
            try call.allow("GET")
            return try content(file)
        case (3, "file-shares"):
            try call.allow("GET")
            return try shares(file)
        default: throw .notFound
        }
    }

    private func details(_ file: ConnectFile) throws(OrgError) -> ServerResponse {
        try call.allow("GET", "POST", "PATCH", "DELETE")
        switch call.method {
        case "POST": return try upload(toReplace: file)
        case "PATCH":
            try rename(file)
            return try detailed(file.id, status: 200)
        case "DELETE":
            guard let object = store.schema.object(named: "ContentDocument") else { throw .notFound }
            try store.delete(file.id, of: object)
            return .empty(204)
        default: return .json(value: file.json(call.version))
        }
    }

    func detailed(_ id: String, status: Int) throws(OrgError) -> ServerResponse {
        guard let file = try files.file(id, version: nil) else { throw .notFound }
        return .json(status, value: file.json(call.version))
    }

    private func content(_ file: ConnectFile) throws(OrgError) -> ServerResponse {
        guard let blob = try files.blob(file) else { throw .notFound }
        var response = try blob.response(to: call.request, type: file.mediaType, store.database)
        // An HTML file must never run as a page of the org.
        response.fields += [("Content-Disposition", "attachment"), ("X-Content-Type-Options", "nosniff")]
        return response
    }
}

extension OrgError {
    static func badParameter(_ message: String) -> OrgError {
        OrgError("ILLEGAL_QUERY_PARAMETER_VALUE", message)
    }
}

/// A page of a list in the Connect API, counted from 0.
struct ConnectPage {
    let size: Int
    private let number: Int
    private let path: String

    private static let sizes = 1...100
    private static let mostPages = 1_000_000

    init(_ call: RESTRouter.Call) throws(OrgError) {
        guard let number = Int(outside: call.path.parameter("page") ?? "0", in: .count),
            let size = Int(outside: call.path.parameter("pageSize") ?? "25", in: .count), Self.sizes.contains(size),
            number <= Self.mostPages
        else { throw .badParameter("page must be between 0 and 1000000, and pageSize between 1 and 100") }
        (self.number, self.size) = (number, size)
        path = "\(call.version.path)/\(call.rest.map { PercentEncoding.pathSegment($0) }.joined(separator: "/"))"
    }

    var start: Int { number * size }

    private func url(_ page: Int) -> JSONValue { JSONValue("\(path)?page=\(page)&pageSize=\(size)") }

    func respond(_ name: String, _ items: [JSONValue], hasMore: Bool) -> ServerResponse {
        .json(value: [
            "currentPageUrl": url(number), "nextPageUrl": hasMore ? url(number + 1) : .null,
            "previousPageUrl": number > 0 ? url(number - 1) : .null, name: JSONValue(JSONArray(items)),
        ])
    }
}

extension ConnectResources {
    func upload(to user: String) throws(OrgError) -> ServerResponse {
        try upload(["OwnerId": JSONValue(user)])
    }

    func upload(toReplace file: ConnectFile) throws(OrgError) -> ServerResponse {
        try upload(["ContentDocumentId": JSONValue(file.id), "Title": JSONValue(file.title)])
    }

    /// Creates a version from the parts `json` and `fileData`, and from known values.
    private func upload(_ known: JSONObject) throws(OrgError) -> ServerResponse {
        let body = try MultipartBody(call.request)
        let about = try body["json"].map { (part) throws(OrgError) in try RecordInput.members(Array(part.bytes)) }
        guard let data = body["fileData"] else { throw .invalidInput("The body must have a part fileData") }
        var members = known
        if let title = about?["title"]?.string, !title.isEmpty { members["Title"] = JSONValue(title) }
        if let description = about?["desc"]?.string { members["Description"] = JSONValue(description) }
        guard let path = data.fileName ?? members["Title"]?.string else {
            throw .invalidInput("The part fileData must have a filename, or the file a title")
        }
        members["PathOnClient"] = JSONValue(path)
        members["VersionData"] = JSONValue(Base64.encode(Array(data.bytes)))
        return try detailed(try create(members), status: 201)
    }

    /// Creates a version and returns the ID of its document.
    private func create(_ members: JSONObject) throws(OrgError) -> String {
        guard let object = store.schema.object(named: "ContentVersion"),
            let field = object.field(named: "ContentDocumentId")
        else { throw .notFound }
        guard let id = try store.text(field, try store.create(members, of: object), of: object) else {
            throw .notFound
        }
        return id
    }

    func rename(_ file: ConnectFile) throws(OrgError) {
        guard let object = store.schema.object(named: "ContentDocument") else { throw .notFound }
        let title = try RecordInput.members(call.request.body)["title"]
        try store.update(file.id, with: title.map { ["Title": $0] } ?? [:], of: object)
    }

    func shares(_ file: ConnectFile) throws(OrgError) -> ServerResponse {
        let page = try ConnectPage(call)
        let found = try files.shares(file, from: page.start, most: page.size + 1)
        var items: [JSONValue] = []
        for share in found.prefix(page.size) { items.append(try json(share)) }
        return page.respond("shares", items, hasMore: found.count > page.size)
    }

    private func json(_ share: ConnectFiles.Share) throws(OrgError) -> JSONValue {
        let object = store.schema.objects.first { share.entity.hasBytes(prefix: $0.keyPrefix) }
        let name = try object.map { (object) throws(OrgError) in try files.name(of: share.entity, object) }
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
}
