// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
public import RestTransport
import Synchronization

/// Downloads and uploads files, also while the app is not running.
///
/// Create one object for each identifier early at every launch, because transfers of earlier launches report to its
/// handler. The system sends the requests, repeats them as often as necessary, follows redirects and has no deadline.
/// Use it only for requests that may be repeated, with a token that will still be valid. Apple's documentation:
/// "Downloading files in the background".
public final class BackgroundTransfers: Sendable {
    private let session: URLSession
    private let delegate: BackgroundDelegate

    /// Creates or reconnects to the background session of an identifier.
    ///
    /// - Parameters:
    ///   - identifier: the unique identifier of the session, the same at every launch.
    ///   - configuration: the limits, trust and proxy.
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

    deinit { session.finishTasksAndInvalidate() }

    /// Downloads a successful response to a file, which appears when it is complete.
    ///
    /// - Parameters:
    ///   - request: the request, without a body.
    ///   - path: the destination path.
    ///   - name: the caller's name for the transfer.
    /// - Throws: `.invalidRequest` if the request is invalid or has a body.
    public func download(_ request: HTTPRequest, to path: String, name: String) throws(TransportError) {
        guard request.body == .empty else { throw .invalidRequest("a background download cannot have a body") }
        let message = try message(request)
        start(BackgroundTicket(name: name, path: path), session.downloadTask(with: message))
    }

    /// Uploads a file.
    ///
    /// - Parameters:
    ///   - request: the request, whose body is a whole file.
    ///   - name: the caller's name for the transfer.
    /// - Throws: `.invalidRequest` if the request is invalid or its body is not a whole file. `.file` if the file
    ///   cannot be read.
    public func upload(_ request: HTTPRequest, name: String) throws(TransportError) {
        guard case .file(let source) = request.body, source.range == nil else {
            throw .invalidRequest("the body of a background upload must be a whole file")
        }
        let message = try message(request)
        let file = URL(fileURLWithPath: source.path)
        start(BackgroundTicket(name: name), session.uploadTask(with: message, fromFile: file))
    }

    /// Returns the names of the unfinished transfers.
    public func pendingNames() async -> [String] {
        await session.allTasks.compactMap { BackgroundTicket(text: $0.taskDescription)?.name }
    }

    /// Cancels the transfers of this name, which finish with `.cancelled`.
    public func cancel(name: String) async {
        for task in await session.allTasks where BackgroundTicket(text: task.taskDescription)?.name == name {
            task.cancel()
        }
    }

    /// Passes on the completion handler of `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// It is called on the main actor after all events have been delivered. UIKit's handler is not `Sendable`, so wrap
    /// it: `transfers.handleEvents { completionHandler() }`.
    public func handleEvents(completion: @escaping @MainActor () -> Void) {
        delegate.handOver(completion)
    }

    private func message(_ request: HTTPRequest) throws(TransportError) -> URLRequest {
        try request.validate()
        var message = try URLRequest(request)
        // The system retries after this time without progress. Background transfers have no deadline.
        message.timeoutInterval = session.configuration.timeoutIntervalForRequest
        return message
    }

    private func start(_ ticket: BackgroundTicket, _ task: URLSessionTask) {
        task.taskDescription = ticket.text
        task.resume()
    }
}

/// A progress report or the result of a background transfer.
public enum BackgroundEvent: Sendable {
    /// The progress of a transfer.
    case progress(name: String, TransferProgress)
    /// The result of a transfer. The body of a successful download is in its file and not in the response.
    case finished(name: String, Result<HTTPResponse, TransportError>)
}

final class BackgroundDelegate: NSObject, Sendable {
    private struct State {
        var handOver = BackgroundHandOver<@MainActor () -> Void>()
        /// The bodies of responses that are not stored in files.
        var bodies: [Int: [UInt8]] = [:]
        /// The errors of tasks that succeeded for URLSession.
        var failures: [Int: TransportError] = [:]
    }

    private let configuration: SessionConfiguration
    private let handler: @Sendable (BackgroundEvent) -> Void
    private let state = Mutex(State())

    init(configuration: SessionConfiguration, handler: @escaping @Sendable (BackgroundEvent) -> Void) {
        self.configuration = configuration
        self.handler = handler
    }

    func handOver(_ completion: @escaping @MainActor () -> Void) {
        let ready = state.withLock { $0.handOver.handOver(completion) }
        call(ready)
    }

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

    /// Stores a chunk of a response that is not downloaded to a file, and cancels the task at the size limit.
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

    /// Moves a successful download to its destination, and otherwise stores the body for the event.
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
            let none = TransportError(.invalidResponse, "the server sent no response", mayHaveReachedServer: true)
            return handler(.finished(name: ticket.name, .failure(none)))
        }
        handler(.finished(name: ticket.name, .success(HTTPResponse(head: head, body: body))))
    }
}

extension BackgroundDelegate: URLSessionDownloadDelegate, URLSessionDataDelegate {
    /// Stores the file, which the system deletes after this callback.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        store(location, of: downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let total = totalBytesExpectedToWrite < 0 ? nil : totalBytesExpectedToWrite
        report(downloadTask, TransferProgress(sentTotal: 0, received: totalBytesWritten, receivedTotal: total))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        report(task, TransferProgress(sent: totalBytesSent, sentTotal: totalBytesExpectedToSend))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        keep(data, of: dataTask)
    }

    /// Responds to a request for credentials or trust.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let response = configuration.tls.respond(challenge) { reason in
            // The system may have sent the request before on another connection.
            note(TransportError(.tls, reason, mayHaveReachedServer: true), of: task)
        }
        completionHandler(response.disposition, response.credential)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task, error)
    }

    /// Calls the handler that allows the system to suspend the app.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        guard let completion = state.withLock({ $0.handOver.eventsEnded() }) else { return }
        call([completion])
    }
}
#endif
