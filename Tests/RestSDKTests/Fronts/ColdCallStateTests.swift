// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("The state of a cold call")
struct ColdCallStateTests {
    /// Everything that can happen to a cold call.
    private enum Step: CaseIterable {
        case attach, demand, arrive, finish, fail, cancel
    }

    @Test(
        "in ten thousand random orders: sent once, after attaching and asking; a value, then the end; nothing after it")
    func orders() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            var state = ColdCallState()
            var (isAttached, isAsked, isSent, values, isOver) = (false, false, false, 0, false)
            for _ in 0..<12 {
                switch Step.allCases.randomElement(using: &random) ?? .attach {
                case .attach:
                    let sends = state.attach()
                    try #require(sends == (!isAttached && isAsked && !isOver))
                    isAttached = true
                    isSent = isSent || sends
                case .demand:
                    let sends = state.demand()
                    try #require(sends == (isAttached && !isAsked && !isOver))
                    isAsked = true
                    isSent = isSent || sends
                case .arrive:
                    let hands = state.arrive()
                    try #require(hands == (isSent && values == 0 && !isOver))
                    if hands { values = 1 }
                case .finish:
                    let ends = state.finish()
                    try #require(ends == (values == 1 && !isOver))
                    isOver = isOver || ends
                case .fail:
                    let ends = state.fail()
                    try #require(ends == (isSent && values == 0 && !isOver))
                    isOver = isOver || ends
                case .cancel:
                    try #require(state.cancel() == !isOver)
                    isOver = true
                }
                try #require(state.isOver == isOver)
            }
        }
    }
}
