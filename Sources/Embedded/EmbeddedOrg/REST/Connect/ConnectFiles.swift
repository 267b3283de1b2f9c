// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore

/// The queries for files and their shares.
struct ConnectFiles {
    let database: Database

    enum List: String {
        case owned = "", groups, sharedwithme
    }

    struct Share {
        let id: String
        let entity: String
        let type: String
    }

    private static let columns = """
        d."Id", v."Id", coalesce(d."Title", v."Title"), d."Description", u."Id", u."Name", u."IsActive",
        v."VersionNumber", v."ContentSize", coalesce(v."FileType", 'UNKNOWN'), v."FileExtension", d."CreatedDate",
        d."LastModifiedDate", v."LastModifiedDate", d."SharingOption", d."SharingPrivacy", d."PublishStatus"
        """
    private static let tables = """
        "ContentDocument" d JOIN "ContentVersion" v ON v."ContentDocumentId" = d."Id"
        JOIN "User" u ON u."Id" = d."OwnerId"
        """

    /// Returns the newest version of a file, or the version with this number.
    func file(_ id: String, version: String?) throws(OrgError) -> ConnectFile? {
        guard let id = RecordID.normalized(id) else { return nil }
        let condition = version == nil ? "v.\"IsLatest\" = 1" : "v.\"VersionNumber\" = ?2"
        let sql = """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE d."Id" = ?1 AND d."IsDeleted" = 0 AND \(condition)
            """
        return try files(sql, [.text(id)] + (version.map { [.text($0)] } ?? [])).first
    }

    /// Returns files of a user from a position, the last modified first.
    func list(_ list: List, of user: String, from start: Int, most: Int) throws(OrgError) -> [ConnectFile] {
        try files(
            """
            SELECT \(Self.columns) FROM \(Self.tables)
            WHERE v."IsLatest" = 1 AND d."IsDeleted" = 0 AND \(Self.condition(list))
            ORDER BY d."LastModifiedDate" DESC, d."Id" LIMIT ?3 OFFSET ?2
            """, [.text(user), .integer(Int64(start)), .integer(Int64(most))])
    }

    private static func condition(_ list: List) -> String {
        let shared = """
            SELECT "ContentDocumentId" FROM "ContentDocumentLink" WHERE "IsDeleted" = 0 AND "LinkedEntityId"
            """
        return switch list {
        case .owned: "d.\"OwnerId\" = ?1"
        case .sharedwithme: "d.\"OwnerId\" <> ?1 AND d.\"Id\" IN (\(shared) = ?1)"
        case .groups:
            """
            d."Id" IN (\(shared) IN
            (SELECT "GroupId" FROM "GroupMember" WHERE "UserOrGroupId" = ?1 AND "IsDeleted" = 0))
            """
        }
    }

    private func files(_ sql: String, _ values: [SQLValue]) throws(OrgError) -> [ConnectFile] {
        try database.fetch(sql, values) { Self.file($0) }
    }

    private static func file(_ row: RowReader) -> ConnectFile {
        func text(_ column: Int) -> String? { row.isNull(column) ? nil : row.text(column) }
        return ConnectFile(
            id: row.text(0), version: row.text(1), title: row.text(2), description: text(3),
            owner: ConnectUser(id: row.text(4), name: row.text(5), isActive: row.integer(6) == 1),
            number: row.text(7), size: Int(clamping: row.integer(8)), type: row.text(9), ending: text(10),
            created: row.text(11), modified: row.text(12), versionModified: row.text(13),
            sharingOption: row.text(14), sharingPrivacy: row.text(15), publishStatus: row.text(16))
    }

    func blob(_ file: ConnectFile) throws(OrgError) -> Blob? {
        try database.read { (connection) throws(OrgError) in
            try Blob.find(file.version, "VersionData", connection)
        }
    }

    func shares(_ file: ConnectFile, from start: Int, most: Int) throws(OrgError) -> [Share] {
        try database.fetch(
            """
            SELECT "Id", "LinkedEntityId", "ShareType" FROM "ContentDocumentLink"
            WHERE "ContentDocumentId" = ?1 AND "IsDeleted" = 0 ORDER BY "Id" LIMIT ?3 OFFSET ?2
            """, [.text(file.id), .integer(Int64(start)), .integer(Int64(most))]
        ) { Share(id: $0.text(0), entity: $0.text(1), type: $0.text(2)) }
    }

    func name(of entity: String, _ object: SObjectSchema) throws(OrgError) -> String {
        guard let field = object.fields.first(where: \.isNameField) else { return entity }
        return try database.fetch(
            "SELECT \"\(field.name)\" FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(entity)]
        ) { $0.isNull(0) ? entity : $0.text(0) }.first ?? entity
    }
}

/// A version of a file with its document, for the Connect API.
struct ConnectFile: Sendable {
    let id: String
    let version: String
    let title: String
    let description: String?
    let owner: ConnectUser
    let number: String
    let size: Int
    let type: String
    let ending: String?
    let created: String
    let modified: String
    let versionModified: String
    let sharingOption: String
    let sharingPrivacy: String
    let publishStatus: String

    private static let mediaTypes = [
        "csv": "text/csv", "gif": "image/gif", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "json": "application/json", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "xml": "text/xml",
        "zip": "application/zip",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]

    var mediaType: String { Self.mediaTypes[ending?.lowercased() ?? ""] ?? "application/octet-stream" }

    func json(_ api: APIVersion) -> JSONValue {
        let url = "\(api.path)/connect/files/\(id)"
        return [
            "id": JSONValue(id), "title": JSONValue(title), "name": JSONValue(title),
            "description": description.map { JSONValue($0) } ?? .null, "owner": owner.json(api),
            "contentSize": JSONValue(size), "fileExtension": ending.map { JSONValue($0) } ?? .null,
            "fileType": JSONValue(type), "mimeType": JSONValue(mediaType), "versionNumber": JSONValue(number),
            "createdDate": JSONValue(created), "modifiedDate": JSONValue(modified),
            "contentModifiedDate": JSONValue(versionModified), "systemModstamp": JSONValue(modified),
            "url": JSONValue(url), "downloadUrl": JSONValue("\(url)/content?versionNumber=\(number)"),
            "sharingOption": sharingOption == "R" ? "Restricted" : "Allowed",
            "sharingPrivacy": sharingPrivacy == "P" ? "Private" : "None",
            "publishStatus": publishStatus == "P" ? "Published" : "Private",
        ]
    }
}

/// The owner of a file, for the Connect API.
struct ConnectUser: Sendable {
    let id: String
    let name: String
    let isActive: Bool

    func json(_ api: APIVersion) -> JSONValue {
        [
            "id": JSONValue(id), "name": JSONValue(name), "type": "User", "isActive": JSONValue(isActive),
            "url": JSONValue("\(api.path)/chatter/users/\(id)"),
        ]
    }
}
