// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestBase
import RestJSON
import RestTransport
import StoneRuntime

struct ListRoutes: Sendable {
    let stores: BoxStores
    /// The number of entries on a page if the caller gives none.
    let pageSize: Int
    /// The duration of one second of a long poll.
    let second: Duration

    func list(_ argument: Files.ListFolderArg, _ context: RouteContext) throws -> Files.ListFolderResult {
        if let link = argument.sharedLink { return try list(link, argument) }
        return try context.store.transaction { $0.page(try begin(argument, $0, last: "")) }
    }

    /// Lists the folder of a shared link on one page, because a cursor works only for the owner of the folder.
    private func list(_ link: Files.SharedLink, _ argument: Files.ListFolderArg) throws -> Files.ListFolderResult {
        guard !argument.recursive else {
            throw BoxRejection.badInput("files/list_folder", "recursive: is not supported for a shared link")
        }
        return try stores.owner(ofLink: link.url).transaction { tables in
            let missing = Files.ListFolderError.path(.notFound)
            let (_, folder) = try tables.follow(
                link.url, path: argument.path, password: link.password, missing: missing, denied: missing)
            guard folder.isFolder else { throw Files.ListFolderError.path(.notFolder) }
            let cursor = ListCursor(
                namespace: tables.namespace, folder: folder.path.lower, isRecursive: false, includesDeleted: false,
                limit: Int(UInt32.max), epoch: tables.facts.epoch, number: tables.facts.change, last: "")
            var page = tables.page(cursor)
            page.entries = page.entries.map(\.withoutPath)
            return page
        }
    }

    func latestCursor(
        _ argument: Files.ListFolderArg, _ context: RouteContext
    ) throws -> Files.ListFolderGetLatestCursorResult {
        try context.store.transaction { tables in
            Files.ListFolderGetLatestCursorResult(cursor: try begin(argument, tables, last: nil).text)
        }
    }

    private func begin(_ argument: Files.ListFolderArg, _ tables: BoxTables, last: String?) throws -> ListCursor {
        guard argument.path != "/" else {
            throw BoxRejection.badInput("files/list_folder", "path: specify the root folder as an empty string")
        }
        let folder = try tables.lookUpFolder(argument.path, Files.ListFolderError.path)
        return ListCursor(
            namespace: tables.namespace, folder: folder, isRecursive: argument.recursive,
            includesDeleted: argument.includeDeleted,
            limit: argument.limit.map { Int(clamping: $0) } ?? pageSize, epoch: tables.facts.epoch,
            number: tables.facts.change, last: last)
    }

    func proceed(_ argument: Files.ListFolderContinueArg, _ context: RouteContext) throws -> Files.ListFolderResult {
        guard let cursor = ListCursor(argument.cursor), cursor.namespace == context.store.namespace else {
            throw BoxRejection.badInput("files/list_folder/continue", "the cursor is not from this server")
        }
        return try context.store.transaction { tables in
            guard cursor.epoch == tables.facts.epoch else { throw Files.ListFolderContinueError.reset }
            guard cursor.folder.isEmpty || tables.entry(at: cursor.folder) != nil else {
                throw Files.ListFolderContinueError.path(.notFound)
            }
            return tables.page(cursor)
        }
    }

    func longpoll(
        _ argument: Files.ListFolderLongpollArg, _ context: RouteContext
    ) throws -> Promise<Files.ListFolderLongpollResult> {
        // Only the cursor is needed here, not a token.
        guard let cursor = ListCursor(argument.cursor), let store = stores[cursor.namespace] else {
            throw BoxRejection.badInput("files/list_folder/longpoll", "the cursor is not from this server")
        }
        let isCurrent = try store.transaction { $0.facts.epoch == cursor.epoch }
        guard isCurrent else { throw Files.ListFolderLongpollError.reset }
        let end = ContinuousClock.now + second * Double(argument.timeout)
        return Promise { deliver in Self.wait(store, cursor, until: end, deliver) }
    }

    /// Looks for changes now and after each change of the store.
    private static func wait(
        _ store: BoxStore, _ cursor: ListCursor, until end: ContinuousClock.Instant,
        _ deliver: @escaping @Sendable (Files.ListFolderLongpollResult) -> Void
    ) {
        let seen = try? store.transaction { tables in (tables.hasNews(cursor), tables.facts.change) }
        guard let seen, !seen.0 else { return deliver(Files.ListFolderLongpollResult(changes: seen != nil)) }
        store.changes.wait(behind: seen.1, for: max(.zero, end - .now)) { isChanged in
            guard isChanged else { return deliver(Files.ListFolderLongpollResult(changes: false)) }
            wait(store, cursor, until: end, deliver)
        }
    }
}

extension BoxTables {
    func hasNews(_ cursor: ListCursor) -> Bool {
        cursor.last != nil
            || !changes(in: cursor.folder, isRecursive: cursor.isRecursive, behind: cursor.number, limit: 1).isEmpty
    }

    /// Returns the entries after a cursor: first the existing entries, later the changes.
    func page(_ cursor: ListCursor) -> Files.ListFolderResult {
        guard let last = cursor.last else { return changedPage(cursor) }
        var cursor = cursor
        var found = entries(in: cursor.folder, behind: last, isRecursive: cursor.isRecursive, limit: cursor.limit + 1)
        let hasMore = found.count > cursor.limit
        if hasMore { found.removeLast() }
        cursor.last = hasMore ? found.last?.path.lower : nil
        var listed = found.map(\.metadata)
        if !hasMore && cursor.includesDeleted {
            listed += deletions(in: cursor.folder, isRecursive: cursor.isRecursive).map(\.deletedMetadata)
        }
        return Files.ListFolderResult(entries: listed, cursor: cursor.text, hasMore: hasMore)
    }

    private func changedPage(_ cursor: ListCursor) -> Files.ListFolderResult {
        var cursor = cursor
        var found = changes(
            in: cursor.folder, isRecursive: cursor.isRecursive, behind: cursor.number, limit: cursor.limit + 1)
        let hasMore = found.count > cursor.limit
        if hasMore { found.removeLast() }
        cursor.number = found.last?.number ?? cursor.number
        let listed = found.compactMap { change in
            entry(at: change.path)?.metadata ?? BoxPath(change.display)?.deletedMetadata
        }
        return Files.ListFolderResult(entries: listed, cursor: cursor.text, hasMore: hasMore)
    }
}

extension Files.Metadata {
    /// The metadata as a user of a shared link sees it.
    fileprivate var withoutPath: Files.Metadata {
        switch self {
        case .file(var file):
            (file.pathLower, file.pathDisplay) = (nil, nil)
            return .file(file)
        case .folder(var folder):
            (folder.pathLower, folder.pathDisplay) = (nil, nil)
            return .folder(folder)
        default: return self
        }
    }
}

/// The position of a listing, whose text survives a restart of the server.
struct ListCursor: Codable, Sendable {
    let namespace: String
    /// The path in lower case, or an empty string for the root.
    var folder: String
    var isRecursive: Bool
    var includesDeleted: Bool
    var limit: Int
    /// The epoch, which resets the cursors of earlier epochs.
    var epoch: Int64
    /// The number of the last change that the caller has seen.
    var number: Int64
    /// The last path of the previous page, until the first listing is complete.
    var last: String?

    var text: String {
        let body = (try? json()) ?? []
        return Base64.encodeForURL(Digest.sha256(body).prefix(6) + body)
    }
}

extension ListCursor {
    /// Returns `nil` for a text that is not a cursor of this server.
    init?(_ text: String) {
        guard let bytes = Base64.decodeForURL(text), bytes.count > 6,
            Digest.sha256(bytes.dropFirst(6)).prefix(6).elementsEqual(bytes.prefix(6)),
            let cursor = try? ListCursor(json: Array(bytes.dropFirst(6)))
        else { return nil }
        self = cursor
        limit = min(max(limit, 1), 2_000)
    }
}
