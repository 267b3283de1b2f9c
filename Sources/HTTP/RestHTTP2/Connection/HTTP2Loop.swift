// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCurl
import RestTransport
import Synchronization

/// The bytes of a connection, which only the thread of its loop uses.
protocol HTTP2Link: AnyObject {
    var descriptor: Int32 { get }
    /// Reads bytes without waiting, and returns their number: `nil` if none have arrived, and 0 at the end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int?
    /// Writes bytes without waiting, and returns the number of those that were taken.
    func send(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> Int
}

/// Passes the commands of streams to the thread that runs a connection.
///
/// The thread retains this object and not the connection, so that the release of the connection ends the thread.
final class HTTP2Loop: Sendable {
    enum Command: Sendable {
        /// Starts the thread.
        case begin
        case open(StreamCore, HTTP2Request, isEnd: Bool)
        case respond(StreamCore, HTTP2Response, isEnd: Bool)
        case send(StreamCore, [UInt8], isEnd: Bool)
        case finish(StreamCore, HTTPFields)
        case consume(StreamCore, Int)
        case reset(StreamCore, HTTP2ErrorCode)
        case ping
        case leave
        case fail(HTTP2Error)
    }

    /// Answers a request of the peer, on a server.
    typealias Handler = @Sendable (HTTP2Request, HTTP2Stream) async -> Void

    let settings: HTTP2Settings
    let clock: any MonotonicClock
    private let mailbox = Mutex(Mailbox<Command>())
    private let ended = Mutex<HTTP2Error?>(nil)
    private let closed = AwaitedValue<HTTP2Error>()
    private let begun = AwaitedValue<HTTP2Error?>()
    /// The number of times at which bytes arrived.
    private let arrivals = Atomic(0)
    /// Whether the peer has announced the end of the connection.
    private let leaving = Atomic(false)
    private let alarm: Socket
    private let bell: Socket

    init(settings: HTTP2Settings, clock: any MonotonicClock) throws(HTTP2Error) {
        (self.settings, self.clock) = (settings, clock)
        do throws(Socket.Failure) {
            (bell, alarm) = try Socket.pair()
        } catch {
            throw HTTP2Error(.notConnected, "no descriptor left for a connection: \(error.call) (\(error.code))")
        }
    }

    /// Starts the thread, which makes its link first.
    func start(_ role: HTTP2Session.Role, handler: Handler? = nil, _ connect: @escaping Connect) {
        guard case .startThread = mailbox.withLock({ $0.post(.begin, isFirst: true) }) else { return }
        let isStarted = runOnThread { [self] in
            var streams: [StreamCore] = []
            let error: HTTP2Error
            do throws(HTTP2Error) {
                let link = try connect(self)
                var thread = HTTP2Thread(loop: self, link: link, session: try HTTP2Session(role, settings: settings))
                thread.handler = handler
                begun.resolve(nil)
                error = thread.run()
                streams = thread.streams
            } catch let failure {
                error = failure
            }
            close(error, streams)
        }
        if !isStarted { close(HTTP2Error(.notConnected, "no thread left for a connection"), []) }
    }

    typealias Connect = @Sendable (HTTP2Loop) throws(HTTP2Error) -> any HTTP2Link

    // MARK: - Any thread

    /// Passes a command to the thread, or returns `false` if the connection has ended.
    func post(_ command: Command) -> Bool {
        switch mailbox.withLock({ $0.post(command, isFirst: false) }) {
        case .none, .startThread: return true
        case .wake: ring()
        case .refuse: return false
        }
        return true
    }

    /// Ends the connection and its streams with an error.
    func stop(_ error: HTTP2Error = .shutDown) {
        note(error)
        if case .wake = mailbox.withLock({ $0.stop() }) { ring() }
    }

    /// Waits until the thread has its link, and returns the error if it has none.
    func waitForBegin() async -> HTTP2Error? { await begun.value() }

    /// Waits for the end of the connection, and returns the reason.
    func waitForEnd() async -> HTTP2Error { await closed.value() }

    /// The reason why the connection has ended.
    var ending: HTTP2Error { ended.withLock { $0 } ?? .shutDown }
    var isOver: Bool { ended.withLock { $0 != nil } }
    var isLeaving: Bool { leaving.load(ordering: .relaxed) }
    var arrivalCount: Int { arrivals.load(ordering: .relaxed) }

    /// Interrupts a sleep of the thread.
    private func ring() { _ = alarm.sendSome([1], isWaiting: false) }

    // MARK: - The thread

    func collect(into commands: inout [Command]) -> Bool { mailbox.withLock { $0.collect(into: &commands) } }
    func fallAsleep() -> Bool { mailbox.withLock { $0.fallAsleep() } }
    func noteArrival() { arrivals.add(1, ordering: .relaxed) }
    func noteLeaving() { leaving.store(true, ordering: .relaxed) }

    /// The descriptor that is readable after a wake-up.
    var bellDescriptor: Int32 { bell.descriptor }
    /// Takes the wake-ups so far, in a buffer that has no other use now.
    func silenceBell(_ buffer: UnsafeMutableRawBufferPointer) { _ = unsafe bell.receiveSome(into: buffer) }

    /// Stores the reason of the end, and returns the first one.
    @discardableResult
    private func note(_ error: HTTP2Error) -> HTTP2Error {
        ended.withLock { ended in
            let first = ended ?? error
            ended = first
            return first
        }
    }

    /// Fails everything that waits for the connection.
    private func close(_ error: HTTP2Error, _ streams: [StreamCore]) {
        let error = note(error)
        var commands: [Command] = []
        mailbox.withLock { mailbox in
            mailbox.close()
            _ = mailbox.collect(into: &commands)
        }
        for stream in streams { stream.fail(error) }
        for case .open(let stream, _, _) in commands { stream.fail(error) }
        begun.resolve(error)
        closed.resolve(error)
    }
}
