// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
public import RestTransport

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
#endif
