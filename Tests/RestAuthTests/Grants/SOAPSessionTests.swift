// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting
import RestTransport
import RestXML
import Testing

@testable import RestAuth

@Suite("Sessions of SOAP logins: renewed by logging in again, and ended")
struct SOAPSessionTests {
    private let transport = StubTransport()
    private let server = Origin(scheme: .https, host: "login.salesforce.com")
    private let grant = PasswordGrant.SOAP(username: "u@example.com", password: "p")
    private var soon: ContinuousClock.Instant { .now + .seconds(9) }

    private func answer(_ body: String, status: Int = 200) {
        transport.enqueue(status: status, fields: SOAPAnswers.type, body)
    }

    private func login(_ session: String) async throws -> Credential {
        answer(SOAPAnswers.login(session: session))
        return try await grant.login(at: server, transport: transport, deadline: soon)
    }

    private func call(_ position: Int) -> XMLElement? {
        guard transport.requests.count > position, case .bytes(let body) = transport.requests[position].body else {
            return nil
        }
        return XMLElement(parsing: body)
    }

    private func manager(_ store: any CredentialStore = InMemoryCredentialStore()) async throws -> AccountManager {
        let grant = grant
        return try await AccountManager.open(store: store, transport: transport, grants: { _ in grant })
    }

    @Test("a refused session is replaced by a new one of the same user, for all who wait at once")
    func renewal() async throws {
        let manager = try await manager()
        let account = try await manager.add(login("s1"))
        #expect(account.organizationID == SOAPAnswers.organization && account.userID == SOAPAnswers.user)
        answer(SOAPAnswers.login(session: "s2"))
        let (tokens, deadline) = (try manager.tokens(of: account.id), soon)
        async let one = tokens.credential(rejecting: 1, deadline: deadline)
        async let other = tokens.credential(rejecting: 1, deadline: deadline)
        let sessions = try await [one, other].map(\.credential.accessToken)
        #expect(sessions == ["s2", "s2"] && transport.requests.count == 2)
        #expect(call(1)?.soapContent?.name == "login")
        #expect(try manager.tokens(of: account.id).currentCredential?.login?.endpoints?.revocationStyle == .soapLogout)
    }

    @Test("a session of another user or org is never used in the place of the login's own")
    func otherUser() async throws {
        for body in [
            SOAPAnswers.login(user: "005000000000002AAA"), SOAPAnswers.login(organization: "00D000000000002AAA"),
        ] {
            let manager = try await manager()
            let account = try await manager.add(login("s1"))
            answer(body)
            let error = await #expect(throws: OAuthError.self) {
                try await manager.tokens(of: account.id).credential(rejecting: 1, deadline: soon)
            }
            #expect(error?.code == .noAccount)
        }
    }

    @Test("a wrong password is sent once, not with every call: nobody is locked out by it")
    func wrongPassword() async throws {
        let client = OAuthClient(login: server, clientID: "", clientSecret: nil, transport: transport)
        let tokens = TokenManager(credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant))
        answer(SOAPAnswers.fault("INVALID_LOGIN"), status: 500)
        for _ in 0..<5 {
            let deadline = soon
            let error = await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: deadline) }
            #expect(error?.code == .invalidGrant)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("the same user is one account, whether logged in by SOAP or by OAuth")
    func oneAccount() async throws {
        let manager = try await manager()
        let account = try await manager.add(login("s1"))
        var other = Credential(
            accessToken: "a1", refreshToken: "r1", instance: Credential.usualInstance,
            identityURL: "https://login.salesforce.com/id/\(SOAPAnswers.organization)/\(SOAPAnswers.user)")
        other.login = Credential.Login(server: server, clientID: "id")
        #expect(try await manager.add(other).id == account.id)
        #expect(manager.accounts.count == 1)
    }

    @Test("unlinking ends the session at the org, by a call in it; also in a later process")
    func unlink() async throws {
        let folder = try StoreFolder()
        let store = FileCredentialStore(directory: folder.path)
        let account = try await manager(store).add(login("s&lt;1&gt;"))
        let later = try await manager(store)
        answer(SOAPEnvelope.partner.text("<logoutResponse/>"))
        guard case .revoked = try await later.unlink(account.id).revocation else {
            Issue.record("not revoked")
            return
        }
        let request = try #require(transport.requests.last)
        #expect(request.url.description == "\(Credential.usualInstance)/services/Soap/u/64.0")
        #expect(request.fields["SOAPAction"] == "logout" && request.fields["Authorization"] == nil)
        #expect(call(1)?["Header"]?["SessionHeader"]?["sessionId"]?.text == "s<1>")
        #expect(call(1)?.soapContent?.name == "logout")
    }

    @Test("a session that has ended counts as ended; anything else is pending and can be tried again")
    func logoutFaults() async throws {
        for (status, body, isOver) in [
            (500, SOAPAnswers.fault("INVALID_SESSION_ID"), true), (500, SOAPAnswers.fault("UNKNOWN_EXCEPTION"), false),
            (503, "", false), (200, SOAPAnswers.login(), false), (200, "<html>", false), (404, "", false),
        ] {
            let manager = try await manager()
            let account = try await manager.add(login("s1"))
            answer(body, status: status)
            switch try await manager.unlink(account.id).revocation {
            case .revoked: #expect(isOver)
            case .pending(let pending, let error):
                #expect(!isOver && error.code == .revocationPending)
                answer(SOAPEnvelope.partner.text("<logoutResponse/>"))
                try await pending.perform(deadline: soon)
            case .none: Issue.record("nothing was done")
            }
            #expect(manager.accounts.isEmpty)
        }
    }

    @Test("a session that comes when the account is unlinked already is ended as well")
    func late() async throws {
        let gate = GatedTransport(transport)
        let grant = grant
        let manager = try await AccountManager.open(
            store: LocklessStore(), transport: gate, grants: { _ in grant })
        let account = try await manager.add(login("s1"))
        answer(SOAPAnswers.login(session: "s2"))
        answer(SOAPEnvelope.partner.text("<logoutResponse/>"))
        let (tokens, deadline) = (try manager.tokens(of: account.id), soon)
        let call = Task { try await tokens.credential(rejecting: 1, deadline: deadline) }
        await gate.reached()
        _ = try await manager.unlink(account.id, isRevoking: false)
        gate.open()
        await #expect(throws: OAuthError.self) { try await call.value }
        while transport.requests.count < 3 { await Task.yield() }
        #expect(self.call(2)?["Header"]?["SessionHeader"]?["sessionId"]?.text == "s2")
    }

    @Test("how a login is ended is kept in its record; a way that this version does not know makes it unreadable")
    func record() throws {
        var server = AuthorizationServer(login: server)
        for style in [AuthorizationServer.RevocationStyle.form, .bearer, .soapLogout] {
            server.revocationStyle = style
            #expect(AuthorizationServer(record: server.record) == server)
        }
        var record = try #require(server.record.object)
        record["revocationStyle"] = "other"
        #expect(AuthorizationServer(record: JSONValue(record)) == nil)
    }
}
