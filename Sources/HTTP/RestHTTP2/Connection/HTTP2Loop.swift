// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCurl
import RestTransport
import Synchronization

/// Passes the commands of streams to the thread that runs a connection.
///
/// The thread retains this object and not the connection, so that the release of the connection ends the thread.
final class HTTP2Loop: Sendable {
    enum Command: Sendable {
        /// Opens a stream with a request, which is the whole request if `isEnd` is `true`.
        case open(StreamCore, HTTP2Request, isEnd: Bool)
        case use(@Sendable (HTTP2Session) -> Void)
    }

    /// Answers a request of the peer, on a server.
    typealias Handler = @Sendable (HTTP2Request, HTTP2Stream) async -> Void

    let settings: HTTP2Settings
    /// The number of a server's handlers that have not returned.
    let runningHandlers = Atomic(0)
    /// Whether the peer has announced the end of the connection.
    private let leaving = Atomic(false)
    private let mailbox = Mutex(Mailbox<Command>())
    private let life = Mutex(ConnectionLife())
    private let closed = AwaitedValue<HTTP2Error>()
    private let begun = AwaitedValue<HTTP2Error?>()
    private let alarm: Socket
    private let bell: Socket

    init(_ settings: HTTP2Settings) throws(HTTP2Error) {
        self.settings = settings
        do throws(Socket.Failure) {
            (bell, alarm) = try Socket.pair()
        } catch {
            throw HTTP2Error(.notConnected, "no descriptor left for a connection: \(error.call) (\(error.code))")
        }
    }

    /// Starts the thread, which makes its link first.
    func start(
        _ role: HTTP2Session.Role, handler: Handler? = nil,
        _ connect: @escaping @Sendable (HTTP2Loop) throws(HTTP2Error) -> any HTTP2Link
    ) {
        guard case .startThread = mailbox.withLock({ $0.post(.use { _ in }, isFirst: true) }) else { return }
        let isStarted = runOnThread { [self] in
            do throws(HTTP2Error) {
                let link = try connect(self)
                let session = try HTTP2Session(role, settings: settings)
                if let ending = life.withLock({ $0.begin() }) { throw ending }
                var thread = HTTP2Thread(loop: self, link: link, session: session, handler: handler)
                begun.resolve(nil)
                let error = thread.run()
                close(error, thread.streams)
            } catch {
                close(error, [])
            }
        }
        if !isStarted { close(HTTP2Error(.notConnected, "no thread left for a connection"), []) }
    }

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
        _ = life.withLock { $0.end(error) }
        if case .wake = mailbox.withLock({ $0.stop() }) { ring() }
    }

    /// Ends the connection with an error, unless the thread has its link.
    func giveUp(_ error: HTTP2Error) { if life.withLock({ $0.giveUp(error) }) { stop(error) } }

    /// Ends the connection and its streams, and returns when the socket is closed.
    func shutdown() async {
        stop()
        _ = await waitForEnd()
    }

    /// Waits until the thread has its link, and returns the error if it has none.
    func waitForBegin() async -> HTTP2Error? { await begun.value() }

    /// Waits for the end of the connection, and returns the reason.
    func waitForEnd() async -> HTTP2Error { await closed.value() }

    var ending: HTTP2Error { life.withLock(\.ending) ?? .shutDown }
    var isOver: Bool { life.withLock { $0.ending != nil } }
    var isLeaving: Bool { leaving.load(ordering: .relaxed) }

    /// Interrupts a sleep of the thread.
    private func ring() { _ = alarm.sendSome([1], isWaiting: false) }

    // MARK: - The thread

    func collect(into commands: inout [Command]) -> Bool { mailbox.withLock { $0.collect(into: &commands) } }
    func fallAsleep() -> Bool { mailbox.withLock { $0.fallAsleep() } }
    func noteLeaving() { leaving.store(true, ordering: .relaxed) }

    /// The descriptor that is readable after a wake-up.
    var bellDescriptor: Int32 { bell.descriptor }
    /// Takes the wake-ups so far, in a buffer that has no other use now.
    func silenceBell(_ buffer: UnsafeMutableRawBufferPointer) { _ = unsafe bell.receiveSome(into: buffer) }

    /// Fails everything that waits for the connection.
    private func close(_ error: HTTP2Error, _ streams: [StreamCore]) {
        let error = life.withLock { $0.end(error) }
        var commands: [Command] = []
        mailbox.withLock { mailbox in
            mailbox.close()
            _ = mailbox.collect(into: &commands)
        }
        for stream in streams + commands.compactMap(\.opened) { stream.fail(error) }
        begun.resolve(error)
        closed.resolve(error)
    }
}

/// The life of a connection as a value: it begins or is given up, whichever comes first, and ends once.
package struct ConnectionLife: Sendable {
    private var hasBegun = false
    package private(set) var ending: HTTP2Error?

    package init() {}

    /// Begins, or returns the reason why the connection has ended before.
    package mutating func begin() -> HTTP2Error? {
        hasBegun = ending == nil
        return ending
    }

    /// Ends a connection that has not begun, and returns whether it did.
    package mutating func giveUp(_ error: HTTP2Error) -> Bool {
        guard !hasBegun, ending == nil else { return false }
        ending = error
        return true
    }

    /// Ends, and returns the first reason.
    package mutating func end(_ error: HTTP2Error) -> HTTP2Error {
        let first = ending ?? error
        ending = first
        return first
    }
}

extension HTTP2Loop.Command {
    /// The stream that the command opens, or `nil`.
    var opened: StreamCore? { if case .open(let core, _, _) = self { core } else { nil } }
}
