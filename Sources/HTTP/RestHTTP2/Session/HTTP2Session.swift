// SPDX-License-Identifier: Apache-2.0

import CNGHTTP2
package import RestTransport

/// One side of an HTTP/2 connection, as a state machine without I/O.
///
/// Bytes from the peer go into ``receive(_:)`` and become events. Commands become bytes, which ``fill(_:)`` returns.
/// nghttp2 does the framing, the header compression and the checks of the protocol. Only one thread uses a session.
@safe package final class HTTP2Session {
    package enum Role: Sendable {
        case client
        case server
    }

    /// The state of an open stream.
    final class Entry {
        /// The chunks to send, from the index `first`, whose first `offset` bytes were sent.
        private var chunks: [[UInt8]] = []
        private var first = 0
        private var offset = 0
        /// Whether the body ends after the chunks.
        var isFinished = false
        /// The trailers to send after the chunks.
        var trailers: [HTTPFields.Field]?
        /// Whether nghttp2 waits for more bytes to send.
        var isDeferred = false
        /// Whether the peer has finished sending.
        var hasPeerEnded = false
        /// Whether the final head of the peer has arrived.
        var hasHead = false
        /// The lines of the head or the trailers that are arriving, and their size.
        var lines: [HTTPFields.Field] = []
        var headerBytes = 0
        /// The error for which this side resets the stream.
        var failure: HTTP2Error?
        /// The index of the event with the stream's bytes among the events that were not collected yet.
        var dataEvent: Int?
        /// The index of the event with the number of sent bytes.
        var sentEvent: Int?

        var isEmpty: Bool { first == chunks.count }

        func append(_ bytes: [UInt8]) {
            if !bytes.isEmpty { chunks.append(bytes) }
        }

        /// Moves as many bytes as fit into the buffer.
        func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            var count = 0
            while first < chunks.count, count < buffer.count {
                let step = min(chunks[first].count - offset, buffer.count - count)
                unsafe chunks[first].withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + step])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + step]))
                }
                (count, offset) = (count + step, offset + step)
                guard offset == chunks[first].count else { break }
                chunks[first] = []
                (first, offset) = (first + 1, 0)
            }
            if first == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                first = 0
            }
            return count
        }
    }

    package let role: Role
    package let settings: HTTP2Settings
    let raw: OpaquePointer
    var entries: [Int32: Entry] = [:]
    var events: [HTTP2Event] = []
    /// The streams whose bytes or counts are in events that were not collected yet.
    var touched: [Int32] = []
    /// The error that ended the session.
    package internal(set) var failure: HTTP2Error?
    /// nghttp2's last message about an error of the peer.
    var detail = ""
    /// Frames without data since the last frame with data or the last interval.
    var idleFrames = 0
    /// The bytes that arrived since the connection's window was last extended.
    var unreportedBytes = 0
    /// Whether this side has sent GOAWAY on purpose.
    private var isLeaving = false
    /// The rest of the bytes that nghttp2 last returned, which are valid until it is asked again.
    private var rest: UnsafeRawBufferPointer?

    /// Creates a session, whose first output is the preface with the settings.
    ///
    /// - Throws: `HTTP2Error` if there is no memory.
    package init(_ role: Role, settings: HTTP2Settings = HTTP2Settings()) throws(HTTP2Error) {
        guard let callbacks = unsafe Self.makeCallbacks() else { throw Self.noMemory }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        var option: OpaquePointer?
        guard unsafe nghttp2_option_new(&option) == 0 else { throw Self.noMemory }
        defer { unsafe nghttp2_option_del(option) }
        unsafe nghttp2_option_set_no_auto_window_update(option, 1)
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        unsafe nghttp2_option_set_max_outbound_ack(option, settings.maximumQueuedFrames)
        // The context is set below, because `self` is not complete yet.
        var raw: OpaquePointer?
        let result =
            unsafe role == .client
            ? nghttp2_session_client_new2(&raw, callbacks, nil, option)
            : nghttp2_session_server_new2(&raw, callbacks, nil, option)
        guard result == 0, let raw = unsafe raw else { throw Self.noMemory }
        (self.role, self.settings) = (role, settings)
        unsafe self.raw = raw
        unsafe nghttp2_session_set_user_data(raw, Unmanaged.passUnretained(self).toOpaque())
        try sendPreface()
    }

    deinit {
        unsafe nghttp2_session_del(raw)
    }

    private static let noMemory = HTTP2Error(.invalidUse, "no memory left for an HTTP/2 session")

    private func sendPreface() throws(HTTP2Error) {
        func entry(_ name: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
            nghttp2_settings_entry(settings_id: Int32(name.rawValue), value: UInt32(clamping: min(value, 0x7FFF_FFFF)))
        }
        let values = [
            entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.maximumStreams),
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.streamWindow),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maximumHeaderBytes),
        ].dropFirst(role == .client ? 0 : 1)
        try check(
            unsafe Array(values).withUnsafeBufferPointer { values in
                unsafe nghttp2_submit_settings(raw, flag(NGHTTP2_FLAG_NONE), values.baseAddress, values.count)
            })
        let window = Int32(clamping: max(settings.connectionWindow, 65_535))
        try check(unsafe nghttp2_session_set_local_window_size(raw, flag(NGHTTP2_FLAG_NONE), 0, window))
    }

    // MARK: - Input and output

    /// Processes bytes from the peer.
    ///
    /// - Throws: `HTTP2Error` if the session cannot continue. An error of the peer may also be reported by ``failure``,
    ///   after the output that tells the peer.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        if let failure { throw failure }
        let data = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        let result = unsafe nghttp2_session_mem_recv(raw, data, bytes.count)
        if let failure { throw failure }
        guard result >= 0 else { throw fail(Int32(clamping: result)) }
        if unreportedBytes > 0 {
            unsafe nghttp2_session_consume_connection(raw, unreportedBytes)
            unreportedBytes = 0
        }
        let limit = settings.maximumQueuedFrames + 4 * entries.count
        if unsafe nghttp2_session_get_outbound_queue_size(raw) > limit {
            throw fail(.flooded, "the peer causes frames and reads none")
        }
    }

    /// Writes frames into the buffer and returns their size, which is 0 if there is nothing to send now.
    ///
    /// - Throws: `HTTP2Error` if the session cannot continue.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var count = 0
        while count < buffer.count {
            if unsafe rest == nil {
                var data: UnsafePointer<UInt8>?
                let size = unsafe nghttp2_session_mem_send(raw, &data)
                guard size >= 0 else { throw fail(Int32(clamping: size)) }
                guard size > 0, let data = unsafe data else { break }
                unsafe rest = UnsafeRawBufferPointer(start: data, count: size)
            }
            guard let bytes = unsafe rest else { break }
            let step = min(bytes.count, buffer.count - count)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + step])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<step]))
            unsafe rest = step == bytes.count ? nil : UnsafeRawBufferPointer(rebasing: bytes[step...])
            count += step
        }
        return count
    }

    /// Moves the events since the last call into the array, which is emptied first.
    package func collect(into taken: inout [HTTP2Event]) {
        for stream in touched {
            guard let entry = entries[stream] else { continue }
            (entry.dataEvent, entry.sentEvent) = (nil, nil)
        }
        touched.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &events)
    }

    /// Whether nothing more can be sent or received.
    package var isOver: Bool {
        unsafe rest == nil && nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0
    }

    /// Whether there may be bytes to send.
    package var hasOutput: Bool { unsafe rest != nil || nghttp2_session_want_write(raw) != 0 }

    /// The number of streams that are not closed.
    package var openStreams: Int { entries.count }

    /// Begins an interval, in which the peer may again send ``HTTP2Settings/maximumIdleFrames``.
    package func beginInterval() { idleFrames = 0 }

    // MARK: - Commands

    /// Opens a stream and returns its identifier.
    ///
    /// - Throws: `HTTP2Error` if a header is invalid, or if the connection has no identifiers left.
    package func open(_ request: HTTP2Request, isEnd: Bool) throws(HTTP2Error) -> Int32 {
        let stream = unsafe try withHeaders(request.lines) { lines, count in
            unsafe withProvider(isNeeded: !isEnd) { unsafe nghttp2_submit_request(raw, nil, lines, count, $0, nil) }
        }
        guard stream > 0 else {
            throw HTTP2Error(.refused, "the connection has no stream left: \(Self.text(stream)); use a new one")
        }
        let entry = Entry()
        entry.isFinished = isEnd
        entries[stream] = entry
        return stream
    }

    /// Sends the response head of a stream, which is the whole response if `isEnd` is `true`.
    package func respond(_ stream: Int32, _ response: HTTP2Response, isEnd: Bool) throws(HTTP2Error) {
        guard let entry = entries[stream] else { return }
        entry.isFinished = isEnd
        unsafe try check(
            withHeaders(response.lines) { lines, count in
                unsafe withProvider(isNeeded: !isEnd) { unsafe nghttp2_submit_response(raw, stream, lines, count, $0) }
            })
    }

    /// Sends bytes of a body, the last ones if `isEnd` is `true`.
    ///
    /// A closed stream discards them.
    package func send(_ stream: Int32, _ bytes: [UInt8], isEnd: Bool) {
        guard let entry = entries[stream], !entry.isFinished else { return }
        entry.append(bytes)
        entry.isFinished = isEnd
        resume(stream, entry)
    }

    /// Ends a body with trailers.
    ///
    /// A closed stream discards them.
    package func finish(_ stream: Int32, trailers: HTTPFields) {
        guard let entry = entries[stream], !entry.isFinished else { return }
        entry.isFinished = true
        entry.trailers = Array(trailers)
        resume(stream, entry)
    }

    /// Extends the window of a stream by bytes that its reader has taken.
    package func consume(_ stream: Int32, _ count: Int) {
        unsafe nghttp2_session_consume_stream(raw, stream, count)
    }

    /// Resets a stream, which is closed when the frame has been written to the output.
    package func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard entries[stream] != nil else { return }
        unsafe nghttp2_submit_rst_stream(raw, flag(NGHTTP2_FLAG_NONE), stream, code.rawValue)
    }

    /// Sends a PING, whose response is the event `pong`.
    package func ping() { unsafe nghttp2_submit_ping(raw, flag(NGHTTP2_FLAG_NONE), nil) }

    /// Announces that this side opens no more streams, and processes none that the peer opens from now on.
    package func leave() {
        isLeaving = true
        let last = unsafe nghttp2_session_get_last_proc_stream_id(raw)
        unsafe nghttp2_submit_goaway(raw, flag(NGHTTP2_FLAG_NONE), last, HTTP2ErrorCode.noError.rawValue, nil, 0)
    }

    private func resume(_ stream: Int32, _ entry: Entry) {
        guard entry.isDeferred else { return }
        entry.isDeferred = false
        unsafe nghttp2_session_resume_data(raw, stream)
    }

    // MARK: - Errors

    func fail(_ code: HTTP2Error.Code, _ message: String) -> HTTP2Error {
        let error = failure ?? HTTP2Error(code, message)
        failure = error
        return error
    }

    private func fail(_ result: Int32) -> HTTP2Error {
        let isFlood = result == NGHTTP2_ERR_FLOODED.rawValue
        return fail(isFlood ? .flooded : .protocolViolation, detail.isEmpty ? Self.text(result) : detail)
    }

    private func check(_ result: Int32) throws(HTTP2Error) {
        guard result < 0 else { return }
        throw HTTP2Error(.invalidUse, "nghttp2 rejects a frame: \(Self.text(result))")
    }

    /// Stores the error for which nghttp2 has just told the peer that the connection ends.
    func noteLeaving(_ code: HTTP2ErrorCode) {
        guard code != .noError, !isLeaving else { return }
        _ = fail(
            code == .enhanceYourCalm ? .flooded : .protocolViolation,
            "the peer violated HTTP/2 (\(code))\(detail.isEmpty ? "" : ": \(detail)")")
    }

    private static func text(_ result: Int32) -> String { unsafe String(cString: nghttp2_strerror(result)) }
}

func flag(_ value: nghttp2_flag) -> UInt8 { UInt8(truncatingIfNeeded: value.rawValue) }
