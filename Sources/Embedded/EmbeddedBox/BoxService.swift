// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

/// Handles the requests to the test server: routes, logins and links.
final class BoxService: ServerApplication {
    private let routes: RouteTable
    private let parts: BoxParts

    init(parts: BoxParts) { (self.parts, routes) = (parts, .all(parts)) }

    func response(to rejection: ServerRejection) -> ServerResponse {
        BoxRejection.text(rejection.status, rejection.message).response
    }

    /// An upload is streamed to a file if the caller may upload.
    func admission(of request: ServerRequest) -> Admission {
        if let admission = parts.links.admission(of: request, mostBody: mostUpload) { return admission }
        let limits = parts.configuration.limits
        guard let name = routeName(request), let route = routes[name], route.info.style == Upload.name else {
            let isLogin = request.path?.segments.first == "oauth2"
            return .accepted(mostBody: isLogin ? limits.openBody : limits.body)
        }
        do throws(BoxRejection) {
            let caller = try authentication.caller(of: request, for: route.info)
            let store = try store(for: caller, request)
            return .streamed(into: UploadBody(store.folder), mostBody: mostUpload)
        } catch {
            return .refused(error.response)
        }
    }

    /// The limit of a streamed body is a little higher than that of its route, so that the route can report the error.
    private var mostUpload: Int { parts.configuration.uploadLimit + (1 << 20) }

    private func store(for caller: Caller, _ request: ServerRequest) throws(BoxRejection) -> BoxStore {
        guard let user = caller.user else { return parts.stores.nobody }
        guard let store = parts.stores[try authentication.namespace(of: request, for: user)] else { throw .broken }
        return store
    }

    func complete(_ response: inout ServerResponse) {
        response.fields.append(("X-Dropbox-Request-Id", RandomText.make(32, of: "0123456789abcdef")))
    }

    private var authentication: Authentication { Authentication(identity: parts.identity, tokens: parts.tokens) }

    private func routeName(_ request: ServerRequest) -> String? {
        guard let segments = request.path?.segments, segments.first == "2", segments.count > 2 else { return nil }
        return segments.dropFirst().joined(separator: "/")
    }

    func respond(_ request: ServerRequest) -> ServerAction {
        if let name = routeName(request) { return call(name, request) }
        switch (request.method, request.path?.folded ?? "") {
        case ("POST", "/oauth2/token"):
            return .ready(ServerReply(TokenEndpoint(identity: parts.identity, tokens: parts.tokens).respond(request)))
        case ("GET", AuthorizeEndpoint.path):
            let endpoint = AuthorizeEndpoint(
                identity: parts.identity, tokens: parts.tokens, scopes: parts.configuration.scopes)
            return .ready(ServerReply(endpoint.respond(request)))
        case ("GET", _): return .ready(ServerReply(parts.links.respond(request)))
        case ("POST", _) where parts.links.leads(request): return .ready(ServerReply(parts.links.respond(request)))
        default: return .ready(ServerReply(BoxRejection.text(404, "There is nothing at this URL.").response))
        }
    }

    private func call(_ name: String, _ request: ServerRequest) -> ServerAction {
        guard let route = routes[name] else {
            return .ready(ServerReply(BoxRejection.text(400, "Unknown API function: \"\(name)\"").response))
        }
        guard request.method == "POST" || (request.method == "GET" && route.info.style == Download.name) else {
            return .ready(ServerReply(BoxRejection.badInput(name, "the method must be POST").response))
        }
        let work = { @Sendable [self] () -> ServerAction in
            do throws(BoxRejection) {
                let caller = try authentication.caller(of: request, for: route.info)
                let context = RouteContext(caller: caller, request: request, store: try store(for: caller, request))
                return try route.respond(try RouteArgument.text(of: request, for: route.info), context)
            } catch {
                return .ready(ServerReply(error.response))
            }
        }
        // Long uploads are finished on another thread than short ones.
        let isLong = (request.sink as? UploadBody).map { $0.count > 64 << 10 } ?? false
        guard let lane = route.lane ?? (isLong ? .slow : nil) else { return work() }
        return .later(lane, work)
    }
}
