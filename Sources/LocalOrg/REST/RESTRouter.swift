// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// Finds the resource of a request, checks the session and counts the call.
struct RESTRouter: Sendable {
    let tokens: TokenService
    let oauth: OAuthRouter
    let versions: VersionResources
    let describes: DescribeResources
    var records: RecordResources
    var queries: QueryResources
    let usage: APIUsage
    let shared: SharedDatabase
    /// The caller: the user and the app of the session.
    var caller = ""

    /// A request below `/services/data/vXX.0` with its path taken apart.
    struct Call {
        let request: ServerRequest
        let path: RequestPath
        let version: APIVersion
        /// The segments below the version.
        let rest: [String]
        /// The caller, because a query's pages are for its maker only.
        let caller: String

        /// The user's id.
        var userID: String { String(caller.prefix { $0 != " " }) }

        /// The method; HEAD is answered as GET and loses its body on the way out.
        var method: String { request.method == "HEAD" ? "GET" : request.method }

        /// Refuses every method but these.
        func allow(_ methods: String...) throws(OrgFault) {
            guard !methods.contains(method) else { return }
            throw .methodNotAllowed(request.method, methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] })
        }
    }

    func answer(_ request: ServerRequest) -> ServerAnswer {
        do throws(OrgFault) {
            return try route(request)
        } catch {
            return .ready(ServerReply(failure(error, request)))
        }
    }

    private func failure(_ fault: OrgFault, _ request: ServerRequest) -> ServerResponse {
        var response = fault.response
        if fault.status != 404 || request.path?.isBelowVersion == true { add(usageTo: &response) }
        return response
    }

    /// Ends every query that runs.
    func interrupt() { shared.interrupt() }

    private func route(_ request: ServerRequest) throws(OrgFault) -> ServerAnswer {
        guard let path = request.path else {
            throw OrgFault(400, "INVALID_REQUEST", "The request target is not well-formed.")
        }
        if let answer = try oauth.answer(request, path) { return .ready(ServerReply(answer)) }
        let segments = path.segments
        guard segments.first == "services", segments.count >= 2 else { throw .notFound }
        switch segments[1] {
        case "data" where segments.count == 2:
            guard ["GET", "HEAD"].contains(request.method) else {
                throw .methodNotAllowed(request.method, ["GET", "HEAD"])
            }
            return .ready(ServerReply(versions.list()))
        case "data":
            var router = self
            router.caller = try authorize(request)
            try usage.take()
            return router.data(request, path)
        default: throw .notFound
        }
    }

    /// Answers a call of the API on this thread if it is short.
    ///
    /// A request with requests inside goes to another thread at once, because it cannot be repeated after it has
    /// written.
    private func data(_ request: ServerRequest, _ path: RequestPath) -> ServerAnswer {
        guard path.segments.count > 3, path.segments[3] == "composite" else { return attempt(request, path, .none) }
        return .later(.brief) { attempt(request, path, .compound) }
    }

    /// Answers with so much patience, or starts again on another thread when that is not enough.
    private func attempt(
        _ request: ServerRequest, _ path: RequestPath, _ patience: Database.Patience
    ) -> ServerAnswer {
        let view = Database(shared, patience)
        var response: ServerResponse
        do throws(OrgFault) {
            response = try using(view).resource(request, path)
            add(usageTo: &response)
        } catch {
            response = failure(error, request)
        }
        guard view.mustBeginAnew else { return .ready(ServerReply(response)) }
        return switch patience {
        case .none: .later(.brief) { attempt(request, path, .brief) }
        case .brief, .compound, .full: .later(.slow) { attempt(request, path, .full) }
        }
    }

    /// Answers a request below `/services/data/` that needs no further check of the session.
    func resource(_ request: ServerRequest, _ path: RequestPath) throws(OrgFault) -> ServerResponse {
        guard path.segments.count > 2, let version = APIVersion(segment: path.segments[2]) else { throw .notFound }
        let call = Call(
            request: request, path: path, version: version, rest: Array(path.segments.dropFirst(3)),
            caller: caller)
        if let refusal = mediaRefusal(of: request) { throw refusal }
        return try dispatch(call)
    }

    /// The router with another view of the database.
    func using(_ database: Database) -> RESTRouter {
        var router = self
        router.records.store.database = database
        router.queries.database = database
        return router
    }

    private func dispatch(_ call: Call) throws(OrgFault) -> ServerResponse {
        switch call.rest.first {
        case nil: return try versions.resources(call)
        case "limits" where call.rest.count == 1: return try versions.limits(call, usage)
        case "query", "queryAll": return try queries.answer(call)
        case "recent" where call.rest.count == 1: return try records.recent(call)
        case "search", "parameterizedSearch": return try SearchResources(queries: queries).answer(call)
        case "sobjects" where call.rest.count == 1 || call.rest.last == "describe" && call.rest.count == 3:
            return try describes.answer(call)
        case "sobjects": return try records.answer(call)
        case "composite": return try composite(call)
        default: throw .notFound
        }
    }

    private func composite(_ call: Call) throws(OrgFault) -> ServerResponse {
        switch call.rest.count > 1 ? call.rest[1] : nil {
        case nil: try CompositeResource(router: self).answer(call)
        case "batch" where call.rest.count == 2: try BatchResource(router: self).answer(call)
        case "sobjects": try CollectionResources(store: records.store).answer(call)
        case "tree" where call.rest.count == 3: try TreeResource(store: records.store).answer(call)
        default: throw .notFound
        }
    }

    /// Whether only those who are logged in are answered.
    func needsSession(_ request: ServerRequest) -> Bool {
        request.path.map { $0.segments.starts(with: ["services", "data"]) && $0.segments.count > 2 } ?? false
    }

    /// The refusal of a request before its body is read: for its session, or for the type of the body.
    func earlyRefusal(of request: ServerRequest) -> ServerResponse? {
        do throws(OrgFault) {
            _ = try authorize(request)
            guard let refusal = mediaRefusal(of: request) else { return nil }
            throw refusal
        } catch {
            var response = error.response
            add(usageTo: &response)
            return response
        }
    }

    /// The caller of a request whose token is valid now and is for the API.
    private func authorize(_ request: ServerRequest) throws(OrgFault) -> String {
        guard let token = request.bearerToken, let login = tokens.login(of: token) else { throw .sessionExpired }
        guard OAuthScope.opensAPI(login.scopes) else { throw .sessionWithoutAPI }
        return "\(tokens.identity.userID) \(login.clientID)"
    }

    /// The refusal of a body that is not JSON, or `nil` for a request that has none or the right one.
    private func mediaRefusal(of request: ServerRequest) -> OrgFault? {
        guard ["POST", "PATCH", "PUT"].contains(request.method), request.mediaType != "application/json" else {
            return nil
        }
        return OrgFault(
            415, "UNSUPPORTED_MEDIA_TYPE",
            "The body must have the type application/json. This org stores no files and takes no other type.")
    }

    private func add(usageTo response: inout ServerResponse) {
        response.fields.append(("Sforce-Limit-Info", "api-usage=\(usage.used)/\(usage.allowance)"))
    }
}

extension RequestPath {
    /// Whether it is below `/services/data/v`.
    fileprivate var isBelowVersion: Bool {
        segments.count > 2 && segments[..<2] == ["services", "data"] && segments[2].first == "v"
    }
}
