// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore

/// Finds the resource of a request, checks the session and counts the call.
struct RESTRouter: Sendable {
    let tokens: TokenService
    let oauth: OAuthRouter
    let versions: VersionResources
    let describes: DescribeResources
    var records: RecordResources
    var queries: QueryResources
    let apex: ApexHandlers
    let actions: ActionHandlers
    let worker: BulkWorker
    let bus: EventBus
    let cometd: CometDEndpoint
    let usage: APIUsage
    let shared: SharedDatabase
    /// The user and the app of the session.
    var caller = ""

    func respond(_ request: ServerRequest) -> ServerAction {
        do throws(OrgError) {
            return try route(request)
        } catch {
            return .ready(ServerReply(failure(error, request)))
        }
    }

    private func failure(_ fault: OrgError, _ request: ServerRequest) -> ServerResponse {
        var response = fault.response
        if fault.status != 404 || request.path?.isBelowVersion == true { add(usageTo: &response) }
        return response
    }

    /// Stops all running queries.
    func interrupt() { shared.interrupt() }

    private func route(_ request: ServerRequest) throws(OrgError) -> ServerAction {
        guard let path = request.path else {
            throw OrgError("INVALID_REQUEST", "The request target is not well-formed.")
        }
        if let response = try oauth.respond(request, path) { return .ready(ServerReply(response)) }
        let segments = path.segments
        if segments.isEmpty, ["GET", "HEAD"].contains(request.method) { return .ready(ServerReply(root)) }
        if segments.first == "cometd" { return try cometd.respond(request, path) }
        guard segments.first == "services", segments.count >= 2 else { throw .notFound }
        switch segments[1] {
        case "data" where segments.count == 2:
            guard ["GET", "HEAD"].contains(request.method) else {
                throw .methodNotAllowed(request.method, ["GET", "HEAD"])
            }
            return .ready(ServerReply(versions.list()))
        case "data":
            if let rejection = APIVersion.rejection(of: segments[2]) { throw rejection }
            var router = self
            let login = try authorize(request)
            router.caller = "\(login.subject) \(login.clientID)"
            router.records.store.userID = login.subject
            usage.count()
            return router.data(request, path)
        case "Soap" where segments.count > 3 && segments[2] == "u": return soap(request, version: segments[3])
        case "apexrest":
            _ = try authorize(request)
            usage.count()
            return .later(.slow) { [self] in .ready(ServerReply(custom(request, path))) }
        default: throw .notFound
        }
    }

    /// The page for a person who opens the URL of the org.
    private var root: ServerResponse {
        let base = tokens.identity.instanceURL
        return .text(
            200,
            """
            This is an embedded org of RestSDK.

            REST API: \(base)/services/data
            OAuth:    \(base)/.well-known/oauth-authorization-server

            """)
    }

    /// The maximum size of a body that is handled on the server's thread.
    private static let longBody = 1 << 20

    /// Handles a short call of the API on this thread.
    ///
    /// A composite request goes to another thread immediately, because it cannot be repeated after a write.
    func data(_ request: ServerRequest, _ path: RequestPath) -> ServerAction {
        let area = path.segments.count > 3 ? path.segments[3] : ""
        if area == "composite" { return .later(.brief) { attempt(request, path, .compound) } }
        guard area == "jobs" || request.body.count > Self.longBody else { return attempt(request, path, .none) }
        return .later(.slow) { attempt(request, path, .full) }
    }

    /// Handles the call within a time limit, or starts again on another thread.
    private func attempt(
        _ request: ServerRequest, _ path: RequestPath, _ patience: Database.Patience
    ) -> ServerAction {
        let view = Database(shared, patience, origin: request.changeOrigin)
        var response: ServerResponse
        do throws(OrgError) {
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

    /// Handles a request below `/services/data/` whose session was checked.
    func resource(_ request: ServerRequest, _ path: RequestPath) throws(OrgError) -> ServerResponse {
        guard path.segments.count > 2 else { throw .notFound }
        if let rejection = APIVersion.rejection(of: path.segments[2]) { throw rejection }
        guard let version = APIVersion(segment: path.segments[2]) else { throw .notFound }
        let call = Call(request, path, version, caller: caller)
        if let rejection = mediaRejection(of: request) { throw rejection }
        return try dispatch(call)
    }

    private func custom(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        var response: ServerResponse
        do throws(OrgError) {
            response = try apex.respond(request, path)
        } catch {
            response = error.response
        }
        add(usageTo: &response)
        return response
    }

    /// Returns a copy of the router with another view of the database.
    func using(_ database: Database) -> RESTRouter {
        var router = self
        router.records.store.database = database
        router.queries.database = database
        return router
    }

    private func dispatch(_ call: Call) throws(OrgError) -> ServerResponse {
        try call.checkConditions()
        switch call.rest.first {
        case nil: return try versions.resources(call, identity: tokens.identity.identityURL(of: call.userID))
        case "limits" where call.rest.count == 1: return try versions.limits(call, usage)
        case "limits" where call.rest.count == 2 && call.rest[1] == "recordCount":
            try call.version.require(.recordCount)
            return try RecordCount(store: records.store).respond(call)
        case "query", "queryAll": return try queries.respond(call)
        case "recent" where call.rest.count == 1: return try records.recent(call)
        case "search", "parameterizedSearch": return try SearchResources(queries: queries).respond(call)
        case "sobjects": return try objects(call)
        case "composite": return try composite(call)
        case "jobs":
            let jobs = BulkJobStore(database: records.store.database)
            return try JobResources(store: jobs, worker: worker, queries: queries).respond(call)
        case "connect": return try ConnectResources(records: records, call: call).respond()
        case "graphql": return try GraphQLResource(queries: queries).respond(call)
        case "actions": return try ActionResources(custom: actions).respond(call)
        case "event": return try events.respond(call)
        default: throw .notFound
        }
    }

    private var events: EventResources { EventResources(bus: bus, describes: describes, store: records.store) }

    private func objects(_ call: Call) throws(OrgError) -> ServerResponse {
        let rest = call.rest
        guard rest.count > 1 else { return try describes.respond(call, records.store.database) }
        if rest.count > 2, let response = try events.object(call) { return response }
        guard let object = records.store.schema.object(named: rest[1]) else { throw .unknownObject(rest[1]) }
        switch rest.count > 2 ? rest[2] : "" {
        case "describe" where rest.count == 3: return try describes.respond(call, records.store.database)
        case "describe": throw .notFound
        case "updated" where rest.count == 3, "deleted" where rest.count == 3:
            return try ChangeWindows(store: records.store).respond(call, object)
        default: break
        }
        guard rest.count > 3, object.field(named: rest[2]) == nil else { return try records.respond(call) }
        if object.name == "User", rest.count == 4, rest[3] == "password" {
            return try PasswordResource(store: records.store, users: oauth.users).respond(call, object)
        }
        try call.version.require(.relationships)
        return try RelationshipResources(records: records, queries: queries).respond(call, object)
    }

    private func composite(_ call: Call) throws(OrgError) -> ServerResponse {
        switch call.rest.count > 1 ? call.rest[1] : nil {
        case nil:
            try call.version.require(.composite)
            return try CompositeResource(router: self).respond(call)
        case "graph" where call.rest.count == 2:
            try call.version.require(.graphs)
            return try GraphResource(router: self).respond(call)
        case "batch" where call.rest.count == 2:
            try call.version.require(.batch)
            return try BatchResource(router: self).respond(call)
        case "sobjects":
            try call.version.require(.collections)
            return try CollectionResources(store: records.store).respond(call)
        case "tree" where call.rest.count == 3:
            try call.version.require(.tree)
            return try TreeResource(store: records.store).respond(call)
        default: throw .notFound
        }
    }

    func needsSession(_ request: ServerRequest) -> Bool {
        request.path.map { path in
            path.segments.count > 2
                && ["data", "apexrest"].contains { path.segments.starts(with: ["services", $0]) }
        } ?? false
    }

    /// Returns the error of a request before its body is read, for an invalid session or content type.
    func earlyRejection(of request: ServerRequest) -> ServerResponse? {
        do throws(OrgError) {
            _ = try authorize(request, isSpent: false)
            guard let rejection = mediaRejection(of: request) else { return nil }
            throw rejection
        } catch {
            var response = error.response
            add(usageTo: &response)
            return response
        }
    }

    /// Returns the login of a request with a valid token for the API.
    func authorize(_ request: ServerRequest, isSpent: Bool = true) throws(OrgError) -> TokenIssuer.Login {
        let login: TokenIssuer.Login?
        do throws(OAuthRejection) {
            login = try tokens.login(of: request, isSpent: isSpent)
        } catch {
            var rejection = OrgError.sessionExpired
            rejection.choices = [error.challenge]
            throw rejection
        }
        guard let login else { throw .sessionExpired }
        guard OAuthScope.opensAPI(login.scopes) else { throw .sessionWithoutAPI }
        return login
    }

    /// Returns the error of a body with an unsupported content type, or `nil`.
    private func mediaRejection(of request: ServerRequest) -> OrgError? {
        guard ["POST", "PATCH", "PUT"].contains(request.method), request.mediaType != "application/json",
            let segments = request.path?.segments.dropFirst(), segments.first != "apexrest"
        else { return nil }
        if request.mediaType == "text/csv", request.path?.segments.last == "batches" { return nil }
        if request.mediaType == "multipart/form-data",
            ["sobjects", "connect"].contains(segments.dropFirst(2).first)
        {
            return nil
        }
        return OrgError("UNSUPPORTED_MEDIA_TYPE", "The body must have the type application/json.")
    }

    func add(usageTo response: inout ServerResponse) {
        response.fields.append(("Sforce-Limit-Info", "api-usage=\(usage.used)/\(APIUsage.allowance)"))
    }
}

extension RequestPath {
    fileprivate var isBelowVersion: Bool {
        segments.count > 2 && segments[..<2] == ["services", "data"] && segments[2].first == "v"
    }
}

extension RESTRouter {
    /// A request below `/services/data/vXX.0` with its decoded path.
    struct Call {
        let request: ServerRequest
        let path: RequestPath
        let version: APIVersion
        /// The segments after the version.
        let rest: [String]
        /// The caller, because the pages of a query are only for its caller.
        let caller: String

        init(_ request: ServerRequest, _ path: RequestPath, _ version: APIVersion, caller: String) {
            self.request = request
            self.path = path
            self.version = version
            self.caller = caller
            rest = Array(path.segments.dropFirst(3))
        }

        init(_ call: Call, rest: [String]) {
            request = call.request
            path = call.path
            version = call.version
            caller = call.caller
            self.rest = rest
        }

        var userID: String { String(caller.prefix(before: " ")) }

        /// The method, with GET for HEAD because the server removes the body.
        var method: String { request.method == "HEAD" ? "GET" : request.method }

        func allow(_ methods: String...) throws(OrgError) {
            guard !methods.contains(method) else { return }
            throw .methodNotAllowed(method, methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] })
        }
    }
}

extension ServerResponse {
    static func json(_ status: Int = 200, value: JSONValue) -> ServerResponse { .json(status, value.bytes()) }
}

extension RESTRouter.Call {
    private static let conditions = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]

    /// Whether the request changes one record, as only such writes support conditions.
    private var changesOneRecord: Bool {
        ["PATCH", "DELETE"].contains(method) && rest.first == "sobjects" && rest.count > 2 && rest.last != "password"
    }

    /// Rejects a write with conditions that its resource would ignore.
    func checkConditions() throws(OrgError) {
        guard ["POST", "PATCH", "PUT", "DELETE"].contains(method), !changesOneRecord,
            let name = Self.conditions.first(where: { request.fields[$0] != nil })
        else { return }
        throw OrgError("INVALID_HEADER", "\(name) is only supported for reads and for changes of one record")
    }
}

extension JSONValue {
    /// Returns a Boolean of a request, or `false` if it is missing or null.
    ///
    /// - Throws: an error for another type. As on Salesforce, a string is accepted.
    func flag(_ name: String) throws(OrgError) -> Bool {
        guard let value = self[name], !value.isNull else { return false }
        if let flag = value.bool ?? ["true": true, "false": false][value.string ?? ""] { return flag }
        throw .parser("Cannot deserialize value of type `boolean` at \(name)")
    }

    /// Returns a string of a request, or `nil` if it is missing or null.
    ///
    /// - Throws: an error for another type.
    func text(_ name: String) throws(OrgError) -> String? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .parser("Cannot deserialize value of type `string` at \(name)") }
        return text
    }
}
