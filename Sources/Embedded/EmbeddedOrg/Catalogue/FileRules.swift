// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLStore

/// The rules for versions, documents and links of files.
///
/// A version without a document creates one, and links it to its owner and its publication location. A document has the
/// values of its latest version.
enum ContentFiles {
    /// The fields of a document that come from its latest version.
    static let documentFields = """
        ("LatestPublishedVersionId", "Title", "Description", "FileType", "FileExtension", "ContentSize") =
        (SELECT v."Id", v."Title", v."Description", v."FileType", v."FileExtension", v."ContentSize"
        FROM "ContentVersion" v WHERE v."ContentDocumentId" = "ContentDocument"."Id" AND v."IsLatest" = 1)
        """

    private static let types = [
        "csv": "CSV", "doc": "WORD", "docx": "WORD_X", "gif": "GIF", "htm": "HTML", "html": "HTML", "jpeg": "JPG",
        "jpg": "JPG", "json": "JSON", "mp3": "MP3", "mp4": "MP4", "pdf": "PDF", "png": "PNG", "ppt": "POWER_POINT",
        "pptx": "POWER_POINT_X", "rtf": "RTF", "svg": "SVG", "txt": "TEXT", "xls": "EXCEL", "xlsx": "EXCEL_X",
        "xml": "XML", "zip": "ZIP",
    ]

    /// Returns the file name without folders and extension, the extension, and the file type.
    private static func parts(of path: String) -> (name: String, extension: String, type: String) {
        let file = path.split(anyOf: "/\\").last ?? ""
        guard let dot = file.lastIndex(byte: "."), dot > file.startIndex else { return (String(file), "", "UNKNOWN") }
        let ending = String(file[file.utf8.index(after: dot)...])
        return (String(file[..<dot]), ending, types[ending.lowercased()] ?? "UNKNOWN")
    }

    /// Completes a new version, and creates its document if it has none.
    static func beginVersion(
        _ input: inout RecordInput, in store: RecordStore, _ connection: SQLiteConnection
    ) throws(OrgError) {
        guard case .text(let path) = input.value("PathOnClient") else { throw .missingFields(["PathOnClient"]) }
        guard input.value("VersionData") ?? .null != .null else { throw .missingFields(["VersionData"]) }
        let parts = Self.parts(of: path)
        input.setDefault("Title", .text(parts.name.isEmpty ? path : parts.name))
        input.set("FileType", .text(parts.type))
        input.set("FileExtension", parts.extension.isEmpty ? .null : .text(parts.extension))
        input.set("IsLatest", .integer(1))
        guard case .text(let document) = input.value("ContentDocumentId") else {
            input.set("VersionNumber", .text("1"))
            return input.set("ContentDocumentId", .text(try makeDocument(input, in: store, connection)))
        }
        let versions = "FROM \"ContentVersion\" WHERE \"ContentDocumentId\" = ?1"
        let last = "SELECT coalesce(max(CAST(\"VersionNumber\" AS INTEGER)), 0) \(versions)"
        let number = try connection.fetch(last, [.text(document)]) { $0.integer(0) }.first ?? 0
        input.set("VersionNumber", .text(String(number + 1)))
        try connection.change(
            "UPDATE \"ContentVersion\" SET \"IsLatest\" = 0 WHERE \"ContentDocumentId\" = ?1 AND \"IsLatest\" = 1",
            [.text(document)])
    }

    private static func makeDocument(
        _ input: RecordInput, in store: RecordStore, _ connection: SQLiteConnection
    ) throws(OrgError) -> String {
        let owner = input.value("OwnerId") ?? .text(store.userID)
        let title = input.value("Title") ?? .null
        let id = try insert("ContentDocument", [("OwnerId", owner), ("Title", title)], in: store, connection)
        var shares = [(owner, "I")]
        if let place = input.value("FirstPublishLocationId"), place != .null, place != owner {
            shares.append((place, "V"))
        }
        for (place, type) in shares {
            try insert(
                "ContentDocumentLink",
                [("ContentDocumentId", .text(id)), ("LinkedEntityId", place), ("ShareType", .text(type))],
                in: store, connection)
        }
        return id
    }

    @discardableResult
    private static func insert(
        _ name: String, _ values: [(name: String, value: SQLValue)], in store: RecordStore,
        _ connection: SQLiteConnection
    ) throws(OrgError) -> String {
        guard let object = store.schema.object(named: name) else { throw .unknownObject(name) }
        return try store.insert(RecordInput(values, of: object), object, connection)
    }

    /// Updates a document after its version was written, or the latest version after its document.
    static func align(
        _ number: Int64, _ input: RecordInput, _ connection: SQLiteConnection
    ) throws(OrgError) {
        if input.object.name == "ContentDocument" {
            for name in ["Title", "Description"] {
                guard let value = input.value(name) else { continue }
                let sql = """
                    UPDATE "ContentVersion" SET "\(name)" = ?2 WHERE "IsLatest" = 1 AND "ContentDocumentId" =
                    (SELECT "Id" FROM "ContentDocument" WHERE rowid = ?1)
                    """
                try connection.change(sql, [.integer(number), value])
            }
        } else if input.object.name == "ContentVersion" {
            let sql = """
                UPDATE "ContentDocument" SET \(documentFields) WHERE "Id" =
                (SELECT "ContentDocumentId" FROM "ContentVersion" WHERE rowid = ?1)
                """
            try connection.change(sql, [.integer(number)])
        }
    }
}
