// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Testing

@Suite("Tokens the org keeps")
struct TokenRegistryTests {
    private let now = ContinuousClock.now

    private func rules(_ rotation: TokenRegistry.RefreshRotation = .strict) -> TokenRegistry.ExchangeRules {
        TokenRegistry.ExchangeRules(rotation: rotation, expiry: nil, now: now)
    }

    @Test("a client that renews for ever makes the org keep no more, and what it holds stays good")
    func renewals() {
        var registry = TokenRegistry(capacity: 100)
        let login = registry.login(clientID: "c", scopes: [], issuedAt: 0)
        registry.add(refreshToken: "0", expiry: nil, now: now, login: login)
        for number in 1...2_000 {
            guard case .granted = registry.exchange("\(number - 1)", of: "c", successor: "\(number)", rules()) else {
                Issue.record("renewal \(number) was refused")
                return
            }
            registry.add(accessToken: "a\(number)", expiry: now + .seconds(60), now: now, login: login)
            #expect(registry.count <= 210)
        }
        #expect(registry.access(TokenRegistry.key("a2000"), at: now) != nil)
        #expect(registry.refresh(TokenRegistry.key("2000"), at: now) != nil)
        guard case .refused = registry.exchange("1999", of: "c", successor: "x", rules()) else {
            Issue.record("a spent token was taken")
            return
        }
        #expect(registry.refresh(TokenRegistry.key("2000"), at: now) == nil)
    }

    @Test("families that died and tokens that ended are forgotten, and stay worthless")
    func deadFamilies() {
        var registry = TokenRegistry(capacity: 100)
        for number in 0..<2_000 {
            let login = registry.login(clientID: "c", scopes: [], issuedAt: 0)
            registry.add(refreshToken: "r\(number)", expiry: now + .seconds(number), now: now, login: login)
            registry.add(accessToken: "a\(number)", expiry: now + .seconds(60), now: now, login: login)
            registry.revoke(family: login.family)
            #expect(registry.count <= 310)
            #expect(registry.access(TokenRegistry.key("a\(number)"), at: now) == nil)
        }
        for number in 0..<2_000 {
            guard case .refused = registry.exchange("r\(number)", of: "c", successor: "x", rules()) else {
                Issue.record("a dead token was taken")
                return
            }
        }
    }

    @Test("very many logins end the ones not used for longest")
    func manyLogins() {
        var registry = TokenRegistry(capacity: 100)
        let first = registry.login(clientID: "c", scopes: [], issuedAt: 0)
        registry.add(refreshToken: "first", expiry: nil, now: now, login: first)
        for number in 0..<500 {
            let login = registry.login(clientID: "c", scopes: [], issuedAt: 0)
            registry.add(refreshToken: "r\(number)", expiry: nil, now: now, login: login)
            guard case .granted = registry.exchange("first", of: "c", successor: "-", rules(.off)) else {
                Issue.record("the login in use has ended")
                return
            }
        }
        #expect(registry.refresh(TokenRegistry.key("r0"), at: now) == nil)
        #expect(registry.refresh(TokenRegistry.key("r499"), at: now) != nil)
    }

    @Test("assertions are remembered until they end; a full memory makes callers wait and forgets nothing")
    func assertions() throws {
        var spent = SpentAssertions(capacity: 3)
        for number in 0..<3 as Range<UInt8> { try spent.spend([number], of: "c", until: 100, now: 0) }
        #expect(throws: OAuthRefusal.self) { try spent.spend([0], of: "c", until: 100, now: 0) }
        let full = #expect(throws: OAuthRefusal.self) { try spent.spend([9], of: "c", until: 100, now: 100) }
        #expect(full?.status == 429)
        try spent.spend([0], of: "c", until: 300, now: 101)
        try spent.spend([0], of: "other", until: 300, now: 101)
    }
}
