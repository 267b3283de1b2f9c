// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

/// Renewals over stores that fail at random, with a server that ends the login as soon as a spent token comes.
///
/// A process may also end between two renewals, unless it was told that the last token could not be saved.
@Suite("Rotated tokens over failing stores")
struct RotationModelTests {
    /// One login, its server and the process that uses it.
    private final class Login: Sendable {
        let server: RotatingServer
        private let isUnsaved = Mutex(false)

        init(seed: UInt64) { server = RotatingServer(seed: seed) }

        /// Whether the newest token is in memory only, as the events say.
        var wasTold: Bool { isUnsaved.withLock { $0 } }

        func renewal(_ store: any CredentialStore) -> TokenManager.Renewal {
            let client = OAuthClient(
                login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: server)
            return TokenManager.Renewal(client: client, store: store, account: "alice")
        }

        /// Renews once; the errors that say "try again" change nothing.
        func renew(_ renewal: TokenManager.Renewal, _ previous: Credential?) async -> Credential? {
            let told = Mutex(false)
            let result = await renewal.credential(replacing: previous, at: .now) { event in
                if case .notSaved = event { told.withLock { $0 = true } }
            }
            switch result {
            case .success(let credential):
                isUnsaved.withLock { $0 = told.withLock { $0 } }
                return credential
            case .failure(let error):
                #expect([.storeUnavailable, .unreachable].contains(error.code), "\(error)")
                return previous
            }
        }
    }

    /// Renews so many times; `restart` gives the store of a new process.
    private func run(
        seed: UInt64, _ store: any CredentialStore, restart: () -> any CredentialStore
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let login = Login(seed: random.next())
        var store = store
        var renewal = login.renewal(store)
        var credential: Credential? = .numbered(1)
        while true {
            // The first save may be reported as failed, too.
            if (try? await store.load("alice")) ?? nil != nil { break }
            _ = try? await store.save(.numbered(1), for: "alice", replacing: nil)
        }
        for step in 0..<30 {
            credential = await login.renew(renewal, credential)
            guard !login.server.isRevoked else {
                Issue.record("seed \(seed): a spent token was sent at step \(step)")
                return
            }
            #expect(login.wasTold || credential?.refreshToken == Secret("r\(login.server.live)"))
            if random.unit() < 0.3, !login.wasTold {
                store = restart()
                renewal = login.renewal(store)
                if let loaded = try? await store.load("alice") { credential = loaded.credential }
            }
        }
        #expect(login.server.live > 5)
    }

    @Test("no step of a file store that fails brings a spent token back", arguments: 0..<8 as Range<UInt64>)
    func files(batch: UInt64) async throws {
        for seed in batch * 15..<(batch + 1) * 15 {
            let folder = try StoreFolder(isVolatile: true)
            let random = Mutex(SeededGenerator(seed: seed))
            let files = AccountFiles(account: "alice")
            let place = folder.path
            let makeStore = {
                FileCredentialStore(directory: place) { step in
                    guard random.withLock({ $0.unit() }) < 0.1 else { return nil }
                    // Half of the renamings that are reported as failed were carried out.
                    if step == .replace, random.withLock({ $0.unit() }) < 0.5 {
                        unsafe rename("\(place)/\(files.temporary)", "\(place)/\(files.record)")
                    }
                    return EIO
                }
            }
            try await run(seed: seed, makeStore(), restart: makeStore)
        }
    }

    @Test("nor does a store that cannot say whether it saved", arguments: 0..<4 as Range<UInt64>)
    func unsure(batch: UInt64) async throws {
        for seed in batch * 100..<(batch + 1) * 100 {
            let store = UnsureStore(seed: seed)
            try await run(seed: seed, store) { store }
        }
    }
}
