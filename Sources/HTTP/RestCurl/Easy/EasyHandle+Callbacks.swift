// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension EasyHandle {
    /// Registers libcurl's callbacks with this object, which must outlive the use of the libcurl handle.
    func setCallbacks(errorText: UnsafeMutablePointer<CChar>) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_READDATA, CURLOPT_PREREQDATA] {
            unsafe ccurl_set_pointer(raw, option, context)
        }
        unsafe ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        unsafe headLines.deliver(from: raw, context: context) { bytes, size, count, context in
            unsafe EasyHandle.from(context)?.receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        } body: { bytes, size, count, context in
            unsafe EasyHandle.from(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        unsafe ccurl_set_data(raw, CURLOPT_READFUNCTION) { bytes, size, count, context in
            unsafe EasyHandle.from(context)?
                .send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                ?? Int(CURL_READFUNC_ABORT)
        }
        unsafe ccurl_set_prereq(raw) { context, address, _, port, localPort in
            guard let handle = unsafe EasyHandle.from(context), let address = unsafe address else {
                return CURL_PREREQFUNC_ABORT
            }
            let ends = ConnectionTable.Ends(address: unsafe String(cString: address), port: port, localPort: localPort)
            return handle.leave(on: ends) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        unsafe setSocketCallbacks(context: context)
    }

    private func setSocketCallbacks(context: UnsafeMutableRawPointer) {
        unsafe ccurl_set_pointer(raw, CURLOPT_OPENSOCKETDATA, context)
        unsafe ccurl_set_open(raw) { context, _, address in
            guard let handle = unsafe EasyHandle.from(context) else { return -1 }
            // Regardless of the resolver, `localhost` is this machine (RFC 6761 §6.3).
            if handle.applied.url?.origin.host == "localhost", unsafe ccurl_is_loopback(address) == 0 { return -1 }
            let socket = unsafe ccurl_open_socket(address)
            handle.openedSockets.append(socket)
            return socket
        }
        // Connections outlive the handle that opened them, so the close callback uses the table.
        unsafe ccurl_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(connections).toOpaque())
        unsafe ccurl_set_close(raw) { context, socket in
            if let context = unsafe context {
                unsafe Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue().remove(socket)
            }
            return ccurl_close(socket)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    var progress: TransferProgress {
        TransferProgress(
            sent: sentBytes, sentTotal: sentTotal, received: Int64(receiver.byteCount),
            receivedTotal: receiver.announcedBytes)
    }

    /// Decides, before libcurl sends the request, whether it may be sent on this connection.
    private func leave(on ends: ConnectionTable.Ends) -> Bool {
        guard !connectsOnly else {
            hasNegotiatedHTTP2 = isHTTP2Negotiated
            return true
        }
        let isNew = !openedSockets.isEmpty
        if isNew {
            connections.add(
                ends, candidates: openedSockets, isQuiet: isPlain, isMultiplexed: isHTTP2Negotiated)
            openedSockets.removeAll(keepingCapacity: true)
        }
        let connection = connections.connection(between: ends)
        let isMultiplexed = connection?.isMultiplexed ?? isHTTP2Negotiated
        if !isNew, !hasLeft, !isMultiplexed, !isFree(connection) {
            isConnectionUnclean = true
            return false
        }
        guard let transfer, transfer.leave() else { return false }
        receiver.expect(isHTTP2: isMultiplexed)
        leaves(on: connection)
        if isMultiplexed, let line, line.widen() { turn.widened.append(line) }
        hasLeft = true
        noteActivity()
        return true
    }

    /// Whether the next response on a reused HTTP/1.1 connection can only belong to this request.
    ///
    /// libcurl 7.88 trusts a response that claims to be HTTP/2, and then sends to the same host while another request
    /// is in flight.
    private func isFree(_ connection: ConnectionTable.Connection?) -> Bool {
        guard let connection else { return false }
        // The connection has received a response, although its user may not have it yet.
        connection.isQuiet = true
        guard !connections.hasInput(connection, in: turn) else { return false }
        guard !isPlain else { return true }
        if let user = connection.user, unsafe connections.tls.isConnected(user.raw) { return false }
        return unsafe !connections.tls.holdsInput(raw)
    }

    /// Whether the request is sent without TLS, and therefore with HTTP/1.1.
    private var isPlain: Bool { applied.url?.origin.scheme == .http }

    /// Whether the current connection negotiated HTTP/2, regardless of what its responses claim.
    private var isHTTP2Negotiated: Bool { unsafe !isPlain && connections.tls.speaksHTTP2(raw) }

    /// Marks the connection as quiet after an HTTP/1.1 response over TLS.
    func noteResponse() {
        guard let connection, !connection.isMultiplexed else { return }
        connection.isQuiet = true
    }

    private func noteActivity() {
        if configuration.idleTimeout != nil || configuration.firstByteTimeout != nil { lastActivity = turn.start }
    }

    private func receiveHead(_ head: UnsafeRawBufferPointer) -> Int {
        switch unsafe receiver.receiveHead(head) {
        case .refused, .pause: return 0
        case .accepted: break
        case .headComplete:
            headLines.end()
            noteActivity()
            if receiver.isOdd { forbidReuse() }
            if case .reader? = transfer?.destination { transfer?.deliverHead(receiver.head) }
        }
        return head.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch unsafe receiver.receiveBody(bytes) {
        case .refused: return 0
        case .pause:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .accepted, .headComplete: break
        }
        noteActivity()
        reporter?.report(progress)
        return bytes.count
    }

    /// Releases the body after all of it was passed to libcurl, or if no more will be.
    func endSending() { sender = .none }

    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count: Int
        do throws(TransportError) {
            count = unsafe try sender.read(into: buffer)
        } catch {
            sendingFailure = error
            return Int(CURL_READFUNC_ABORT)
        }
        if count == Int(CURL_READFUNC_PAUSE) { isPaused = true }
        if (0...buffer.count).contains(count) {
            sentBytes += Int64(count)
            if count == 0 || sentBytes == sentTotal { endSending() }
            noteActivity()
            reporter?.report(progress)
        }
        return count
    }
}

extension EasyHandle {
    /// The maximum size of a body that is passed to libcurl at once, so that it is sent together with the head.
    private static let inlineBodyBytes = 64 * 1024

    /// Sets the options that apply to every transfer.
    ///
    /// - Throws: `.tls` if libcurl does not support the configuration.
    func setConstantOptions() throws(TransportError) {
        unsafe ccurl_restrict_protocols(raw)
        unsafe ccurl_abandon_resolver(raw)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROGRESS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_UPLOAD_BUFFERSIZE, 64 * 1024)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        unsafe ccurl_set_address(raw, address.raw)
        setProxyLogin(configuration.proxy)
        try setTrust(configuration.tls)
    }

    /// Sets the proxy, where an empty name disables the proxies of the environment and NULL enables them.
    private func setProxy(for origin: Origin) {
        switch configuration.proxy {
        case .environment where !origin.isLoopback:
            set(CURLOPT_PROXY, nil)
            set(CURLOPT_NOPROXY, ProxyExceptions.environment?.list(for: origin))
        case .server(let proxy, let exceptions, _) where !origin.isLoopback:
            set(CURLOPT_PROXY, proxy.origin.descriptionWithPort)
            set(CURLOPT_NOPROXY, ProxyExceptions(exceptions).list(for: origin))
        case .environment, .none, .server:
            set(CURLOPT_PROXY, "")
        }
    }

    private func setProxyLogin(_ proxy: CurlConfiguration.Proxy) {
        guard case .server(_, _, let login?) = proxy else { return }
        set(CURLOPT_PROXYUSERNAME, login.user)
        set(CURLOPT_PROXYPASSWORD, login.password)
    }

    func setBufferSize(for transfer: Transfer) {
        let size = ReceiveBufferSize.bytes(for: transfer.destination)
        guard size != applied.bufferSize else { return }
        applied.bufferSize = size
        set(CURLOPT_BUFFERSIZE, size)
    }

    /// Sets the options of a request that differ from those of the last transfer.
    func setRequest(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        if request.url != applied.url { try setURL(request.url) }
        let isPlainGet = request.method == .get && request.body == .empty
        if !isPlainGet || !applied.isPlainGet {
            applied.isPlainGet = isPlainGet
            try setMethodAndBody(request, upstream: upstream)
        }
        if fieldLines.take(from: request) {
            unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, fieldLines.list)
        }
    }

    func setURL(_ url: HTTPURL) throws(TransportError) {
        try address.parse(url)
        if url.origin != applied.url?.origin {
            setVersion(for: url.origin)
            setProxy(for: url.origin)
        }
        applied.url = url
    }

    /// Enables HTTP/2 only over TLS, where it is negotiated, so that a plain response cannot switch libcurl to HTTP/2.
    private func setVersion(for origin: Origin) {
        let mayBeHTTP2 = origin.scheme == .https && connections.tls.isKnown
        set(CURLOPT_HTTP_VERSION, Int(mayBeHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        set(CURLOPT_PIPEWAIT, mayBeHTTP2 ? 1 : 0)
    }

    private func setMethodAndBody(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        set(CURLOPT_HTTPGET, 1)
        if request.method == .head {
            guard request.body == .empty else { throw .invalidRequest("a HEAD request cannot have a body") }
            set(CURLOPT_NOBODY, 1)
        } else if request.method != .get || request.body != .empty {
            try setBody(request, upstream: upstream)
        }
        set(
            CURLOPT_CUSTOMREQUEST,
            [.get, .head].contains(request.method) && request.body == .empty ? nil : request.method.rawValue)
    }

    /// Sets the body, which makes the request a POST for libcurl, although its method name may differ.
    private func setBody(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        sender = try BodySender(request.body, upstream: upstream)
        sentTotal = sender.length
        guard BodyFraming(of: request) != .none else { return }
        set(CURLOPT_POST, 1)
        if case .bytes(let bytes, _) = sender, bytes.count <= Self.inlineBodyBytes {
            sender = .none
            sentBytes = Int64(bytes.count)
            setOffset(CURLOPT_POSTFIELDSIZE_LARGE, sentBytes)
            unsafe bytes.withUnsafeBytes { buffer in
                _ = unsafe ccurl_set_pointer(
                    raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: buffer.baseAddress))
            }
        } else {
            unsafe ccurl_set_pointer(raw, CURLOPT_POSTFIELDS, nil)
            setOffset(CURLOPT_POSTFIELDSIZE_LARGE, sentTotal ?? -1)
        }
        // libcurl does not call the read function for an empty body.
        if sentTotal == 0 { endSending() }
    }

    @discardableResult
    func set(_ option: CURLoption, _ value: Int) -> CURLcode {
        unsafe ccurl_set_long(raw, option, value)
    }

    private func setOffset(_ option: CURLoption, _ value: Int64) {
        unsafe ccurl_set_offset(raw, option, curl_off_t(value))
    }

    @discardableResult
    func set(_ option: CURLoption, _ value: String?) -> CURLcode {
        guard let value else { return unsafe ccurl_set_string(raw, option, nil) }
        return unsafe value.withCString { text in unsafe ccurl_set_string(raw, option, text) }
    }
}

extension Duration {
    /// The duration in whole milliseconds, clamped to the range from 1 to what libcurl accepts.
    var milliseconds: Int {
        let parts = components
        let seconds = min(max(parts.seconds, 0), 1_000_000)
        return max(1, Int(seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}
