// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The addresses that give a file without a token, for some time.
final class DirectLinks: Sendable {
    private struct Link {
        let content: Entry.Content
        let end: ContinuousClock.Instant
    }

    private let store: BoxStore
    private let links = Mutex<[String: Link]>([:])
    private static let lifetime: Duration = .seconds(4 * 60 * 60)
    private static let prefix = "/temporary/"
    private static let most = 10_000

    init(store: BoxStore) {
        self.store = store
    }

    /// Makes a path under which the content can be read.
    func make(_ content: Entry.Content) -> String {
        let name = RandomText.make(32)
        let (now, link) = (store.clock.now, Link(content: content, end: store.clock.now + Self.lifetime))
        links.withLock { links in
            if links.count >= Self.most { links = links.filter { $0.value.end > now } }
            if links.count >= Self.most { links.removeAll() }
            links[name] = link
        }
        return Self.prefix + name
    }

    /// Answers a request for a path.
    func answer(_ request: ServerRequest) -> ServerResponse {
        let segments = request.path?.segments ?? []
        let link = segments.count == 2 && segments[0] == "temporary" ? links.withLock { $0[segments[1]] } : nil
        guard let link, link.end > store.clock.now else {
            return BoxRefusal.text(404, "Nothing is at this address.").response
        }
        let content = Content(
            path: store.blobs.path(of: link.content.blob), size: Int(clamping: link.content.size))
        return content.response(to: request)
    }
}
