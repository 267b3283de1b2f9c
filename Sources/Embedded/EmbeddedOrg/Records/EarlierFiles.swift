// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Gives the files of earlier releases, which were versions only, their documents and links.
enum EarlierFiles {
    static func complete(_ connection: SQLiteConnection) throws(DatabaseError) {
        var versions: [(number: Int64, path: String, owner: String)] = []
        try connection.rows(
            """
            SELECT rowid, coalesce("PathOnClient", "Title", ''), coalesce("OwnerId", "CreatedById")
            FROM "ContentVersion" WHERE "ContentDocumentId" IS NULL
            """
        ) { versions.append(($0.integer(0), $0.text(1), $0.text(2))) }
        for version in versions { try complete(version, connection) }
        guard !versions.isEmpty, let align = DerivedFields.updateAll("ContentDocument") else { return }
        try connection.execute(align)
    }

    /// The new records have the version's own number.
    private static func complete(
        _ version: (number: Int64, path: String, owner: String), _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let (number, row) = (version.number, SQLValue.integer(version.number))
        let (document, owner) = (RecordID.make(prefix: "069", number: number), SQLValue.text(version.owner))
        let audit = FieldDefinition.audit.map { "\"\($0.schema.name)\"" }.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO "ContentDocument" (rowid, "Id", "OwnerId", "PublishStatus", "SharingOption", "SharingPrivacy",
            \(audit)) SELECT rowid, ?2, ?3, 'P', 'A', 'N', \(audit) FROM "ContentVersion" WHERE rowid = ?1
            """, [row, .text(document), owner])
        try connection.run(
            """
            INSERT INTO "ContentDocumentLink" (rowid, "Id", "ContentDocumentId", "LinkedEntityId", "ShareType",
            "Visibility", \(audit)) SELECT rowid, ?2, ?3, ?4, 'I', 'AllUsers', \(audit)
            FROM "ContentVersion" WHERE rowid = ?1
            """,
            [row, .text(RecordID.make(prefix: "06A", number: number)), .text(document), owner])
        let parts = ContentFiles.parts(of: version.path)
        try connection.run(
            """
            UPDATE "ContentVersion" SET "ContentDocumentId" = ?2, "VersionNumber" = '1', "IsLatest" = 1,
            "FileType" = ?3, "FileExtension" = ?4, "ContentLocation" = 'S', "Origin" = 'C', "PublishStatus" = 'P',
            "SharingOption" = 'A', "SharingPrivacy" = 'N' WHERE rowid = ?1
            """,
            [row, .text(document), .text(parts.type), parts.extension.isEmpty ? .null : .text(parts.extension)])
    }
}
