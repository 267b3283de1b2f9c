// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
import RestTransport
import Synchronization

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
