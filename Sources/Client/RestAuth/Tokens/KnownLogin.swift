// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What this process knows of the login under a key, and what it makes of the store's record: a value without I/O.
///
/// A login is its key and the user behind it. So each record is compared with the login before anything of it is used,
/// and a flight that a new login has overtaken leaves no trace.
struct KnownLogin {
    /// What a record means to a client that wants to go on with the login.
    enum Finding: Equatable {
        /// The newest credential of the login; `nil` when nobody has logged in yet.
        case newest(Credential?)
        /// The record was there and is gone: another client ended the login.
        case removed
        /// The record is of another user, or of another login that nothing connects with this one.
        case foreign
    }

    /// What the store had when it was asked last.
    private struct Sight { let version: UInt64? }

    /// The authorization server, for credentials that do not name theirs.
    private let server: Origin?
    /// The last credential of the login, which may be newer than the stored one.
    private(set) var last: Credential? {
        didSet { if let oldValue, last?.hasTokens(of: oldValue) != true { spent = oldValue } }
    }
    /// The credential that the last one replaced.
    ///
    /// A record with its tokens is never news, whatever its version is: saving the last one failed, and the server may
    /// end the login if the spent refresh token comes again.
    private var spent: Credential?
    private var sight: Sight?
    /// Counts the logins; whatever a flight of an earlier one brings is void.
    private(set) var login: UInt64 = 0
    /// Whether the account was unlinked, or the key is another user's now.
    private(set) var isClosed = false

    init(server: Origin?) {
        self.server = server
    }

    /// Ends the use of the key.
    mutating func close() { isClosed = true }

    /// Begins with a credential that is stored nowhere yet.
    mutating func begin(with credential: Credential) {
        if last == nil { last = credential }
    }

    /// Begins with what the store holds, or goes on with it.
    mutating func take(_ stored: Credential.Stored) {
        last = stored.credential
        sight = Sight(version: stored.version)
    }

    /// Notes a new login, which voids all flights.
    mutating func install(_ credential: Credential, version: UInt64?) {
        login += 1
        last = credential
        sight = Sight(version: version)
    }

    /// Notes what a flight brought.
    ///
    /// - Parameters:
    ///   - credential: the newest credential.
    ///   - version: the version in the store, or the one that could not be replaced.
    ///   - login: the login when the flight began.
    /// - Returns: `false` when a new login has come first and nothing was noted.
    mutating func note(_ credential: Credential, version: UInt64?, of login: UInt64) -> Bool {
        guard login == self.login else { return false }
        last = credential
        sight = Sight(version: version)
        return true
    }

    /// How a credential stands to the login; anything fits where there is none yet.
    func relation(to credential: Credential) -> LoginIdentity.Relation {
        guard let last else { return .same }
        return LoginIdentity(of: last, server: server).relation(to: LoginIdentity(of: credential, server: server))
    }

    /// Looks for the newest credential there is.
    ///
    /// As long as the store's version is the known one, no other client has saved, and what is known is at least as new
    /// as what is stored: saving it failed, or damage took it. A record that was there and is gone was removed by a
    /// logout, which no late renewal undoes.
    ///
    /// - Parameters:
    ///   - stored: the record.
    ///   - login: the login when the record was read.
    ///   - previous: the credential in use, for a login that this value has not seen yet.
    /// - Returns: what the record means.
    mutating func find(_ stored: Credential.Stored?, of login: UInt64, previous: Credential?) -> Finding {
        guard login == self.login else { return .newest(last) }
        if last == nil { last = previous }
        if let stored, relation(to: stored.credential) != .same { return .foreign }
        if let sight, sight.version == stored?.version { return .newest(last) }
        guard let stored else { return sight == nil ? .newest(last) : .removed }
        if isSpent(stored) {
            sight = Sight(version: stored.version)
        } else {
            take(stored)
        }
        return .newest(last)
    }

    private func isSpent(_ stored: Credential.Stored) -> Bool { spent.map(stored.credential.hasTokens) ?? false }

    /// What a record has to say to a login that ended or was not asked for long: `.newest(nil)` when it is no news.
    mutating func findSuccessor(in stored: Credential.Stored, of login: UInt64) -> Finding {
        guard login == self.login else { return .newest(nil) }
        guard relation(to: stored.credential) == .same else { return .foreign }
        if let sight, sight.version == stored.version { return .newest(nil) }
        if let last, stored.credential.hasTokens(of: last) { return .newest(nil) }
        if isSpent(stored) { return .newest(nil) }
        take(stored)
        return .newest(stored.credential)
    }
}
