// SPDX-License-Identifier: Apache-2.0

import CNGHTTP2
import RestBase
import RestTransport

extension HTTP2Session {
    /// The number of bytes that nghttp2 counts for a header line in addition to its name and value.
    private static let lineOverhead = 32

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<HTTP2Session>.fromOpaque(context).takeUnretainedValue()
    }

    static func makeCallbacks() -> OpaquePointer? {
        var made: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&made) == 0, let callbacks = unsafe made else { return nil }
        unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, _, context in
            unsafe HTTP2Session.from(context)?.beginFrame() ?? 0
        }
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            guard let session = unsafe HTTP2Session.from(context), let frame = unsafe frame else { return 0 }
            unsafe session.beginHeaders(frame.pointee.hd.stream_id)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, valueCount, _, context in
            guard let session = unsafe HTTP2Session.from(context), let frame = unsafe frame else { return 0 }
            return unsafe session.receiveHeader(
                frame.pointee.hd.stream_id, UnsafeBufferPointer(start: name, count: nameCount),
                UnsafeBufferPointer(start: value, count: valueCount))
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            guard let session = unsafe HTTP2Session.from(context), let frame = unsafe frame else { return 0 }
            unsafe session.receiveFrame(frame)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _, _, stream, data, count, context in
            unsafe HTTP2Session.from(context)?.receiveData(stream, UnsafeBufferPointer(start: data, count: count))
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, context in
            unsafe HTTP2Session.from(context)?.close(stream, HTTP2ErrorCode(code))
            return 0
        }
        unsafe setSendingCallbacks(callbacks)
        return unsafe callbacks
    }

    private static func setSendingCallbacks(_ callbacks: OpaquePointer) {
        unsafe nghttp2_session_callbacks_set_send_callback(callbacks) { _, data, count, _, context in
            unsafe HTTP2Session.from(context)?.write(UnsafeRawBufferPointer(start: data, count: count))
                ?? Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, context in
            guard let session = unsafe HTTP2Session.from(context), let frame = unsafe frame else { return 0 }
            let head = unsafe frame.pointee.hd
            switch UInt32(head.type) {
            case NGHTTP2_GOAWAY.rawValue:
                unsafe session.noteLeaving(HTTP2ErrorCode(frame.pointee.goaway.error_code))
            case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue: session.noteFrameSent(head)
            default: break
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, context in
            guard let session = unsafe HTTP2Session.from(context), let frame = unsafe frame else { return 0 }
            // A request that was queued when the peer began to close the connection.
            let isHead = unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue
            if isHead, session.role == .client { unsafe session.close(frame.pointee.hd.stream_id, .refusedStream) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_error_callback2(callbacks) { _, code, text, count, context in
            // The message about a header quotes its value, which may be a secret.
            guard code != NGHTTP2_ERR_HTTP_HEADER.rawValue, let session = unsafe HTTP2Session.from(context),
                let text = unsafe text
            else { return 0 }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: min(count, 200))
            session.detail = unsafe String(decoding: bytes, as: UTF8.self)
            return 0
        }
    }

    // MARK: - Receiving

    /// Counts frames, of which a peer can send any number without data and without using its window.
    private func beginFrame() -> Int32 {
        idleFrames += 1
        guard idleFrames > settings.maximumIdleFrames else { return 0 }
        _ = fail(.flooded, "the peer sent \(idleFrames) frames without data")
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

    private func beginHeaders(_ stream: Int32) {
        if role == .server, entries[stream] == nil { entries[stream] = Entry() }
        guard let entry = entries[stream] else { return }
        (entry.lines, entry.headerBytes) = ([], 0)
    }

    private func receiveHeader(
        _ stream: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        guard let entry = entries[stream] else { return 0 }
        entry.headerBytes += name.count + value.count + Self.lineOverhead
        guard entry.headerBytes <= settings.maximumHeaderBytes, entry.lines.count < settings.maximumHeaderLines else {
            entry.lines = []
            entry.failure = HTTP2Error(
                .tooLarge,
                "the peer's headers exceed \(settings.maximumHeaderBytes) bytes"
                    + " or \(settings.maximumHeaderLines) lines")
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        entry.lines.append(
            HTTPFields.Field(
                name: unsafe String(decoding: name, as: UTF8.self), value: unsafe String(decoding: value, as: UTF8.self)
            ))
        return 0
    }

    private func receiveFrame(_ frame: UnsafePointer<nghttp2_frame>) {
        let head = unsafe frame.pointee.hd
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            receiveHead(head.stream_id)
            noteEnd(head)
        case NGHTTP2_DATA.rawValue: noteEnd(head)
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = unsafe frame.pointee.goaway
            let reason = unsafe UnsafeRawBufferPointer(
                start: goAway.opaque_data, count: min(goAway.opaque_data_len, 200))
            events.append(
                .goAway(
                    HTTP2ErrorCode(unsafe goAway.error_code), unsafe String(decoding: reason, as: UTF8.self)))
        default: break
        }
    }

    private func receiveHead(_ stream: Int32) {
        guard let entry = entries[stream], entry.failure == nil else { return }
        let lines = HTTPFields(entry.lines)
        entry.lines = []
        guard !entry.hasHead else { return events.append(.trailers(stream, lines)) }
        if role == .server {
            entry.hasHead = true
            events.append(.request(stream, HTTP2Request(lines: lines)))
        } else if let response = HTTP2Response(lines: lines) {
            guard response.status >= 200 else { return }
            entry.hasHead = true
            events.append(.response(stream, response))
        } else {
            entry.failure = HTTP2Error(.protocolViolation, "the status of the response is invalid")
            reset(stream, .protocolError)
        }
    }

    private func noteEnd(_ head: nghttp2_frame_hd) {
        guard head.flags & flag(NGHTTP2_FLAG_END_STREAM) != 0, let entry = entries[head.stream_id] else { return }
        entry.hasPeerEnded = true
        events.append(.end(head.stream_id))
    }

    private func receiveData(_ stream: Int32, _ data: UnsafeBufferPointer<UInt8>) {
        idleFrames = 0
        unreportedBytes += data.count
        guard entries[stream] != nil else { return }
        // The bytes of several frames become one event. The event gives up its array first, so that it is not copied.
        if case .data(stream, var bytes)? = events.last {
            events.removeLast()
            unsafe bytes.append(contentsOf: data)
            events.append(.data(stream, bytes))
        } else {
            events.append(.data(stream, unsafe Array(data)))
        }
    }

    private func close(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard let entry = entries.removeValue(forKey: stream) else { return }
        var error = entry.failure
        if error == nil, code == .refusedStream {
            error = .notProcessed
        } else if error == nil, code != .noError || !entry.isFinished || role == .client && !entry.hasPeerEnded {
            error = HTTP2Error(.reset(code), "the peer ended the stream early")
        }
        events.append(.closed(stream, error))
    }
}

// MARK: - Sending

extension HTTP2Session {
    /// Copies output into the buffer of `fill`, and returns the number of bytes that fit.
    private func write(_ output: UnsafeRawBufferPointer) -> Int {
        let count = unsafe min(output.count, room.count)
        guard count > 0 else { return Int(NGHTTP2_ERR_WOULDBLOCK.rawValue) }
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<count]))
        unsafe room = UnsafeMutableRawBufferPointer(rebasing: room[count...])
        return count
    }

    /// The source of the bytes of every body.
    private static var provider: nghttp2_data_provider {
        unsafe nghttp2_data_provider(source: nghttp2_data_source(ptr: nil)) {
            _, stream, buffer, count, flags, _, context in
            guard let session = unsafe HTTP2Session.from(context), let buffer = unsafe buffer, let flags = unsafe flags
            else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            return unsafe session.provide(stream, UnsafeMutableRawBufferPointer(start: buffer, count: count), flags)
        }
    }

    /// Passes the source of a body, or `nil` if there is none.
    func withProvider<Value>(
        isNeeded: Bool, _ body: (UnsafePointer<nghttp2_data_provider>?) -> Value
    ) -> Value {
        guard isNeeded else { return body(nil) }
        return unsafe withUnsafePointer(to: Self.provider) { unsafe body($0) }
    }

    private func provide(
        _ stream: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard let entry = entries[stream] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let bytes = entry.queue.content.prefix(buffer.count)
        if !bytes.isEmpty {
            unsafe buffer.copyBytes(from: bytes)
            entry.queue.removeFirst(bytes.count)
            idleFrames = 0
            noteSent(stream, bytes.count)
        }
        guard entry.queue.isEmpty else { return bytes.count }
        if entry.isFinished {
            unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            guard let trailers = entry.trailers else { return bytes.count }
            unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
            let result = unsafe try? withHeaders(trailers) { lines, count in
                unsafe nghttp2_submit_trailer(raw, stream, lines, count)
            }
            return result == 0 ? bytes.count : Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        guard bytes.isEmpty else { return bytes.count }
        entry.isDeferred = true
        return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }

    /// Stops the client's sending after the whole response, because no reader is left (RFC 9113 §8.1).
    private func noteFrameSent(_ head: nghttp2_frame_hd) {
        guard role == .server, head.flags & flag(NGHTTP2_FLAG_END_STREAM) != 0,
            let entry = entries[head.stream_id], !entry.hasPeerEnded
        else { return }
        reset(head.stream_id, .noError)
    }

    private func noteSent(_ stream: Int32, _ count: Int) {
        if case .sent(stream, let before)? = events.last {
            events[events.count - 1] = .sent(stream, before + count)
        } else {
            events.append(.sent(stream, count))
        }
    }

    /// Passes header lines in nghttp2's format, which copies them.
    ///
    /// - Throws: `.invalidUse` if a name or a value cannot be sent.
    func withHeaders<Value>(
        _ lines: [HTTPFields.Field], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Value
    ) throws(HTTP2Error) -> Value {
        if let invalid = lines.first(where: { !Self.isValid($0) }) {
            throw HTTP2Error(.invalidUse, "the header \(invalid.name.debugDescription) is invalid")
        }
        var text = lines.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
        return unsafe text.withUnsafeMutableBufferPointer { text in
            var position = text.baseAddress
            let pairs = unsafe lines.map { line in
                let (nameCount, valueCount) = (line.name.utf8.count, line.value.utf8.count)
                let name = unsafe position
                let value = unsafe name.map { unsafe $0 + nameCount }
                unsafe position = value.map { unsafe $0 + valueCount }
                return unsafe nghttp2_nv(
                    name: name, value: value, namelen: nameCount, valuelen: valueCount,
                    flags: UInt8(truncatingIfNeeded: NGHTTP2_NV_FLAG_NONE.rawValue))
            }
            return unsafe pairs.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
        }
    }

    /// Whether the line is a token, possibly after a colon, and a value without CR, LF and NUL.
    private static func isValid(_ line: HTTPFields.Field) -> Bool {
        let name = line.name.utf8.drop { $0 == UInt8(ascii: ":") }
        return !name.isEmpty && name.allSatisfy { ASCII.isTokenCharacter($0) }
            && line.value.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }
}
