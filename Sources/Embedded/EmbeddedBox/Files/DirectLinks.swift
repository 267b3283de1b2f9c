// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import StoneRuntime
import Synchronization

/// The temporary URLs that read or write a file without a token.
final class DirectLinks: Sendable {
    enum Use: Sendable {
        case read(Content)
        /// The first request writes a file.
        case write(Commit, BoxStore)
    }

    private struct Link {
        let use: Use
        let end: ContinuousClock.Instant
    }

    private let clock: ServerClock
    private let links = Mutex<[String: Link]>([:])
    private static let folder = "temporary"

    init(clock: ServerClock) { self.clock = clock }

    /// Returns a new path.
    func make(_ use: Use, for time: Duration = .seconds(4 * 60 * 60)) -> String {
        let name = RandomText.make(32)
        let link = Link(use: use, end: clock.now + time)
        links.withLock { $0[name] = link }
        return "/\(Self.folder)/\(name)"
    }

    /// Whether the request is for a temporary URL, valid or not.
    func leads(_ request: ServerRequest) -> Bool { request.path?.segments.first == Self.folder }

    private func use(of request: ServerRequest) -> (name: String, use: Use)? {
        guard let segments = request.path?.segments, segments.count == 2, segments[0] == Self.folder,
            let link = links.withLock({ $0[segments[1]] }), link.end > clock.now
        else { return nil }
        return (segments[1], link.use)
    }

    /// Admits an upload to a temporary URL, and returns `nil` for other requests.
    func admission(of request: ServerRequest, mostBody: Int) -> Admission? {
        guard request.method == "POST", case .write(_, let store)? = use(of: request)?.use else { return nil }
        return .streamed(into: UploadBody(store.folder), mostBody: mostBody)
    }

    func respond(_ request: ServerRequest) -> ServerResponse {
        switch (request.method, use(of: request)) {
        case ("GET", (_, .read(let content))?): return content.response(to: request)
        case ("POST", (let name, .write(let commit, let store))?):
            guard let body = request.sink as? UploadBody, links.withLock({ $0.removeValue(forKey: name) }) != nil else {
                return Self.gone
            }
            return Self.write(body, commit, store)
        case ("POST", _): return Self.gone
        default: return BoxRejection.text(404, "There is nothing at this URL.").response
        }
    }

    private static var gone: ServerResponse {
        BoxRejection.text(410, "The link was used or has expired.").response
    }

    private static func write(_ body: UploadBody, _ commit: Commit, _ store: BoxStore) -> ServerResponse {
        do {
            let file = try store.write(body, commit)
            return .json(200, Array(#"{"content-hash":"\#(file.contentHash ?? "")"}"#.utf8))
        } catch {
            return ((error as? Files.WriteError).map { .error(409, $0) } ?? BoxRejection.broken).response
        }
    }
}

struct LinkRoutes: Sendable {
    let links: DirectLinks
    let origin: String

    func temporaryLink(
        _ argument: Files.GetTemporaryLinkArg, _ context: RouteContext
    ) throws -> Files.GetTemporaryLinkResult {
        let (metadata, bytes) = try context.store.transaction { tables in
            try tables.lookUpFile(argument.path, Files.GetTemporaryLinkError.path)
        }
        return Files.GetTemporaryLinkResult(metadata: metadata, link: origin + links.make(.read(bytes)))
    }

    func uploadLink(
        _ argument: Files.GetTemporaryUploadLinkArg, _ context: RouteContext
    ) throws -> Files.GetTemporaryUploadLinkResult {
        let link = links.make(.write(Commit(argument.commitInfo), context.store), for: .seconds(argument.duration))
        return Files.GetTemporaryUploadLinkResult(link: origin + link)
    }
}
