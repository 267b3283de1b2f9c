// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SharedLink {
    /// As the API describes it.
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
