// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

@Suite("The known state of a login")
struct KnownLoginTests {
    private let alice = Credential.user(1)
    private let bob = Credential.user(2)

    private func stored(_ credential: Credential, _ version: UInt64) -> Credential.Stored {
        Credential.Stored(credential: credential, version: version)
    }

    private func renewed(_ credential: Credential, _ token: String) -> Credential {
        var renewed = credential
        renewed.accessToken = Secret(token)
        return renewed
    }

    @Test("the first known credential determines the user, and another user's record is then rejected")
    func foreign() {
        var known = KnownLogin(server: nil)
        #expect(known.find(stored(alice, 1), of: 0, previous: nil) == .newest(alice))
        #expect(known.find(stored(renewed(alice, "a2"), 2), of: 0, previous: alice) == .newest(renewed(alice, "a2")))
        // The version alone proves nothing.
        for version in 1...3 as ClosedRange<UInt64> {
            #expect(known.find(stored(bob, version), of: 0, previous: alice) == .foreign)
            #expect(known.findSuccessor(in: stored(bob, version), of: 0) == .foreign)
        }
        #expect(known.last == renewed(alice, "a2"))
    }

    @Test("if nothing was read yet, the credential in use determines the user")
    func inUse() {
        var known = KnownLogin(server: nil)
        #expect(known.find(stored(bob, 1), of: 0, previous: alice) == .foreign)
        var begun = KnownLogin(server: nil)
        begun.begin(with: alice)
        #expect(begun.find(stored(bob, 1), of: 0, previous: nil) == .foreign)
        #expect(begun.find(nil, of: 0, previous: nil) == .newest(alice))
    }

    @Test("a missing record was removed if it was known before")
    func removed() {
        var known = KnownLogin(server: nil)
        #expect(known.find(nil, of: 0, previous: nil) == .newest(nil))
        known.take(stored(alice, 1))
        #expect(known.find(nil, of: 0, previous: alice) == .removed)
    }

    @Test("while the store's version is the known one, the known credential is newer than the stored one")
    func unsaved() {
        var known = KnownLogin(server: nil)
        known.take(stored(alice, 1))
        let isNoted = known.note(renewed(alice, "a2"), version: 1, of: 0)
        #expect(isNoted)
        #expect(known.find(stored(alice, 1), of: 0, previous: alice) == .newest(renewed(alice, "a2")))
        #expect(known.findSuccessor(in: stored(alice, 1), of: 0) == .newest(nil))
        #expect(known.find(stored(renewed(alice, "a3"), 2), of: 0, previous: alice) == .newest(renewed(alice, "a3")))
    }

    @Test("the result of a renewal for an earlier login is ignored")
    func overtaken() {
        var known = KnownLogin(server: nil)
        known.take(stored(alice, 1))
        let again = renewed(alice, "again")
        known.install(again, version: 1)
        let isNoted = known.note(renewed(alice, "late"), version: 1, of: 0)
        #expect(!isNoted && known.last == again)
        #expect(known.find(stored(alice, 7), of: 0, previous: alice) == .newest(again))
        #expect(known.findSuccessor(in: stored(alice, 7), of: 0) == .newest(nil))
        #expect(known.last == again)
    }

    @Test("a record with used tokens is never a successor, whatever its version is")
    func spent() {
        var known = KnownLogin(server: nil)
        known.take(stored(alice, 1))
        let next = renewed(alice, "a2")
        let isNoted = known.note(next, version: 1, of: 0)
        // The store reported that the credential was not saved, but saved it.
        #expect(isNoted && known.find(stored(alice, 2), of: 0, previous: next) == .newest(next))
        #expect(known.findSuccessor(in: stored(alice, 3), of: 0) == .newest(nil))
        #expect(known.last == next)
        #expect(known.find(stored(renewed(alice, "a3"), 4), of: 0, previous: next) == .newest(renewed(alice, "a3")))
    }

    @Test("an ended login continues with new tokens of its user, but not with its own tokens")
    func successor() {
        var known = KnownLogin(server: nil)
        known.take(stored(alice, 1))
        #expect(known.findSuccessor(in: stored(alice, 3), of: 0) == .newest(nil))
        #expect(known.findSuccessor(in: stored(renewed(alice, "new"), 4), of: 0) == .newest(renewed(alice, "new")))
    }
}

@Suite("The user of a login")
struct LoginIdentityTests {
    private static let server = Origin(scheme: .https, host: "login.example.com")
    private static let other = Origin(scheme: .https, host: "other.example.com")

    private static func login(
        id: String? = nil, user: String? = nil, as claim: String? = nil, server: Origin? = server, name: String? = nil,
        mark: String? = nil,
        at instance: Origin = Credential.usualInstance
    ) -> Credential {
        let token = Secret("\(UInt64.random(in: .min ... .max))")
        var credential = Credential(accessToken: token, instance: instance, identityURL: id)
        credential.login = server.map { Credential.Login(server: $0, clientID: "id", username: name) }
        (credential.userID, credential.userClaim, credential.mark) = (user, claim, mark)
        return credential
    }

    private static let alice = "https://login.example.com/id/00D/1"

    private typealias Row = (Credential, Credential, LoginIdentity.Relation)

    private static let rows: [Row] = [
        // The ids determine the result, together with their server.
        (login(id: alice), login(id: alice), .same),
        (login(id: alice), login(id: alice, server: other), .same),
        (login(id: alice), login(id: "https://my.example.com/id/00D/1"), .same),
        (login(id: alice), login(id: "https://other.example.com/id/00D/1", server: other), .other),
        (login(id: alice, server: nil), login(id: "https://other.example.com/id/00D/1", server: nil), .other),
        (login(id: alice), login(id: "https://login.example.com/id/00D/2"), .other),
        (login(id: alice), login(id: "https://login.example.com/id/00E/1"), .other),
        (login(id: alice, mark: "m"), login(id: "https://login.example.com/id/00D/2", mark: "m"), .other),
        // A value that is not an identity URL identifies no user, because some servers give each token an id.
        (login(id: "7f3a", mark: "m"), login(id: "81bc", mark: "m"), .same),
        (login(id: "7f3a"), login(id: "81bc"), .same),
        // A user id has the same effect under either name. Ids with different names prove nothing.
        (login(user: "1", as: "sub"), login(user: "1", as: "sub"), .same),
        (login(user: "1", as: "sub"), login(user: "1", as: "uid"), .same),
        (login(user: "1", as: "sub"), login(user: "2", as: "sub"), .other),
        (login(user: "1", as: "sub"), login(user: "2", as: "uid"), .unknown),
        (login(user: "1", as: "sub"), login(user: "1", as: "sub", server: other), .other),
        (login(user: "1", as: "sub"), login(user: "1", as: "sub", server: nil), .same),
        (login(user: "1", as: "sub"), login(user: "1", as: "sub", server: nil, at: other), .other),
        (login(user: "1", as: "sub"), login(id: alice), .unknown),
        (login(user: "1", as: "sub"), login(mark: "m"), .other),
        (login(user: "1", as: "sub", mark: "m"), login(mark: "m"), .same),
        (login(id: alice, user: "1"), login(id: alice, user: "2"), .same),
        // The mark of a login, if the server does not name the user.
        (login(mark: "m"), login(mark: "m", at: other), .same),
        (login(mark: "m"), login(mark: "n"), .unknown),
        (login(mark: "m"), login(), .unknown),
        (login(id: alice, mark: "m"), login(mark: "m"), .same),
        (login(id: alice), login(mark: "m"), .other),
        (login(id: alice), login(), .other),
        (login(id: alice, name: "u"), login(name: "u", mark: "m"), .same),
        // The name of the user at the server, if the app knows it.
        (login(name: "u", mark: "m"), login(name: "u", mark: "n"), .same),
        (login(name: "u", mark: "m"), login(name: "v", mark: "n"), .other),
        (login(name: "u", mark: "m"), login(server: other, name: "u", mark: "n"), .other),
        // Logins that an app stored itself.
        (login(), login(), .same),
        (login(), login(server: other), .unknown),
        (login(), login(at: other), .unknown),
        (login(), login(server: nil), .same),
    ]

    @Test("each pair of logins is the same, another, or unknown", arguments: rows.indices)
    func relation(row: Int) {
        let (first, second, relation) = Self.rows[row]
        #expect(LoginIdentity(of: first).relation(to: LoginIdentity(of: second)) == relation)
        #expect(LoginIdentity(of: second).relation(to: LoginIdentity(of: first)) == relation)
    }

    @Test("a new login gets a mark if the server does not name the user, and keeps an existing mark")
    func marks() {
        #expect(Self.login(id: Self.alice).marked().mark == nil)
        #expect(Self.login(mark: "m").marked().mark == "m")
        #expect(Self.login().marked().mark != Self.login().marked().mark)
        let login = Self.login()
        #expect(login.marked().mark != nil && login.marked() == login.marked())
        #expect(Self.login(id: "7f3a").marked().mark != nil)
    }
}
