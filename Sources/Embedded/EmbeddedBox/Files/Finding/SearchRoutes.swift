// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestJSON
import RestTransport
import StoneRuntime

/// The routes that find entries by their names, and short texts by what is in them.
struct SearchRoutes: Sendable {
    func search(
        _ argument: Files.SearchV2Arg, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchV2Result {
        try page(SearchPosition(argument: argument, start: 0), context)
    }

    func proceed(
        _ argument: Files.SearchV2ContinueArg, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchV2Result {
        guard let position = SearchPosition(argument.cursor) else {
            throw .refused(.badInput("files/search/continue_v2", "the cursor is not one of this box"))
        }
        return try page(position, context)
    }

    private func page(
        _ position: SearchPosition, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchV2Result {
        let (found, limit) = (try Self.find(SearchQuery(position.argument), context), position.limit)
        let rest = found.dropFirst(position.start)
        let hasMore = rest.count > limit
        let matches = rest.prefix(limit).map { match in
            Files.SearchMatchV2(metadata: .metadata(match.metadata), matchType: match.typeV2)
        }
        let next = SearchPosition(argument: position.argument, start: position.start + limit)
        return Files.SearchV2Result(matches: matches, hasMore: hasMore, cursor: hasMore ? next.text : nil)
    }

    /// The older form, whose pages are numbers.
    func searchV1(
        _ argument: Files.SearchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> Files.SearchResult {
        var query = SearchQuery(words: argument.query, folder: argument.path)
        query.isNameOnly = argument.mode != .filenameAndContent
        query.isDeleted = argument.mode == .deletedFilename
        let found = try Self.find(query, context)
        let (start, limit) = (Int(clamping: argument.start), Int(clamping: argument.maxResults))
        let rest = found.dropFirst(start)
        return Files.SearchResult(
            matches: rest.prefix(limit).map { Files.SearchMatch(matchType: $0.typeV1, metadata: $0.metadata) },
            more: rest.count > limit,
            start: UInt64(clamping: min(found.count, start.addingReportingOverflow(limit).partialValue)))
    }

    private static func find(
        _ query: SearchQuery, _ context: RouteContext
    ) throws(BoxFailure<Files.SearchError>) -> [SearchFinding] {
        let candidates = try context.store.transaction {
            (tables) throws(BoxFailure<Files.SearchError>) -> [SearchCandidate] in
            let folder = try wrapping(Files.SearchError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUpFolder(query.folder)
            }
            guard !query.isDeleted else {
                return tables.deletions(in: folder, isRecursive: true).map { .deleted($0) }
            }
            return tables.descendants(of: folder).filter(query.takes).map { entry in
                let bytes = query.reads(entry) ? entry.content.map(tables.bytes) : nil
                return .entry(entry, bytes)
            }
        }
        let found = candidates.compactMap(query.finding)
        return query.isByTime ? found.sorted { ($1.modified, $0.path) < ($0.modified, $1.path) } : found
    }
}

/// What a search asks, and how many findings were told before; all of it is in the cursor's text.
struct SearchPosition: Sendable {
    let argument: Files.SearchV2Arg
    let start: Int

    var limit: Int { min(max(Int(clamping: argument.options?.maxResults ?? 100), 1), 1_000) }

    var text: String {
        let argument = (try? self.argument.json()).flatMap { try? JSONValue(parsing: $0) } ?? .null
        let value: JSONValue = ["argument": argument, "start": JSONValue(start)]
        return Base64.encodeForURL(value.bytes())
    }

    init(argument: Files.SearchV2Arg, start: Int) {
        (self.argument, self.start) = (argument, start)
    }

    /// `nil` for a text that the box did not make.
    init?(_ text: String) {
        guard let bytes = Base64.decodeForURL(text), let value = try? JSONValue(parsing: bytes),
            let start = value.count("start"), let json = value["argument"]?.bytes(),
            let argument = try? Files.SearchV2Arg(json: json)
        else { return nil }
        self.init(argument: argument, start: start)
    }
}
