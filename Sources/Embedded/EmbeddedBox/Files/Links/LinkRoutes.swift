// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes that give an address where a file can be read or written without a token.
struct LinkRoutes: Sendable {
    let links: DirectLinks
    let origin: String

    func temporaryLink(
        _ argument: Files.GetTemporaryLinkArg, _ context: RouteContext
    ) throws(BoxFailure<Files.GetTemporaryLinkError>) -> Files.GetTemporaryLinkResult {
        let (metadata, bytes) = try context.store.transaction {
            (tables) throws(BoxFailure<Files.GetTemporaryLinkError>) in
            try wrapping(Files.GetTemporaryLinkError.path) { () throws(BoxFailure<Files.LookupError>) in
                let found = try tables.lookUpFile(argument.path)
                return (found.entry.file(found.content), tables.bytes(of: found.content))
            }
        }
        return Files.GetTemporaryLinkResult(metadata: metadata, link: origin + links.make(bytes))
    }

    func uploadLink(
        _ argument: Files.GetTemporaryUploadLinkArg, _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.GetTemporaryUploadLinkResult {
        let link = links.make(
            writing: Commit(argument.commitInfo), in: context.store, for: .seconds(argument.duration))
        return Files.GetTemporaryUploadLinkResult(link: origin + link)
    }
}
