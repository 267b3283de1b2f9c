// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestTransport

@Suite("The delivery state of a response")
struct DeliveryStateTests {
    typealias State = DeliveryState<Int, String>

    private let success = State.Outcome.success(HTTPResponse(head: HTTPResponse.Head(status: 200)))

    @Test("In every order of events, exactly one transition delivers to the caller")
    func exactlyOnce() {
        enum Event: CaseIterable { case wait, begin, serveHead, complete, cancel }
        for events in permutations(Event.allCases) {
            var state = State()
            var deliveries = 0
            for event in events {
                switch event {
                case .wait: if state.wait(7) != nil { deliveries += 1 }
                case .begin: _ = state.begin("task")
                case .serveHead: if !state.isOver, state.serve(success) == 7 { deliveries += 1 }
                case .complete: if state.end(success)?.waiter == 7 { deliveries += 1 }
                case .cancel: if state.fail(.cancelled, "")?.ending.waiter == 7 { deliveries += 1 }
                }
            }
            #expect(deliveries == 1, "\(events)")
            #expect(state.isOver)
        }
    }

    @Test("The task of a call that has ended never starts, and a running task is cancelled once")
    func work() {
        var over = State()
        _ = over.fail(.cancelled, "")
        let mayBegin = over.begin("task")
        #expect(!mayBegin)
        var running = State()
        let hasBegun = running.begin("task")
        #expect(hasBegun)
        let first = running.fail(.timedOut, "")
        #expect(first?.ending.work == "task")
        let second = running.fail(.timedOut, "")
        #expect(second == nil)
    }

    @Test("A request is sent once, and never after the call has ended")
    func leavesOnce() {
        var state = State()
        let responses = [state.begin("first"), state.begin("second")]
        #expect(responses == [true, false])
        #expect(state.hasLeft)
        var over = State()
        _ = over.fail(.cancelled, "")
        let late = over.begin("late")
        #expect(!late)
        #expect(!over.hasLeft)
    }

    @Test("An error reports whether the request had been sent")
    func reached() {
        var queued = State()
        #expect(queued.fail(.cancelled, "")?.error.mayHaveReachedServer == false)
        var running = State()
        _ = running.begin("task")
        #expect(running.fail(.cancelled, "")?.error.mayHaveReachedServer == true)
    }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}

extension DeliveryState {
    /// Ends the call with an error of this kind.
    fileprivate mutating func fail(
        _ code: TransportError.Code, _ message: String
    ) -> (error: TransportError, ending: Ending)? {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }
}

@Suite("The receiver of a response")
struct ResponseReceiverTests {
    private let limits = BodyLimits(maximumBytes: 8, maximumRatio: 250)

    private func receiver(_ destination: BodyDestination = .memory, isHead: Bool = false) -> ResponseReceiver {
        ResponseReceiver(limits: limits, destination: destination, isHeadRequest: isHead)
    }

    private func head(_ status: Int = 200) -> HTTPResponse.Head { HTTPResponse.Head(status: status) }

    /// Gives the receiver a chunk.
    ///
    /// - Returns: the rejection, or `nil` if the chunk was accepted.
    private func give(_ text: String, to receiver: inout ResponseReceiver) -> String? {
        let bytes = Array(text.utf8)
        let verdict = unsafe bytes.withUnsafeBytes { unsafe receiver.receive($0) }
        return switch verdict {
        case .accepted: nil
        case .paused: "paused"
        case .refused(let error): error.code.rawValue
        }
    }

    @Test("A body in memory is complete, and a chunk above the limit is rejected")
    func memory() {
        var receiver = receiver()
        #expect(receiver.takeResponse() == nil)
        #expect(receiver.receive(head(), length: nil) == nil)
        #expect(give("1234", to: &receiver) == nil)
        #expect(give("5678", to: &receiver) == nil)
        #expect(give("9", to: &receiver) == "tooLarge")
        #expect(receiver.byteCount == 8)
        #expect(receiver.takeResponse() == HTTPResponse(head: head(), body: Array("12345678".utf8)))
    }

    @Test(
        "An announced length is checked against the limit only if the response has a body", arguments: [200, 204, 304])
    func announced(status: Int) {
        var body = receiver()
        var capacity = 0
        let rejection = body.receive(head(status), length: 9) { _ in [] }
        #expect((rejection?.code == .tooLarge) == (status == 200))
        var headOnly = receiver(isHead: true)
        #expect(headOnly.receive(head(status), length: 9) == nil)
        var small = receiver()
        let none = small.receive(head(status), length: 7) {
            capacity = $0
            return []
        }
        #expect(none == nil)
        #expect(capacity == (status == 200 ? 7 : 0))
    }

    @Test("A streamed body has no limit, pauses while its reader is full, and ends when the reader is gone")
    func reader() {
        let downstream = Downstream(overflow: .refuse)
        var receiver = receiver(.reader(downstream))
        #expect(receiver.receive(head(500), length: 1 << 30) == nil)
        let chunk = String(repeating: "x", count: 256 * 1024)
        #expect(give(chunk, to: &receiver) == nil)
        #expect(give("more", to: &receiver) == "paused")
        #expect(receiver.byteCount == chunk.utf8.count)
        downstream.finish(nil)
        #expect(give("more", to: &receiver) == "cancelled")
    }

    @Test("Only a successful response is written to the file")
    func file() throws {
        let folder = try TemporaryDirectory()
        for (status, text) in [(404, ""), (200, "content")] {
            let target = HTTPResponse.Download(path: folder.path("file"))
            let (_, attempt) = target.begin(HTTPRequest(url: HTTPURL(path: "/")))
            var receiver = receiver(.file(attempt))
            #expect(receiver.receive(head(status), length: nil) == nil)
            #expect(give("content", to: &receiver) == nil)
            try receiver.file?.finish()
            #expect(receiver.takeResponse()?.body == Array(status == 200 ? "".utf8 : "content".utf8))
            #expect(folder.text(of: "file") ?? "" == text)
            target.discard()
        }
    }
}
