// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Several accounts")
struct AccountTests {
    private let stub = Stub()
    private let store = InMemoryCredentialStore()

    private func accounts() async throws -> AccountManager {
        try await AccountManager.open(store: store, transport: stub.transport)
    }

    private func credential(_ user: String, refreshToken: Secret? = "r1") -> Credential {
        Credential(
            accessToken: Secret("a-\(user)"), refreshToken: refreshToken, instance: stub.app.hosts.api, userID: user,
            login: Credential.Login(
                server: stub.app.hosts.api, endpoints: .dropbox(stub.app.hosts, locale: "de"), clientID: "appKey"))
    }

    private func client(_ id: String, _ accounts: AccountManager) throws -> DropboxClient {
        try DropboxClient(account: id, of: accounts, app: stub.app, configuration: stub.configuration)
    }

    @Test("each account has its own token, and the first account is current until another one is chosen")
    func two() async throws {
        let accounts = try await accounts()
        let first = try await accounts.add(credential("dbid:A"))
        let second = try await accounts.add(credential("dbid:B"))
        for _ in 0..<2 { stub.transport.enqueue(Stub.folder) }
        _ = try await client(first.id, accounts).files.getMetadata(path: "/f").value
        _ = try await client(second.id, accounts).files.getMetadata(path: "/f").value
        #expect((0..<2).map { stub.field("Authorization", $0) } == ["Bearer a-dbid:A", "Bearer a-dbid:B"])
        #expect(first.id == "dbid:A@api.dropboxapi.com")
        #expect(accounts.current?.id == first.id)
    }

    @Test("existing clients continue after a new login, and an account that is not linked has no client")
    func again() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"), makesCurrent: true)
        let box = try client(account.id, accounts)
        var new = credential("dbid:A")
        new.accessToken = "a-new"
        _ = try await accounts.add(new)
        for _ in 0..<2 { stub.transport.enqueue(Stub.folder) }
        _ = try await box.files.getMetadata(path: "/f").value
        let current = try DropboxClient(currentOf: accounts, app: stub.app, configuration: stub.configuration)
        _ = try await current.files.getMetadata(path: "/f").value
        #expect((0..<2).map { stub.field("Authorization", $0) } == ["Bearer a-new", "Bearer a-new"])
        let error = #expect(throws: RestError.self) { try client("dbid:B", accounts) }
        #expect(error?.code == .noAccount)
    }

    @Test("a call that is cancelled while its token is renewed is not sent again, and throws a cancellation error")
    func cancelledRenewal() async throws {
        let accounts = try await accounts()
        let box = try client(try await accounts.add(credential("dbid:A")).id, accounts)
        let (asked, renewal) = AsyncStream<Void>.makeStream()
        stub.transport.enqueue(status: 401, #"{"error":{".tag":"expired_access_token"}}"#)
        stub.transport.enqueue(.silence) { request in
            if request.url.path == "/oauth2/token" { renewal.yield() }
            return true
        }
        let call = Task { () -> RestError.Code? in
            do throws(CallError<Files.GetMetadataError>) {
                _ = try await box.files.getMetadata(path: "/f").value
                return nil
            } catch {
                return error.rest.code
            }
        }
        for await _ in asked { break }
        call.cancel()
        #expect(await call.value == .cancelled)
        #expect(stub.transport.requests.filter { $0.url.path != "/oauth2/token" }.count == 1)
    }

    @Test("unlinking one account keeps the others, and unlinking all ends every login, locally and at Dropbox")
    func unlinkAll() async throws {
        let accounts = try await accounts()
        var ids: [String] = []
        for user in ["dbid:A", "dbid:B", "dbid:C"] { ids.append(try await accounts.add(credential(user)).id) }
        let (first, second) = (try client(ids[0], accounts), try client(ids[1], accounts))
        stub.transport.enqueue("null")
        try await accounts.unlink(ids[0])
        stub.transport.enqueue(Stub.folder)
        _ = try await second.files.getMetadata(path: "/f").value
        await #expect { try await first.files.getMetadata(path: "/f").value } throws: { error in
            (error as? CallError<Files.GetMetadataError>)?.rest.code == .noAccount
        }
        for _ in 0..<2 { stub.transport.enqueue("null") }
        let results = await accounts.unlinkAll()
        #expect(results.count == 2 && accounts.accounts.isEmpty && accounts.current == nil)
        #expect(try await store.accounts().isEmpty)
        #expect(
            stub.transport.requests.compactMap { $0.fields["Authorization"] } == [
                "Bearer a-dbid:A", "Bearer a-dbid:B", "Bearer a-dbid:B", "Bearer a-dbid:C",
            ])
    }

    @Test("tokens that were stored as plain strings become logins without renewal")
    func plainTokens() async throws {
        let migration = TokenMigration.plainTokens(["dbid:A": "long"], of: stub.app, to: store)
        #expect(try await migration.run() == .done(migrated: ["dbid:A"], failed: []))
        let accounts = try await accounts()
        stub.transport.enqueue(Stub.folder)
        _ = try await client("dbid:A", accounts).files.getMetadata(path: "/f").value
        #expect(stub.field("Authorization", 0) == "Bearer long")
        #expect(try await migration.run() == .alreadyDone)
    }

    @Test("an expired token is renewed once, the call is sent again, and the refresh token is kept")
    func renewal() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue(status: 401, #"{"error":{".tag":"expired_access_token"}}"#)
        stub.transport.enqueue(#"{"access_token":"a2","token_type":"bearer","expires_in":14400}"#)
        stub.transport.enqueue(Stub.folder)
        _ = try await client(account.id, accounts).files.getMetadata(path: "/f").value
        #expect(stub.transport.requests.count == 3)
        for part in ["grant_type=refresh_token", "refresh_token=r1", "client_id=appKey", "locale=de"] {
            #expect(stub.body(1).contains(part), "\(part)")
        }
        #expect(!stub.body(1).contains("scope="))
        #expect(stub.field("Authorization", 2) == "Bearer a2")
        let stored = try await store.load(account.id)
        #expect(stored?.credential.refreshToken == "r1")
        #expect(stored?.credential.userID == "dbid:A")
    }

    @Test(
        "an error that a new token cannot fix causes no renewal",
        arguments: [
            #"{".tag":"missing_scope","required_scope":"files.metadata.read"}"#, #"{".tag":"user_suspended"}"#,
            #"{".tag":"invalid_select_user"}"#, #"{".tag":"route_access_denied"}"#, #"{".tag":"invalid_access_token"}"#,
        ])
    func noRenewal(error: String) async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue(status: 401, #"{"error":\#(error),"error_summary":"x"}"#)
        let box = try client(account.id, accounts)
        await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await box.files.getMetadata(path: "/f").value
        }
        #expect(stub.transport.requests.count == 1)
    }

    @Test("unlinking revokes the login at Dropbox with its own token")
    func unlink() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue("null")
        let report = try await accounts.unlink(account.id)
        guard case .revoked = report.revocation else { throw Unexpected("\(report)") }
        #expect(stub.url(0) == "https://api.dropboxapi.com/2/auth/token/revoke")
        #expect(stub.field("Authorization", 0) == "Bearer a-dbid:A")
        #expect(stub.transport.requests[0].body.inMemory?.isEmpty ?? true)
        #expect(try await store.load(account.id) == nil)
    }

    @Test("a login with an expired token is revoked with a new token")
    func unlinkExpired() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue(status: 401, #"{"error":{".tag":"expired_access_token"}}"#)
        stub.transport.enqueue(#"{"access_token":"a2","token_type":"bearer","expires_in":14400}"#)
        stub.transport.enqueue("null")
        guard case .revoked = try await accounts.unlink(account.id).revocation else { throw Unexpected("not revoked") }
        #expect(stub.field("Authorization", 2) == "Bearer a2")
    }

    @Test("a login that the server cannot revoke now is revoked later")
    func unlinkLater() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue(status: 503)
        guard case .pending(let revocation, let error) = try await accounts.unlink(account.id).revocation else {
            throw Unexpected("not pending")
        }
        #expect(error.code == .revocationPending)
        stub.transport.enqueue("null")
        try await revocation.perform(deadline: .now + .seconds(30))
        #expect(stub.transport.requests.count == 2)
    }

    @Test("a login that was already revoked counts as revoked")
    func unlinkForgotten() async throws {
        let accounts = try await accounts()
        let account = try await accounts.add(credential("dbid:A"))
        stub.transport.enqueue(status: 401, #"{"error":{".tag":"invalid_access_token"}}"#)
        stub.transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"gone"}"#)
        guard case .revoked = try await accounts.unlink(account.id).revocation else { throw Unexpected("not revoked") }
    }

    @Test("the endpoints for revoking a login are stored with it")
    func stored() async throws {
        let folder = try TemporaryDirectory()
        let files = FileCredentialStore(directory: folder.path + "/logins")
        _ = try await files.save(credential("dbid:A"), for: "a", replacing: nil)
        #expect(try await files.load("a")?.credential.login?.endpoints == .dropbox(locale: "de"))
    }
}
