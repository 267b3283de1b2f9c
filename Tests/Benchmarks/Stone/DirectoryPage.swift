// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import Foundation
import RestJSON
import RestTesting

/// A random page of a Dropbox directory: files with dates and hashes, and some directories.
struct FolderPage {
    /// The page, with Dropbox's whitespace.
    let bytes: [UInt8]

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    init(entries count: Int, seed: UInt64 = 7) {
        var random = SeededGenerator(seed: seed)
        let entries = (0..<count).map { number in
            number % 8 == 7 ? Self.folder(number, &random) : Self.file(number, &random)
        }
        let text = "{\"entries\": [\(entries.joined(separator: ", "))], \"cursor\": \"AAE_x\", \"has_more\": true}"
        bytes = Array(text.utf8)
    }

    private static func file(_ number: Int, _ random: inout SeededGenerator) -> String {
        let date = "2026-0\(1 + random.next(below: 9))-1\(random.next(below: 10))T10:11:12Z"
        let hash = (0..<4).map { _ in hexadecimal(random.next()) }.joined()
        return """
            {".tag": "file", \(names("Größe \(number).pdf", number)), "client_modified": "\(date)", \
            "server_modified": "\(date)", "rev": "0\(hexadecimal(random.next()))", \
            "size": \(random.next(below: 1 << 30)), "is_downloadable": true, \
            "sharing_info": {"read_only": true, "parent_shared_folder_id": "84528192421", \
            "modified_by": "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc"}, "content_hash": "\(hash)"}
            """
    }

    private static func folder(_ number: Int, _ random: inout SeededGenerator) -> String {
        "{\".tag\": \"folder\", \(names("Folder \(number)", number))}"
    }

    private static func names(_ name: String, _ number: Int) -> String {
        """
        "name": "\(name)", "id": "id:a4ayc_80_OEAAAAA\(number)", "path_lower": "/plans/\(name.lowercased())", \
        "path_display": "/Plans/\(name)"
        """
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The types of the page for Foundation's coders, as an app would write them.
struct PlainPage: Codable {
    let entries: [PlainEntry]
    let cursor: String
    let hasMore: Bool

    enum CodingKeys: String, CodingKey {
        case entries, cursor
        case hasMore = "has_more"
    }

    /// Whether the generated types have the same values.
    func isLike(_ page: Files.ListFolderResult) -> Bool {
        cursor == page.cursor && hasMore == page.hasMore && entries.count == page.entries.count
            && zip(entries, page.entries).allSatisfy { $0.isLike($1) }
    }
}
