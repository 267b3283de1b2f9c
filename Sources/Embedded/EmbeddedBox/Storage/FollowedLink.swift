// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Where a link leads.
enum FollowedLink {
    case found(SharedLink, Entry)
    case missing, denied
}

extension BoxTables {
    /// Follows a link, and if it leads to a folder, the path inside of it.
    func follow(_ url: String, path: String?, password given: String?) -> FollowedLink {
        guard let link = link(url: url), let entry = entry(id: link.id),
            link.expires.map({ $0 > clock.seconds }) ?? true
        else { return .missing }
        if let password = link.password {
            guard let given, Digest.areEqual(given, password) else { return .denied }
        }
        guard let path, !path.isEmpty, path != "/" else { return .found(link, entry) }
        guard entry.isFolder, let inner = BoxPath(path), let found = self.entry(at: entry.path.lower + inner.lower)
        else { return .missing }
        return .found(link, found)
    }
}
