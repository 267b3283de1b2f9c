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
        try stores.owner(ofLink: argument.url).transaction {
            (tables) throws(BoxFailure<Sharing.SharedLinkMetadataError>) in
            switch tables.follow(argument.url, path: argument.path, password: argument.linkPassword) {
            case .found(let link, let entry): return link.metadata(of: entry)
            case .missing: throw .route(.sharedLinkNotFound)
            case .denied: throw .route(.sharedLinkAccessDenied)
            }
        }
    }

    func file(
        _ argument: Sharing.GetSharedLinkMetadataArg, _ context: RouteContext
    ) throws(BoxFailure<Sharing.GetSharedLinkFileError>) -> (Sharing.SharedLinkMetadata, Content) {
        try stores.owner(ofLink: argument.url).transaction {
            (tables) throws(BoxFailure<Sharing.GetSharedLinkFileError>) in
            switch tables.follow(argument.url, path: argument.path, password: argument.linkPassword) {
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
