// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Unlinking")
struct UnlinkTests {
    private let transport = StubTransport()
    private let folder: StoreFolder
    private let store: FileCredentialStore
    private let id = Credential.key(1)

    init() throws {
        folder = try StoreFolder()
        store = FileCredentialStore(directory: folder.path)
    }

    private func manager() async throws -> AccountManager {
        let manager = try await AccountManager.open(store: store, transport: transport)
        try await manager.add(.user(1))
        return manager
    }

    private func form(_ request: HTTPRequest) -> String {
        guard case .bytes(let bytes) = request.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A48: after a logout new requests fail without I/O, no file holds a token, and the server was told")
    func logout() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        transport.enqueue(status: 200)
        let report = try await manager.unlink(id)
        guard case .revoked = report.revocation else { Issue.record("not revoked"); return }
        #expect(form(transport.requests[0]).contains("token=r1"))
        #expect(form(transport.requests[0]).contains("revoke_reason=user_logout"))
        #expect(transport.requests[0].url.path.hasSuffix("/revoke"))
        let error = await #expect(throws: OAuthError.self) {
            try await tokens.credential(deadline: .now + .seconds(60))
        }
        #expect(error?.code == .noAccount)
        #expect(throws: AccountManager.Error.self) { try manager.tokens(of: id) }
        #expect(manager.accounts.isEmpty && manager.current == nil)
        #expect(try folder.names(ofRecords: ()).allSatisfy { $0 == "notes.json" })
        #expect(transport.requests.count == 1)
    }

    @Test("an account whose record is gone is unlinked and revoked, although the store reports an error")
    func lateError() async throws {
        let store = LateErrorStore()
        _ = try await store.store.save(.user(1), for: id, replacing: nil)
        let manager = try await AccountManager.open(store: store, transport: transport)
        transport.enqueue(status: 200)
        guard case .revoked = try await manager.unlink(id).revocation else {
            Issue.record("not revoked")
            return
        }
        #expect(manager.accounts.isEmpty && transport.requests.count == 1)
    }

    @Test("the server hears another reason, or none", arguments: [.timeout, nil] as [OAuthClient.RevocationReason?])
    func reason(_ reason: OAuthClient.RevocationReason?) async throws {
        let manager = try await manager()
        transport.enqueue(status: 200)
        try await manager.unlink(id, reason: reason)
        #expect(form(transport.requests[0]).contains("revoke_reason=timeout") == (reason != nil))
        #expect(form(transport.requests[0]).contains("revoke_reason") == (reason != nil))
    }

    @Test("A48: a renewal under way is waited for, and it is its token that is revoked; nothing comes back")
    func renewalUnderWay() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        let gate = GatedTransport(transport)
        let gated = try await AccountManager.open(store: store, transport: gate)
        let waiting = try gated.tokens(of: id)
        transport.enqueue(#"{"access_token":"a2","refresh_token":"r2"}"#)
        transport.enqueue(status: 200)
        let call = Task { try await waiting.credential(rejecting: 1, deadline: .now + .seconds(60)) }
        await gate.reached()
        let unlinking = Task { try await manager.unlink(id) }
        gate.open()
        #expect(try await call.value.credential.refreshToken == "r2")
        _ = try await unlinking.value
        #expect(form(transport.requests[1]).contains("token=r2"))
        #expect(try await store.accounts().isEmpty)
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
        // The other process finds the account gone at its next renewal.
        let error = await #expect(throws: OAuthError.self) {
            try await waiting.credential(rejecting: 2, deadline: .now + .seconds(60))
        }
        #expect(error?.isFinal == true)
        #expect(try await store.accounts().isEmpty)
    }

    @Test("A48: a renewal that outlives the logout saves nothing, and what it brought is revoked")
    func lateRenewal() async throws {
        let gate = GatedTransport(transport)
        let store = LocklessStore()
        let manager = try await AccountManager.open(store: store, transport: gate)
        try await manager.add(.user(1))
        let tokens = try manager.tokens(of: id)
        transport.enqueue(.ok(#"{"access_token":"a2","refresh_token":"r2"}"#)) { $0.url.path.hasSuffix("/token") }
        for _ in 1...2 { transport.enqueue(.ok("")) { $0.url.path.hasSuffix("/revoke") } }
        let call = Task { try await tokens.credential(rejecting: 1, deadline: .now + .seconds(60)) }
        await gate.reached()
        _ = try await manager.unlink(id, isRevoking: false)
        let error = await #expect(throws: OAuthError.self) { try await call.value }
        #expect(error?.code == .noAccount)
        gate.open()
        while transport.requests.count < 2 { await Task.yield() }
        #expect(form(transport.requests[1]).contains("token=r2"))
        #expect(try await store.accounts().isEmpty)
    }

    @Test("A48: a new login through an old client's tokens cannot bring an unlinked account back")
    func noResurrection() async throws {
        let manager = try await manager()
        let tokens = try manager.tokens(of: id)
        _ = try await manager.unlink(id, isRevoking: false)
        await tokens.install(.user(1))
        #expect(try await store.load(id) == nil)
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
        try await manager.add(.user(1))
        #expect(try await manager.tokens(of: id).credential(deadline: .now + .seconds(60)).credential == .user(1))
        await #expect(throws: OAuthError.self) { try await tokens.credential(deadline: .now + .seconds(60)) }
    }

    @Test("A49: a server that cannot revoke now does not keep the login here; the rest is told and can be tried again")
    func revocationPending() async throws {
        let manager = try await manager()
        var events = manager.events.makeAsyncIterator()
        transport.enqueue(status: 503, "busy")
        let report = try await manager.unlink(id)
        guard case .pending(let revocation, let error) = report.revocation else { Issue.record("no report"); return }
        #expect(error.isFinal == false)
        #expect(try await store.load(id) == nil && manager.accounts.isEmpty)
        #expect(await events.next() == .unlinked(id))
        #expect(await events.next() == .switched(from: id, to: nil))
        #expect(await events.next() == .revocationPending(id, error))
        #expect(!"\(revocation)".contains("r1"))
        transport.enqueue(status: 200)
        try await revocation.perform(deadline: .now + .seconds(60))
        #expect(transport.requests.map(form).allSatisfy { $0.contains("token=r1") })
    }

    @Test("a token that the server has forgotten already counts as revoked")
    func unknownToken() async throws {
        let manager = try await manager()
        transport.enqueue(status: 400, #"{"error":"invalid_token","error_description":"unknown"}"#)
        guard case .revoked = try await manager.unlink(id).revocation else { Issue.record("not revoked"); return }
    }

    @Test("a record that cannot be removed keeps the account linked and usable")
    func readOnly() async throws {
        let manager = try await manager()
        try folder.setMode(0o755, "")
        let error = await #expect(throws: AccountManager.Error.self) { try await manager.unlink(id) }
        #expect(error?.store?.code == .insecurePermissions)
        try folder.setMode(0o700, "")
        #expect(manager.current?.id == id)
        #expect(try await manager.tokens(of: id).credential(deadline: .now + .seconds(60)).credential == .user(1))
        #expect(transport.requests.isEmpty)
    }

    @Test("all accounts end, each with its own report")
    func all() async throws {
        let manager = try await manager()
        try await manager.add(.user(2))
        transport.enqueue(status: 200)
        transport.enqueue(status: 503, "busy")
        let reports = try await manager.unlinkAll().map { try $0.get() }
        #expect(reports.map(\.id) == [id, Credential.key(2)])
        guard case .revoked = reports[0].revocation, case .pending = reports[1].revocation else {
            Issue.record("\(reports)")
            return
        }
        #expect(manager.accounts.isEmpty)
        #expect(try await store.accounts().isEmpty)
    }
}

extension StubTransport.Answer {
    static func ok(_ body: String) -> Self {
        .response(HTTPResponse(head: HTTPResponse.Head(status: 200, fields: [:]), body: Array(body.utf8)))
    }
}
