// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The route that gives an address from which a file can be read without a token.
struct LinkRoutes: Sendable {
    let store: BoxStore
    let links: DirectLinks
    let origin: String

    func temporaryLink(
        _ argument: Files.GetTemporaryLinkArg, _: RouteContext
    ) throws(BoxFailure<Files.GetTemporaryLinkError>) -> Files.GetTemporaryLinkResult {
        let found = try store.transaction { (tables) throws(BoxFailure<Files.GetTemporaryLinkError>) in
            try wrapping(Files.GetTemporaryLinkError.path) { () throws(BoxFailure<Files.LookupError>) in
                try tables.lookUpFile(argument.path)
            }
        }
        return Files.GetTemporaryLinkResult(
            metadata: found.entry.file(found.content), link: origin + links.make(found.content))
    }
}
