// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestJSON
import RestTransport

/// The routes that find entries by their names.
struct SearchRoutes: Sendable {
    /// What a search asks, and behind which path it goes on; all of it is in the cursor's text.
    private struct Position {
        let query: String
        let folder: String
        let limit: Int
        var last: String

        var text: String {
            let value: JSONValue = [
                "query": JSONValue(query), "folder": JSONValue(folder), "limit": JSONValue(limit),
                "last": JSONValue(last),
            ]
            return Base64.encodeForURL(value.bytes())
        }

        init(query: String, folder: String, limit: Int, last: String) {
            self.query = query
            self.folder = folder
            self.limit = limit
            self.last = last
        }

        init?(_ text: String) {
            guard let bytes = Base64.decodeForURL(text), let value = try? JSONValue(parsing: bytes),
                let query = value["query"]?.string, let folder = value["folder"]?.string,
                let limit = value.count("limit"), (1...1_000).contains(limit), let last = value["last"]?.string
            else { return nil }
            self.init(query: query, folder: folder, limit: limit, last: last)
        }
    }

    func search(
        _ argument: Files.SearchV2Arg, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchV2Result {
        try context.store.transaction { (tables) throws(BoxFailure<Files.SearchError>) in
            let folder = try wrapping(Files.SearchError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUpFolder(argument.options?.path ?? "")
            }
            let limit = Int(clamping: argument.options?.maxResults ?? 100)
            return Self.page(
                Position(query: argument.query.lowercased(), folder: folder, limit: limit, last: ""), tables)
        }
    }

    func proceed(
        _ argument: Files.SearchV2ContinueArg, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchV2Result {
        guard let position = Position(argument.cursor) else {
            throw .refused(.badInput("files/search/continue_v2", "the cursor is not one of this box"))
        }
        return try context.store.transaction { (tables) throws(BoxFailure<Files.SearchError>) in Self.page(position, tables) }
    }

    private static func page(_ position: Position, _ tables: BoxTables) -> Files.SearchV2Result {
        var found = tables.entries(
            in: position.folder, named: position.query, behind: position.last, limit: position.limit + 1)
        let hasMore = found.count > position.limit
        if hasMore { found.removeLast() }
        var next = position
        next.last = found.last?.path.lower ?? position.last
        return Files.SearchV2Result(
            matches: found.map { Files.SearchMatchV2(metadata: .metadata($0.metadata), matchType: .filename) },
            hasMore: hasMore, cursor: hasMore ? next.text : nil)
    }
}
