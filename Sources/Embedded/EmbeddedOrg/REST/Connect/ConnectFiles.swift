// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Finds files and their shares.
struct ConnectFiles {
    let database: Database

    /// Which files of a user are listed.
    enum List: String {
        case owned = "", groups, sharedwithme
    }

    /// A share of a file.
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

    /// The newest version of a file, or the one of that number.
    func file(_ id: String, version: String?) throws(OrgFault) -> ConnectFile? {
        guard let id = RecordID.normalized(id) else { return nil }
        let condition = version == nil ? "v.\"IsLatest\" = 1" : "v.\"VersionNumber\" = ?2"
        let sql = """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE d."Id" = ?1 AND d."IsDeleted" = 0 AND \(condition)
            """
        return try files(sql, [.text(id)] + (version.map { [.text($0)] } ?? [])).first
    }

    /// A page of a user's files, the one that was changed last first; one more than asked for if there are more.
    func list(
        _ list: List, of user: String, title: String?, from start: Int, most: Int
    ) throws(OrgFault) -> [ConnectFile] {
        var condition = Self.condition(list)
        var values: [SQLValue] = [.text(user), .integer(Int64(start)), .integer(Int64(most))]
        if let title {
            condition += " AND instr(lower(d.\"Title\"), lower(?4)) > 0"
            values.append(.text(title))
        }
        return try files(
            """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE v."IsLatest" = 1 AND d."IsDeleted" = 0 AND \(condition)
            ORDER BY d."LastModifiedDate" DESC, d."Id" LIMIT ?3 OFFSET ?2
            """, values)
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

    private func files(_ sql: String, _ values: [SQLValue]) throws(OrgFault) -> [ConnectFile] {
        try read { (connection) throws(DatabaseError) -> [ConnectFile] in
            var files: [ConnectFile] = []
            try connection.rows(sql, values) { files.append(Self.file($0)) }
            for index in files.indices {
                guard ["PNG", "JPG", "GIF"].contains(files[index].type),
                    let blob = try Blob.find(files[index].version, "VersionData", connection)
                else { continue }
                let start = try ContentStore.bytes(
                    of: blob.content, 0..<min(blob.size, ImageSize.mostBytes), connection)
                files[index].pixels = ImageSize(start)
            }
            return files
        }
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

    /// The bytes of a version.
    func blob(_ file: ConnectFile) throws(OrgFault) -> Blob? {
        try read { (connection) throws(DatabaseError) in try Blob.find(file.version, "VersionData", connection) }
    }

    /// A page of those with whom a file is shared.
    func shares(_ file: ConnectFile, from start: Int, most: Int) throws(OrgFault) -> [Share] {
        try read { (connection) throws(DatabaseError) -> [Share] in
            var shares: [Share] = []
            try connection.rows(
                """
                SELECT "Id", "LinkedEntityId", "ShareType" FROM "ContentDocumentLink"
                WHERE "ContentDocumentId" = ?1 AND "IsDeleted" = 0 ORDER BY "Id" LIMIT ?3 OFFSET ?2
                """, [.text(file.id), .integer(Int64(start)), .integer(Int64(most))]
            ) { shares.append(Share(id: $0.text(0), entity: $0.text(1), type: $0.text(2))) }
            return shares
        }
    }

    /// The share of a file with a record.
    func share(_ file: ConnectFile, with entity: String) throws(OrgFault) -> Share? {
        try read { (connection) throws(DatabaseError) -> Share? in
            var share: Share?
            try connection.rows(
                """
                SELECT "Id", "LinkedEntityId", "ShareType" FROM "ContentDocumentLink"
                WHERE "ContentDocumentId" = ?1 AND "LinkedEntityId" = ?2 AND "IsDeleted" = 0
                """, [.text(file.id), .text(entity)]
            ) { share = Share(id: $0.text(0), entity: $0.text(1), type: $0.text(2)) }
            return share
        }
    }

    /// What a record is called.
    func name(of entity: String, _ object: SObjectSchema) throws(OrgFault) -> String {
        guard let field = object.fields.first(where: \.isNameField) else { return entity }
        return try read { (connection) throws(DatabaseError) -> String in
            var name = entity
            try connection.rows("SELECT \"\(field.name)\" FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(entity)]) {
                if !$0.isNull(0) { name = $0.text(0) }
            }
            return name
        }
    }

    private func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(DatabaseError) -> Result
    ) throws(OrgFault) -> Result {
        try database.read { (connection) throws(OrgFault) -> Result in
            do throws(DatabaseError) { return try body(connection) } catch { throw OrgFault(error) }
        }
    }
}
