// SPDX-License-Identifier: Apache-2.0

import RestHTTP2
import RestTransport
import Testing

@Suite("The state of a stream")
struct StreamStateTests {
    private typealias State = StreamState<String>

    private static let lost = HTTP2Error(.connectionLost, "gone")

    /// `#expect` for values of mutating methods.
    private func check(
        _ value: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(value, comment, sourceLocation: sourceLocation)
    }

    private func isWaiting<Value>(_ look: State.Look<Value>) -> Bool {
        if case .wait = look { true } else { false }
    }

    @Test("A reader waits for the head, for bytes and for the end, and each resumes it once")
    func reading() {
        var state = State()
        check(isWaiting(state.lookAtHead()) && isWaiting(state.take()))
        check(state.wait("reader", isReader: true))
        check(!state.wait("another", isReader: true), "two readers")
        check(state.receive(head: HTTP2Response(status: 200)) == "reader")
        check(state.receive([1, 2]) == nil)
        check(state.receive([3]) == nil)
        guard case .ready([1, 2, 3]?) = state.take() else { return check(false, "bytes are missing") }
        check(state.wait("reader", isReader: true))
        check(state.endPeer() == "reader")
        guard case .ready(nil) = state.take() else { return check(false, "the end is missing") }
        check(!state.isOver)
    }

    @Test("A writer waits above the high-water mark, and continues below it")
    func writing() {
        var state = State()
        guard case .ready = state.reserve(10 * State.highWater, isEnd: false) else {
            return check(false, "an empty queue takes any chunk")
        }
        check(isWaiting(state.reserve(1, isEnd: false)))
        var finishing = state
        check(finishing.finish() == nil && finishing.hasFinished, "an end needs no room")
        check(finishing.finish()?.code == .invalidUse)
        check(state.wait("writer", isReader: false))
        check(state.sent(8 * State.highWater) == nil)
        check(state.sent(2 * State.highWater) == "writer")
        guard case .ready = state.reserve(1, isEnd: true), case .failed = state.reserve(1, isEnd: true) else {
            return check(false, "a finished stream takes no bytes")
        }
    }

    @Test("Bytes before a lost connection can be read, and those of a cancelled stream cannot")
    func failing() {
        for isCancelled in [false, true] {
            var state = State()
            check(state.wait("writer", isReader: false) && state.wait("reader", isReader: true))
            check(state.receive([1]) == "reader")
            let error = isCancelled ? HTTP2Error(.cancelled, "cancelled") : Self.lost
            check(state.fail(error) == ["writer"])
            check(state.fail(HTTP2Error(.shutDown, "later")).isEmpty && state.error == error && state.isOver)
            if !isCancelled {
                guard case .ready([1]?) = state.take() else { return check(false, "bytes are lost") }
            }
            guard case .failed(error) = state.take(), case .failed(error) = state.lookAtHead() else {
                return check(false, "the error is missing")
            }
        }
    }

    @Test("The window is extended in steps of half its size, and not after the end")
    func credit() {
        var state = State()
        check(state.receive([UInt8](repeating: 0, count: 40)) == nil)
        _ = state.take()
        check(state.takeCredit(window: 100) == 0)
        check(state.receive([UInt8](repeating: 0, count: 30)) == nil)
        _ = state.take()
        check(state.takeCredit(window: 100) == 70 && state.takeCredit(window: 100) == 0)
        check(state.receive([UInt8](repeating: 0, count: 90)) == nil && state.endPeer() == nil)
        _ = state.take()
        check(state.takeCredit(window: 100) == 0)
    }
}
