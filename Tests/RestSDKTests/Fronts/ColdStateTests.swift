// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("The state of cold work")
struct ColdStateTests {
    /// Everything that can happen to cold work.
    private enum Step: CaseIterable {
        case attach, request, give, end
    }

    @Test("in ten thousand random orders: begun once, after attaching and a request; never more than was requested")
    func orders() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            var state = ColdState()
            var (isAttached, isBegun, isUnlimited, demand, isOver) = (false, false, false, 0, false)
            for _ in 0..<16 {
                switch Step.allCases.randomElement(using: &random) ?? .attach {
                case .attach:
                    let begins = state.attach()
                    try #require(begins == (!isAttached && demand > 0 && !isOver))
                    isAttached = true
                    isBegun = isBegun || begins
                case .request:
                    let count = [0, 1, 3, .max].randomElement(using: &random) ?? 0
                    isUnlimited = isUnlimited || count == .max
                    demand = isUnlimited ? .max : demand + count
                    let begins = state.request(count)
                    try #require(begins == (isAttached && !isBegun && demand > 0 && !isOver))
                    isBegun = isBegun || begins
                case .give:
                    let gives = state.give()
                    try #require(gives == (isBegun && demand > 0 && !isOver))
                    if gives, !isUnlimited { demand -= 1 }
                case .end:
                    try #require(state.end() == !isOver)
                    isOver = true
                }
                try #require(state.isOver == isOver)
                try #require(state.demand == (isUnlimited ? .max : demand))
            }
        }
    }
}
