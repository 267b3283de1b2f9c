// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLCheck
import SOQLStore
import Synchronization

/// `/console`: a page that shows the org in a browser, and its data.
///
/// A one-time token becomes a session in a cookie. `POST /console/url` with the owner's key makes another token.
/// Requests of the page are not in the journal, and have no faults.
final class ConsoleEndpoint: Sendable {
    private let router: RESTRouter
    private let journal: Journal
    private let faults: Faults
    private let updates: ConsoleUpdates
    private let completion: QueryCompletion
    private let resetRecords: @Sendable () throws(OrgError) -> Void
    /// Browsers send a cookie to all ports of a host, so each org has its own name.
    private let cookie: String
    /// The secret of the org's owner, which makes further URLs.
    let key = RandomText.make(32)
    private let state = Mutex(State())

    private struct State {
        var access = ConsoleAccess()
        var fault: ConsoleFault?
        var faultPath = ""
    }

    init(
        router: RESTRouter, journal: Journal, faults: Faults, updates: ConsoleUpdates, port: Int,
        resetRecords: @escaping @Sendable () throws(OrgError) -> Void
    ) {
        (self.router, self.journal, self.faults, self.updates) = (router, journal, faults, updates)
        self.resetRecords = resetRecords
        cookie = "console-\(port)"
        completion = QueryCompletion(CompletionSchema(router.bus.schema.queries))
    }

    private var base: String { router.tokens.identity.instanceURL }

    func makeURL() -> String { "\(base)/console?token=\(state.withLock { $0.access.makeToken() })" }

    func respond(_ request: ServerRequest, _ path: RequestPath) -> ServerAction {
        action(request, Array(path.segments.dropFirst()), path).map { reply in
            var reply = reply
            reply.response.fields += Self.fields
            return reply
        }
    }

    private static let fields = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]

    private func action(_ request: ServerRequest, _ rest: [String], _ path: RequestPath) -> ServerAction {
        if rest.isEmpty, request.method == "GET", let token = path.parameter("token") { return .ready(enter(token)) }
        if rest == ["url"], request.method == "POST", let given = request.fields["Authorization"],
            Digest.areEqual("Bearer " + key, given)
        {
            return .ready(ServerReply(.object { $0.member("url", makeURL()) }))
        }
        let prefix = cookie + "="
        let sessions = request.fields.values(of: "Cookie").flatMap { $0.split(anyOf: "; ") }
            .compactMap { $0.removing(prefix: prefix) }
        guard sessions.contains(where: { session in state.withLock { $0.access.isOpen(String(session)) } }) else {
            return .ready(Self.page(ConsolePage.closed, "text/html", status: 401))
        }
        switch (request.method, rest.first ?? "") {
        case ("GET", ""): return .ready(Self.page(ConsolePage.html, "text/html"))
        case ("GET", "console.css"): return .ready(Self.page(ConsolePage.style, "text/css"))
        case ("GET", "console.js"): return .ready(Self.page(ConsolePage.script, "text/javascript"))
        case ("GET", "services"): return data(request)
        case ("GET", "state"): return .ready(ServerReply(current))
        case ("GET", "updates"):
            let position = ConsoleUpdates.Position(
                journal: Int(outside: path.parameter("journal") ?? "", in: .count) ?? 0,
                event: Int(outside: path.parameter("event") ?? "", in: .count).map { Int64($0) } ?? -1)
            return updates.wait(position, journal)
        case ("GET", "request"):
            let number = Int(outside: path.parameter("number") ?? "", in: .count) ?? 0
            guard let entry = journal.entry(number) else { return .ready(Self.failure(.notFound)) }
            return .ready(ServerReply(entry.details))
        case ("POST", let name): return change(name, request)
        default: return .ready(Self.failure(.notFound))
        }
    }

    /// Exchanges the token for a session, whose URL has no token.
    private func enter(_ token: String) -> ServerReply {
        guard let session = state.withLock({ $0.access.open(token) }) else {
            return Self.page(ConsolePage.closed, "text/html", status: 403)
        }
        let secure = base.hasBytes(prefix: "https:") ? "; Secure" : ""
        let value = "\(cookie)=\(session); Path=/console; HttpOnly; SameSite=Strict\(secure)"
        return ServerReply(ServerResponse(status: 303, fields: [("Location", "/console/"), ("Set-Cookie", value)]))
    }

    private static func page(_ text: String, _ type: String, status: Int = 200) -> ServerReply {
        ServerReply(
            ServerResponse(status: status, fields: [("Content-Type", type + ";charset=utf-8")], body: Array(text.utf8)))
    }

    private static func failure(_ error: OrgError) -> ServerReply { ServerReply(error.response) }

    /// Reads from the REST API as the org's first user: `/console/services/data/…`.
    private func data(_ request: ServerRequest) -> ServerAction {
        let target = "/" + (request.target.dropFirst().cut(byte: "/")?.after ?? "")
        let inner = ServerRequest(method: "GET", target: target, fields: request.fields)
        guard let path = inner.path, path.segments.count > 2, path.segments[1] == "data" else {
            return .ready(Self.failure(.notFound))
        }
        var router = router
        router.caller = "\(router.tokens.identity.userID) console"
        router.records.store.userID = router.tokens.identity.userID
        return router.data(inner, path)
    }

    private var current: ServerResponse {
        let fault = state.withLock { state in faults.hasSwitch ? (state.fault, state.faultPath) : (nil, "") }
        return .object { writer in
            writer.member("url", base)
            writer.member("api", APIVersion.latest.path)
            writer.member("user", router.tokens.identity.username)
            writer.member("fault", fault.0?.rawValue ?? "")
            writer.member("path", fault.1)
        }
    }
}

extension ConsoleEndpoint {
    // MARK: Buttons and the query editor

    private func change(_ name: String, _ request: ServerRequest) -> ServerAction {
        // Forms of other pages cannot send JSON.
        guard request.mediaType == "application/json", let input = try? JSONValue(parsing: request.body) else {
            return .ready(Self.failure(.parser("The body must be JSON with its content type.")))
        }
        switch name {
        case "check": return .ready(ServerReply(check(input["text"]?.string ?? "")))
        case "complete":
            return .ready(ServerReply(complete(input["before"]?.string ?? "", input["after"]?.string ?? "")))
        case "fault":
            turn(on: ConsoleFault(rawValue: input["fault"]?.string ?? ""), input["path"]?.string ?? "")
        case "expire": faults.expireAccessTokens()
        case "clear":
            journal.clear()
            updates.wake()
        case "reset":
            return .later(.slow) { [self] in
                do throws(OrgError) { try resetRecords() } catch { return .ready(Self.failure(error)) }
                return .ready(ServerReply(current))
            }
        default: return .ready(Self.failure(.notFound))
        }
        return .ready(ServerReply(current))
    }

    private func turn(on fault: ConsoleFault?, _ path: String) {
        state.withLock { state in
            (state.fault, state.faultPath) = (fault, fault == nil ? "" : path)
            faults.turn(on: fault?.fault, matching: path.isEmpty ? fault?.path ?? "" : path)
        }
    }

    /// The findings of the resolver about the statements of the editor.
    private func check(_ text: String) -> ServerResponse {
        let file = CheckedFile(name: "", text: text, schema: router.bus.schema.queries)
        return .object { writer in
            writer.member("findings", list: file.places) { writer, place in
                writer.object { writer in
                    writer.member("line", place.line)
                    writer.member("column", place.column)
                    writer.member("length", place.finding.length)
                    writer.member("severity", place.finding.severity.rawValue)
                    writer.member("message", place.finding.message)
                    writer.member("question", place.question ?? "")
                }
            }
        }
    }

    private func complete(_ before: String, _ after: String) -> ServerResponse {
        let completion = completion.completion(before: before, after: after)
        return .object { writer in
            // The page counts as JavaScript does.
            writer.member("typed", before.suffix(completion.typed).utf16.count)
            writer.member("candidates", list: completion.candidates.prefix(200)) { writer, candidate in
                writer.object([("text", candidate.text), ("suffix", candidate.suffix), ("note", candidate.note)])
            }
        }
    }
}
