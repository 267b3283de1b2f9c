// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CoreFoundation
import Foundation
import RestTransport
import Synchronization

/// A streamed request body that is sent through a pair of bound streams.
///
/// URLSession reads one end at the speed of the network. The other end is filled whenever it has room, so a slow
/// network makes the source wait.
final class StreamedBody: NSObject, StreamDelegate, Sendable {
    /// The buffer size of the pair, in bytes.
    private static let capacity = 64 * 1024

    fileprivate struct State {
        var input: InputStream?
        var output: OutputStream?
        /// The bytes of the last chunk that the output stream did not accept.
        var rest: ArraySlice<UInt8> = []
        /// Whether the body will never be complete.
        ///
        /// The streams then stay open until the task has ended, because closing them would make the body appear
        /// complete.
        var isBroken = false
    }

    private let upstream: Upstream
    private let queue = DispatchQueue(label: "url-session-body")
    private let state: Mutex<State>

    init(_ source: HTTPBody.Source) {
        upstream = Upstream(source)
        var input: InputStream?
        var output: OutputStream?
        unsafe Stream.getBoundStreams(withBufferSize: Self.capacity, inputStream: &input, outputStream: &output)
        state = Mutex(State(input: input, output: output))
        super.init()
        state.withLock { state in
            guard let output = state.output else { return }
            unsafe output.delegate = self
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
            output.open()
        }
    }

    // The stream does not retain its delegate.
    deinit { state.withLock { $0.closeOutput() } }

    /// The reason why the body is incomplete.
    var failure: TransportError? { upstream.failure }

    /// Whether URLSession has taken the whole body, which it does not report for a body without a length.
    var isHandedOver: Bool { state.withLock { !$0.isBroken && $0.output == nil } }

    /// Returns the task that sends the body.
    ///
    /// The task gets the stream at the start and cannot ask for another, so URLSession fails instead of sending the
    /// body a second time. Each attempt has its own task and body. An upload task would ignore the request's stream.
    func task(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        state.withLock { state in
            var request = request
            request.httpBodyStream = state.input
            state.input = nil
            return session.dataTask(with: request)
        }
    }

    /// Reads the source until its end.
    ///
    /// - Returns: the reason why the body is incomplete, or `nil`.
    func pump(_ chunks: HTTPBody.Source.Chunks) async -> TransportError? {
        await upstream.pump(chunks) { queue.async { self.fill() } }
    }

    /// Resumes the source after the call is over.
    func close() {
        state.withLock { $0.isBroken = true }
        upstream.close()
    }

    /// Closes the streams after the task has ended.
    func discard() {
        close()
        state.withLock { state in
            state.input = nil
            state.closeOutput()
        }
    }

    /// Handles room in the output stream, or its failure.
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: fill()
        case .errorOccurred, .endEncountered: close()
        default: break
        }
    }

    /// Fills the output stream, and runs only on the queue.
    private func fill() {
        state.withLock { state in
            while !state.isBroken, let output = state.output, output.hasSpaceAvailable {
                if state.rest.isEmpty {
                    switch upstream.read(upTo: Self.capacity) {
                    case .bytes(let bytes): state.rest = bytes
                    case .pause: return
                    case .end: return state.closeOutput()
                    case .abort: state.isBroken = true
                    }
                }
                let chunk = [UInt8](state.rest)
                guard !chunk.isEmpty else { continue }
                let count = unsafe output.write(chunk, maxLength: chunk.count)
                guard count > 0 else { return state.isBroken = true }
                state.rest = state.rest.dropFirst(count)
            }
        }
    }
}

extension StreamedBody.State {
    /// Ends the body and removes the delegate.
    fileprivate mutating func closeOutput() {
        guard let output else { return }
        unsafe output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
        self.output = nil
    }
}

extension SessionCall {
    /// Starts the call and reads the source while the body is sent, unless the call is already over.
    ///
    /// An error of the source ends the call.
    func feed(_ source: HTTPBody.Source, _ chunks: HTTPBody.Source.Chunks, launch: @Sendable () -> Void) async {
        let body = StreamedBody(source)
        guard attach(body) else { return }
        launch()
        if let failure = await body.pump(chunks) { fail(failure) }
    }
}
#endif
