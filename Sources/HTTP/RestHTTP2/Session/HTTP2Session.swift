// SPDX-License-Identifier: Apache-2.0

import CNGHTTP2
package import RestTransport

/// One side of an HTTP/2 connection, as a state machine without I/O.
///
/// Bytes from the peer go into ``receive(_:)`` and become events. Commands become bytes, which ``fill(_:)`` returns.
/// nghttp2 does the framing, the header compression and the checks of the protocol. Only one thread uses a session.
@safe package final class HTTP2Session {
    package enum Role: Sendable { case client, server }

    /// The state of an open stream.
    final class Entry {
        var queue = ByteQueue()
        /// Whether the body ends after the queue.
        var isFinished = false
        /// The trailers to send after the queue.
        var trailers: [HTTPFields.Field]?
        /// Whether nghttp2 waits for more bytes to send.
        var isDeferred = false
        var hasPeerEnded = false
        /// Whether the final head of the peer has arrived.
        var hasHead = false
        /// The lines of the head or the trailers that are arriving, and their size.
        var lines: [HTTPFields.Field] = []
        var headerBytes = 0
        /// The error for which this side resets the stream.
        var failure: HTTP2Error?
    }

    package let role: Role
    package let settings: HTTP2Settings
    let raw: OpaquePointer
    var entries: [Int32: Entry] = [:]
    var events: [HTTP2Event] = []
    package internal(set) var failure: HTTP2Error?
    /// nghttp2's last message about an error of the peer.
    var detail = ""
    /// Frames without data since the last frame with data or the last interval.
    var idleFrames = 0
    /// The bytes that arrived since the connection's window was last extended.
    var unreportedBytes = 0
    /// The rest of the buffer that ``fill(_:)`` is filling.
    var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Whether this side has sent GOAWAY on purpose.
    private var isLeaving = false

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
        unsafe room = buffer
        let result = unsafe nghttp2_session_send(raw)
        let left = unsafe room.count
        unsafe room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        guard result >= 0 else { throw fail(result) }
        return buffer.count - left
    }

    /// Moves the events since the last call into the array, which is emptied first.
    package func collect(into taken: inout [HTTP2Event]) {
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &events)
    }

    /// Whether nothing more can be sent or received.
    package var isOver: Bool {
        unsafe nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0
    }

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
    /// A closed stream discards them, and so do the other commands.
    package func send(_ stream: Int32, _ bytes: [UInt8], isEnd: Bool) {
        add(bytes, to: stream, isEnd: isEnd, trailers: nil)
    }

    package func finish(_ stream: Int32, trailers: HTTPFields) {
        add([], to: stream, isEnd: true, trailers: Array(trailers))
    }

    private func add(_ bytes: [UInt8], to stream: Int32, isEnd: Bool, trailers: [HTTPFields.Field]?) {
        guard let entry = entries[stream], !entry.isFinished else { return }
        entry.queue.append(bytes)
        (entry.isFinished, entry.trailers) = (isEnd, trailers)
        guard entry.isDeferred else { return }
        entry.isDeferred = false
        unsafe nghttp2_session_resume_data(raw, stream)
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

    package func ping() { unsafe nghttp2_submit_ping(raw, flag(NGHTTP2_FLAG_NONE), nil) }

    /// Announces that this side opens no more streams, and processes none that the peer opens from now on.
    package func leave() {
        isLeaving = true
        let last = unsafe nghttp2_session_get_last_proc_stream_id(raw)
        unsafe nghttp2_submit_goaway(raw, flag(NGHTTP2_FLAG_NONE), last, HTTP2ErrorCode.noError.rawValue, nil, 0)
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
