// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

/// The application behind the box's server: guard, faults, routes and journal.
final class BoxService: ServerApplication {
    let journal: Journal
    let faults: BoxFaults
    private let routes: RouteTable
    private let parts: BoxParts
    private let requestGuard: RequestGuard

    init(
        parts: BoxParts, routes: RouteTable, requestGuard: RequestGuard, faults: BoxFaults, journal: Journal
    ) {
        self.parts = parts
        self.routes = routes
        self.requestGuard = requestGuard
        self.faults = faults
        self.journal = journal
    }

    func response(to refusal: ServerRefusal) -> ServerResponse {
        BoxRefusal.text(refusal.status, refusal.message).response
    }

    func admit(_ request: ServerRequest) -> Admission {
        let admission = requestGuard.refusal(of: request).map { .refused(response(to: $0)) } ?? bodyAdmission(request)
        if case .refused(let refusal) = admission { journal.record(request, status: refusal.status) }
        return admission
    }

    /// The body of an upload goes to a file, if the caller may upload.
    private func bodyAdmission(_ request: ServerRequest) -> Admission {
        let limits = parts.configuration.limits
        guard let route = route(of: request), route.info.style == Upload.name else {
            let isLogin = request.path?.segments.first == "oauth2"
            let mostBody = isLogin ? limits.openBody : limits.body
            return request.announcedLength ?? 0 <= mostBody
                ? .accepted(mostBody: mostBody) : .refused(response(to: .tooLarge))
        }
        do throws(BoxRefusal) {
            _ = try authentication.caller(of: request, for: route.info)
        } catch {
            // A fault that a test has added comes first.
            return faults.rules.isAwaited(by: request)
                ? .accepted(mostBody: limits.body) : .refused(error.response)
        }
        guard let file = parts.store.blobs.makeIncoming() else { return .refused(BoxRefusal.broken.response) }
        return .streamed(into: file, mostBody: parts.configuration.uploadLimit + (1 << 20))
    }

    func note(_ request: ServerRequest, status: Int) { journal.record(request, status: status) }
    func interrupt() {}

    func answer(_ request: ServerRequest) -> ServerAnswer {
        let answer = faults.rules.take(for: request)?.apply { handle(request) } ?? handle(request)
        return answer.map { [journal] reply in
            var reply = reply
            reply.response.fields.append(("X-Dropbox-Request-Id", RandomText.make(32, of: "0123456789abcdef")))
            let isAnswered = reply.delivery != .close && reply.delivery != .reset
            journal.record(request, status: isAnswered ? reply.response.status : nil, oauth: reply.response.oauth)
            return reply
        }
    }

    private var authentication: Authentication { Authentication(identity: parts.identity, tokens: parts.tokens) }

    /// The name of the route that a request is for.
    private func routeName(_ request: ServerRequest) -> String? {
        guard let segments = request.path?.segments, segments.first == "2", segments.count > 2 else { return nil }
        return segments.dropFirst().joined(separator: "/")
    }

    private func route(of request: ServerRequest) -> RouteTable.Entry? {
        routeName(request).flatMap { routes[$0] }
    }

    private func handle(_ request: ServerRequest) -> ServerAnswer {
        if let name = routeName(request) { return call(name, request) }
        switch (request.method, request.path?.folded ?? "") {
        case ("POST", "/oauth2/token"):
            let endpoint = TokenEndpoint(identity: parts.identity, tokens: parts.tokens)
            return .ready(ServerReply(endpoint.answer(request)))
        case ("GET", AuthorizeEndpoint.path):
            let endpoint = AuthorizeEndpoint(
                identity: parts.identity, tokens: parts.tokens, clock: parts.store.clock,
                scopes: parts.configuration.scopes)
            return .ready(ServerReply(endpoint.answer(request)))
        case ("GET", _):
            return .later(.brief) { [links = parts.links] in .ready(ServerReply(links.answer(request))) }
        default: return .ready(ServerReply(BoxRefusal.text(404, "Nothing is at this address.").response))
        }
    }

    /// Calls a route on a thread of its own.
    private func call(_ name: String, _ request: ServerRequest) -> ServerAnswer {
        guard let route = routes[name] else {
            return .ready(ServerReply(BoxRefusal.text(400, "Unknown API function: \"\(name)\"").response))
        }
        guard request.method == "POST" || (request.method == "GET" && route.info.style == Download.name) else {
            return .ready(ServerReply(BoxRefusal.badInput(name, "the method must be POST").response))
        }
        return .later(route.lane) { [authentication] in
            do throws(BoxRefusal) {
                let caller = try authentication.caller(of: request, for: route.info)
                try authentication.checkRoot(of: request)
                let argument = try RouteRequest(request, name: name, style: route.info.style)
                return try route.answer(argument, RouteContext(caller: caller, request: request))
            } catch {
                return .ready(ServerReply(error.response))
            }
        }
    }
}
