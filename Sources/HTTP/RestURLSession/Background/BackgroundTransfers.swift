// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
public import RestTransport
import Synchronization

/// Downloads and uploads of files that go on while the app does not run.
///
/// Make one object for an identifier at every launch, early: transfers of an earlier launch report to its handler. The
/// system sends the requests by itself, as often as it takes, follows redirects by itself and knows no deadline: give
/// it only what may be repeated, with a token that will still be good.
/// Apple's documentation: "Downloading files in the background".
public final class BackgroundTransfers: Sendable {
    private let session: URLSession
    private let delegate: BackgroundDelegate

    /// Joins or makes the background session of an identifier.
    ///
    /// - Parameters:
    ///   - identifier: the same at every launch, and unlike those of all other sessions.
    ///   - configuration: limits, trust and proxy.
    ///   - isDiscretionary: whether the system may wait for power and a good network.
    ///   - handler: called for every event, on a thread of the session.
    public init(
        identifier: String, configuration: SessionConfiguration = SessionConfiguration(),
        isDiscretionary: Bool = false, handler: @escaping @Sendable (BackgroundEvent) -> Void
    ) {
        delegate = BackgroundDelegate(configuration: configuration, handler: handler)
        let settings = URLSessionConfiguration.background(withIdentifier: identifier).plain(configuration)
        settings.isDiscretionary = isDiscretionary
        settings.sessionSendsLaunchEvents = true
        session = URLSession(
            configuration: settings.applying(configuration), delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Downloads a successful answer to a file, which appears when it is complete.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - path: where the file appears when it is complete.
    ///   - name: the caller's name of the transfer.
    /// - Throws: `.invalidRequest` for a request that must not be sent or has a body.
    public func download(_ request: HTTPRequest, to path: String, name: String) throws(TransportError) {
        guard request.body == .empty else { throw .invalidRequest("a background download has no body") }
        let message = try message(request)
        start(BackgroundTicket(name: name, path: path), session.downloadTask(with: message))
    }

    /// Uploads a file.
    ///
    /// - Parameters:
    ///   - request: what to send; its body is a file.
    ///   - name: the caller's name of the transfer.
    /// - Throws: `.invalidRequest` for a request that must not be sent or whose body is not a file; `.file` when it
    ///   cannot be read.
    public func upload(_ request: HTTPRequest, name: String) throws(TransportError) {
        guard case .file(let source) = request.body, source.range == nil else {
            throw .invalidRequest("a background upload needs a whole file as its body")
        }
        let message = try message(request)
        let file = URL(fileURLWithPath: source.path)
        start(BackgroundTicket(name: name), session.uploadTask(with: message, fromFile: file))
    }

    /// The names of the transfers that have not ended.
    public func pendingNames() async -> [String] {
        await session.allTasks.compactMap { BackgroundTicket(text: $0.taskDescription)?.name }
    }

    /// Ends the transfers of a name with `.cancelled`.
    public func cancel(name: String) async {
        for task in await session.allTasks where BackgroundTicket(text: task.taskDescription)?.name == name {
            task.cancel()
        }
    }

    /// Takes the completion handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// It is called on the main actor when every event was delivered. UIKit's handler is not `Sendable`, hence wrap it:
    /// `transfers.handleEvents { completionHandler() }`.
    public func handleEvents(completion: @escaping @MainActor () -> Void) {
        delegate.handOver(completion)
    }

    private func message(_ request: HTTPRequest) throws(TransportError) -> URLRequest {
        try request.validate()
        var message = try URLRequest(request)
        // The system tries again when nothing has moved for so long; there is no clock of our own.
        message.timeoutInterval = session.configuration.timeoutIntervalForRequest
        return message
    }

    private func start(_ ticket: BackgroundTicket, _ task: URLSessionTask) {
        task.taskDescription = ticket.text
        task.resume()
    }
}

/// What became of a background transfer.
public enum BackgroundEvent: Sendable {
    /// It has come so far.
    case progress(name: String, TransferProgress)
    /// It has ended; a download that succeeded is in its file and has no body here.
    case finished(name: String, Result<HTTPResponse, TransportError>)
}

/// Turns the callbacks of a background session into events.
final class BackgroundDelegate: NSObject, Sendable {
    private struct State {
        var handOver = BackgroundHandOver<@MainActor () -> Void>()
        /// Bodies of answers that are not files.
        var bodies: [Int: [UInt8]] = [:]
        /// Why a task failed for us although it succeeded for URLSession.
        var failures: [Int: TransportError] = [:]
    }

    private let configuration: SessionConfiguration
    private let handler: @Sendable (BackgroundEvent) -> Void
    private let state = Mutex(State())

    init(configuration: SessionConfiguration, handler: @escaping @Sendable (BackgroundEvent) -> Void) {
        self.configuration = configuration
        self.handler = handler
    }

    /// The system hands over the handler to call when all events were delivered.
    func handOver(_ completion: @escaping @MainActor () -> Void) {
        let ready = state.withLock { $0.handOver.handOver(completion) }
        call(ready)
    }

    /// Calls handlers of the system where it wants them called.
    private func call(_ completions: [@MainActor () -> Void]) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { for completion in completions { completion() } }
        }
    }

    private func report(_ task: URLSessionTask, _ progress: TransferProgress) {
        guard let ticket = BackgroundTicket(text: task.taskDescription) else { return }
        handler(.progress(name: ticket.name, progress))
    }

    private func note(_ failure: TransportError, of task: URLSessionTask) {
        state.withLock { $0.failures[task.taskIdentifier] = failure }
    }

    /// Keeps a piece of an answer that is no file; too much ends the task.
    private func keep(_ data: Data, of task: URLSessionTask) {
        let isTooLarge = state.withLock { state in
            let count = state.bodies[task.taskIdentifier, default: []].count
            guard data.count <= configuration.maximumBodyBytes - count else { return true }
            state.bodies[task.taskIdentifier, default: []] += data
            return false
        }
        guard isTooLarge else { return }
        let limit = configuration.maximumBodyBytes
        note(
            TransportError(.tooLarge, "the body is larger than \(limit) bytes", mayHaveReachedServer: true), of: task)
        task.cancel()
    }

    /// Moves a successful download to its place; the body of another answer is kept for the event.
    private func store(_ location: URL, of task: URLSessionTask) {
        guard let head = task.response.flatMap(HTTPResponse.Head.init), head.isSuccess else {
            guard let data = try? Data(contentsOf: location, options: .mappedIfSafe) else { return }
            return keep(data, of: task)
        }
        guard let path = BackgroundTicket(text: task.taskDescription)?.path else { return }
        do throws(TransportError) {
            try FileWriter.move(location.path, to: path)
        } catch {
            note(error, of: task)
        }
    }

    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
        let (body, failure) = state.withLock { state in
            (
                state.bodies.removeValue(forKey: task.taskIdentifier) ?? [],
                state.failures.removeValue(forKey: task.taskIdentifier)
            )
        }
        guard let ticket = BackgroundTicket(text: task.taskDescription) else { return }
        if let failure = failure ?? error.map({ TransportError(sessionError: $0) }) {
            return handler(.finished(name: ticket.name, .failure(failure)))
        }
        guard let head = task.response.flatMap(HTTPResponse.Head.init) else {
            let none = TransportError(.invalidResponse, "no response", mayHaveReachedServer: true)
            return handler(.finished(name: ticket.name, .failure(none)))
        }
        handler(.finished(name: ticket.name, .success(HTTPResponse(head: head, body: body))))
    }
}

extension BackgroundDelegate: URLSessionDownloadDelegate, URLSessionDataDelegate {
    /// The file is complete; it is gone when this returns.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        store(location, of: downloadTask)
    }

    /// A piece of a download was written.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let total = totalBytesExpectedToWrite < 0 ? nil : totalBytesExpectedToWrite
        report(downloadTask, TransferProgress(sentTotal: 0, received: totalBytesWritten, receivedTotal: total))
    }

    /// A piece of an upload has left.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(task, TransferProgress(sent: totalBytesSent, sentTotal: totalBytesExpectedToSend))
    }

    /// A piece of the answer to an upload is there.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        keep(data, of: dataTask)
    }

    /// The server asks for credentials, or for trust.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer = configuration.tls.answer(challenge) { reason in
            // The system may have sent the request before, on another connection.
            note(TransportError(.tls, reason, mayHaveReachedServer: true), of: task)
        }
        completionHandler(answer.disposition, answer.credential)
    }

    /// The task has ended.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task, error)
    }

    /// Every event was delivered: the system may put the app to sleep again.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        guard let completion = state.withLock({ $0.handOver.eventsEnded() }) else { return }
        call([completion])
    }
}
#endif
