// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CoreFoundation
import Foundation
import RestTransport
import Synchronization

/// A streamed request body that goes through a pair of bound streams while it is made.
///
/// URLSession reads one end at the pace of the network; the other end is filled whenever it has room, so that a slow
/// network makes the maker wait.
final class StreamedBody: NSObject, StreamDelegate, Sendable {
    /// What the pair buffers, in bytes.
    private static let capacity = 64 * 1024

    fileprivate struct State {
        var input: InputStream?
        var output: OutputStream?
        /// What the output stream did not take of the last piece.
        var rest: ArraySlice<UInt8> = []
        /// Whether the rest of the body will never come; the streams then stay open until the task has ended, because
        /// their end would make half a body look like a whole one.
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

    // The stream does not keep its delegate alive.
    deinit { state.withLock { $0.closeOutput() } }

    /// Why the maker gave up before the end of the body.
    var failure: TransportError? { upstream.failure }

    /// Whether URLSession has taken the whole body; it cannot tell so of one without a length.
    var isHandedOver: Bool { state.withLock { !$0.isBroken && $0.output == nil } }

    /// The task that sends the body.
    ///
    /// It has the stream from its start and nobody to ask for another, so URLSession gives up where it would send the
    /// body twice by itself: each attempt has a task, and a body, of its own. (An upload task would ignore the
    /// request's own stream.)
    func task(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        state.withLock { state in
            var request = request
            request.httpBodyStream = state.input
            state.input = nil
            return session.dataTask(with: request)
        }
    }

    /// Takes the body from its maker until its end.
    ///
    /// - Returns: why the body will not be complete.
    func pump(_ pieces: HTTPBody.Source.Pieces) async -> TransportError? {
        await upstream.pump(pieces) { queue.async { self.fill() } }
    }

    /// Lets the maker go when the call is over.
    func close() {
        state.withLock { $0.isBroken = true }
        upstream.close()
    }

    /// Closes the streams when the task has ended.
    func discard() {
        close()
        state.withLock { state in
            state.input = nil
            state.closeOutput()
        }
    }

    /// The output stream has room, or is broken.
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: fill()
        case .errorOccurred, .endEncountered: close()
        default: break
        }
    }

    /// Fills the output stream; runs on the queue only.
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
                let piece = [UInt8](state.rest)
                guard !piece.isEmpty else { continue }
                let count = unsafe output.write(piece, maxLength: piece.count)
                guard count > 0 else { return state.isBroken = true }
                state.rest = state.rest.dropFirst(count)
            }
        }
    }
}

extension StreamedBody.State {
    /// Ends the body; the delegate is called no more.
    fileprivate mutating func closeOutput() {
        guard let output else { return }
        unsafe output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
        self.output = nil
    }
}

extension SessionCall {
    /// Launches the call and makes its body while it is sent, unless the call has ended by then.
    ///
    /// A body that fails to be made ends the call.
    func feed(_ source: HTTPBody.Source, _ pieces: HTTPBody.Source.Pieces, launch: @Sendable () -> Void) async {
        let body = StreamedBody(source)
        guard attach(body) else { return }
        launch()
        if let failure = await body.pump(pieces) { fail(failure) }
    }
}
#endif
