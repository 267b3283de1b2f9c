// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCore

@Suite struct ModelTests {
    @Test func aRouteOfALaterVersionHasItInItsWireName() {
        let location = StoneLocation(file: "", line: 1, column: 1)
        let route = { StoneRoute(id: RouteID(index: 0), namespace: "n", name: "a/b", version: $0, location: location) }
        #expect(route(1).wireName == "a/b")
        #expect(route(2).wireName == "a/b_v2")
    }
}
