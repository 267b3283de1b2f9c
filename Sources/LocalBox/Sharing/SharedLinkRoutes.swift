// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport

/// The routes about links that others may follow.
struct SharedLinkRoutes: Sendable {
    let stores: BoxStores
    let origin: String

    private static let pageSize = 200

    func create(
        _ argument: Sharing.CreateSharedLinkWithSettingsArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.CreateSharedLinkWithSettingsError>) -> Sharing.SharedLinkMetadata {
        try context.store.transaction { (tables) throws(BoxFailure<Sharing.CreateSharedLinkWithSettingsError>) in
            let wrap = Sharing.CreateSharedLinkWithSettingsError.path
            let entry = try wrapping(wrap) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUp(argument.path)
            }
            if let link = tables.link(id: entry.id) {
                throw .route(.sharedLinkAlreadyExists(.metadata(link.metadata(of: entry))))
            }
            let expires = argument.settings?.expires?.wholeSeconds
            if let expires, expires <= tables.clock.seconds { throw .route(.settingsError(.invalidSettings)) }
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

    func list(
        _ argument: Sharing.ListSharedLinksArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.ListSharedLinksError>) -> Sharing.ListSharedLinksResult {
        try context.store.transaction { (tables) throws(BoxFailure<Sharing.ListSharedLinksError>) in
            if let path = argument.path, !path.isEmpty {
                let entry = try wrapping(Sharing.ListSharedLinksError.path) {
                    () throws(BoxFailure<Files.LookupError>) in
                    try tables.lookUp(path)
                }
                let links = tables.link(id: entry.id).map { [$0.metadata(of: entry)] } ?? []
                return Sharing.ListSharedLinksResult(links: links, hasMore: false)
            }
            var found = tables.links(behind: argument.cursor ?? "", limit: Self.pageSize + 1)
            let hasMore = found.count > Self.pageSize
            if hasMore { found.removeLast() }
            let links = found.compactMap { link in tables.entry(id: link.id).map(link.metadata) }
            return Sharing.ListSharedLinksResult(
                links: links, hasMore: hasMore, cursor: hasMore ? found.last?.url : nil)
        }
    }

    func metadata(
        _ argument: Sharing.GetSharedLinkMetadataArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.SharedLinkMetadataError>) -> Sharing.SharedLinkMetadata {
        try owner(of: argument.url).transaction { (tables) throws(BoxFailure<Sharing.SharedLinkMetadataError>) in
            switch tables.follow(argument) {
            case .found(let link, let entry): return link.metadata(of: entry)
            case .missing: throw .route(.sharedLinkNotFound)
            case .denied: throw .route(.sharedLinkAccessDenied)
            }
        }
    }

    /// Links lead into the files of whoever made them.
    private func owner(of url: String) -> BoxStore {
        let owner = stores.all.first { store in (try? store.transaction { $0.link(url: url) != nil }) ?? false }
        return owner ?? stores.nobody
    }

    func file(
        _ argument: Sharing.GetSharedLinkMetadataArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.GetSharedLinkFileError>) -> (Sharing.SharedLinkMetadata, Content) {
        try owner(of: argument.url).transaction { (tables) throws(BoxFailure<Sharing.GetSharedLinkFileError>) in
            switch tables.follow(argument) {
            case .missing: throw .route(.sharedLinkNotFound)
            case .denied: throw .route(.sharedLinkAccessDenied)
            case .found(let link, let entry):
                guard let content = entry.content else { throw .route(.sharedLinkIsDirectory) }
                return (
                    link.metadata(of: entry),
                    tables.bytes(of: content)
                )
            }
        }
    }

    func revoke(
        _ argument: Sharing.RevokeSharedLinkArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.RevokeSharedLinkError>) {
        try context.store.transaction { (tables) throws(BoxFailure<Sharing.RevokeSharedLinkError>) in
            guard tables.link(url: argument.url) != nil else { throw .route(.sharedLinkNotFound) }
            tables.removeLink(url: argument.url)
        }
    }
}

/// Where a link leads.
enum FollowedLink {
    case found(SharedLink, Entry)
    case missing, denied
}

extension BoxTables {
    /// Follows a link, and if it leads to a folder, the path inside of it.
    func follow(_ argument: Sharing.GetSharedLinkMetadataArg) -> FollowedLink {
        guard let link = link(url: argument.url), let entry = entry(id: link.id),
            link.expires.map({ $0 > clock.seconds }) ?? true
        else { return .missing }
        if let password = link.password {
            guard let given = argument.linkPassword, Digest.areEqual(given, password) else { return .denied }
        }
        guard let path = argument.path, !path.isEmpty, path != "/" else { return .found(link, entry) }
        guard entry.isFolder, let inner = BoxPath(path), let found = self.entry(at: entry.path.lower + inner.lower)
        else { return .missing }
        return .found(link, found)
    }
}
