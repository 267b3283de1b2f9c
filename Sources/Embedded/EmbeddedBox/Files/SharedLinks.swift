// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestSQLite
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct SharedLinkRoutes: Sendable {
    let stores: BoxStores
    let origin: String

    private static let pageSize = 200

    func create(
        _ argument: Sharing.CreateSharedLinkWithSettingsArg, _ context: RouteContext
    ) throws -> Sharing.SharedLinkMetadata {
        try context.store.transaction { tables in
            let entry = try tables.lookUp(argument.path, Sharing.CreateSharedLinkWithSettingsError.path)
            if let link = tables.link(id: entry.id) {
                let known = link.metadata(of: entry)
                throw Sharing.CreateSharedLinkWithSettingsError.sharedLinkAlreadyExists(.metadata(known))
            }
            let expires = argument.settings?.expires?.wholeSeconds
            if let expires, expires <= tables.clock.seconds {
                throw Sharing.CreateSharedLinkWithSettingsError.settingsError(.invalidSettings)
            }
            let kind = entry.isFolder ? "fo" : "fi"
            let name = PercentEncoding.pathSegment(entry.path.name)
            let link = SharedLink(
                url: "\(origin)/scl/\(kind)/\(RandomText.make(20))/\(name)?rlkey=\(RandomText.make(20))&dl=0",
                id: entry.id,
                password: argument.settings?.linkPassword, expires: expires)
            tables.put(link)
            return link.metadata(of: entry)
        }
    }

    func list(_ argument: Sharing.ListSharedLinksArg, _ context: RouteContext) throws -> Sharing.ListSharedLinksResult {
        try context.store.transaction { tables in
            if let path = argument.path, !path.isEmpty {
                let entry = try tables.lookUp(path, Sharing.ListSharedLinksError.path)
                let links = tables.link(id: entry.id).map { [$0.metadata(of: entry)] } ?? []
                return Sharing.ListSharedLinksResult(links: links, hasMore: false)
            }
            var found = tables.links(after: argument.cursor ?? "", limit: Self.pageSize + 1)
            let hasMore = found.count > Self.pageSize
            if hasMore { found.removeLast() }
            let links = found.compactMap { link in tables.entry(id: link.id).map(link.metadata) }
            return Sharing.ListSharedLinksResult(
                links: links, hasMore: hasMore, cursor: hasMore ? found.last?.url : nil)
        }
    }

    func metadata(
        _ argument: Sharing.GetSharedLinkMetadataArg, _ context: RouteContext
    ) throws -> Sharing.SharedLinkMetadata {
        try stores.owner(ofLink: argument.url).transaction { tables in
            let (link, entry) = try tables.follow(
                argument.url, path: argument.path, password: argument.linkPassword,
                missing: Sharing.SharedLinkMetadataError.sharedLinkNotFound, denied: .sharedLinkAccessDenied)
            return link.metadata(of: entry)
        }
    }

    func file(
        _ argument: Sharing.GetSharedLinkMetadataArg, _ context: RouteContext
    ) throws -> (Sharing.SharedLinkMetadata, Content) {
        try stores.owner(ofLink: argument.url).transaction { tables in
            let (link, entry) = try tables.follow(
                argument.url, path: argument.path, password: argument.linkPassword,
                missing: Sharing.GetSharedLinkFileError.sharedLinkNotFound, denied: .sharedLinkAccessDenied)
            guard let content = entry.content else { throw Sharing.GetSharedLinkFileError.sharedLinkIsDirectory }
            return (link.metadata(of: entry), tables.bytes(of: content))
        }
    }

    func revoke(_ argument: Sharing.RevokeSharedLinkArg, _ context: RouteContext) throws {
        try context.store.transaction { tables in
            guard tables.link(url: argument.url) != nil else { throw Sharing.RevokeSharedLinkError.sharedLinkNotFound }
            tables.removeLink(url: argument.url)
        }
    }
}

extension SharedLink {
    func metadata(of entry: Entry) -> Sharing.SharedLinkMetadata {
        let expires = expires.map { Date(seconds: $0) }
        guard let content = entry.content else {
            return .folder(
                Sharing.FolderLinkMetadata(
                    url: url, name: entry.path.name, linkPermissions: permissions, id: entry.id, expires: expires,
                    pathLower: entry.path.lower))
        }
        return .file(
            Sharing.FileLinkMetadata(
                url: url, name: entry.path.name, linkPermissions: permissions,
                clientModified: Date(seconds: content.clientModified),
                serverModified: Date(seconds: content.serverModified), rev: content.rev,
                size: UInt64(clamping: content.size), id: entry.id, expires: expires, pathLower: entry.path.lower))
    }

    private var permissions: Sharing.LinkPermissions {
        Sharing.LinkPermissions(
            canRevoke: true, visibilityPolicies: [], canSetExpiry: true, canRemoveExpiry: true, allowDownload: true,
            canAllowDownload: true, canDisallowDownload: false, allowComments: true, teamRestrictsComments: false,
            resolvedVisibility: password == nil ? .public : .password, requirePassword: password != nil)
    }
}

/// A link that gives others access to an entry.
struct SharedLink: Sendable {
    let url: String
    let id: String
    let password: String?
    /// Seconds since 1970.
    let expires: Int64?
}

extension BoxTables {
    private func links(_ condition: String, _ parameters: SQLValue...) -> [SharedLink] {
        rows("SELECT url, id, password, expires FROM links WHERE \(condition)", parameters) { row in
            SharedLink(
                url: row.text(0), id: row.text(1), password: row.isNull(2) ? nil : row.text(2),
                expires: row.isNull(3) ? nil : row.integer(3))
        }
    }

    func put(_ link: SharedLink) {
        run(
            "INSERT OR REPLACE INTO links (url, id, password, expires) VALUES (?, ?, ?, ?)",
            [
                .text(link.url), .text(link.id), link.password.map { .text($0) } ?? .null,
                link.expires.map { .integer($0) } ?? .null,
            ])
    }

    func link(id: String) -> SharedLink? { links("id = ?", .text(id)).first }

    func link(url: String) -> SharedLink? { links("url = ?", .text(url)).first }

    func links(after url: String, limit: Int) -> [SharedLink] {
        links("url > ? ORDER BY url LIMIT ?", .text(url), .integer(Int64(limit)))
    }

    func removeLink(url: String) { run("DELETE FROM links WHERE url = ?", [.text(url)]) }
}

extension BoxStores {
    func owner(ofLink url: String) -> BoxStore {
        let owner = all.first { store in (try? store.transaction { $0.link(url: url) != nil }) ?? false }
        return owner ?? nobody
    }
}

extension BoxTables {
    /// Returns the target of a link, or an entry below it if the target is a folder.
    func follow<Problem: Error>(
        _ url: String, path: String?, password given: String?, missing: Problem, denied: Problem
    ) throws -> (SharedLink, Entry) {
        guard let link = link(url: url), let entry = entry(id: link.id),
            link.expires.map({ $0 > clock.seconds }) ?? true
        else { throw missing }
        if let password = link.password {
            guard let given, Digest.areEqual(given, password) else { throw denied }
        }
        guard let path, !path.isEmpty, path != "/" else { return (link, entry) }
        guard entry.isFolder, let inner = BoxPath(path), let found = self.entry(at: entry.path.lower + inner.lower)
        else { throw missing }
        return (link, found)
    }
}
