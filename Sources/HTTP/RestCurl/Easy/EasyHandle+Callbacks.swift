// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension EasyHandle {
    /// Points libcurl's callbacks at this object, which outlives the libcurl handle's use.
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
            // Whatever a resolver says, `localhost` is this machine (RFC 6761 6.3).
            if handle.applied.url?.origin.host == "localhost", unsafe ccurl_is_loopback(address) == 0 { return -1 }
            let socket = unsafe ccurl_open_socket(address)
            handle.openedSockets.append(socket)
            return socket
        }
        // Connections outlive the handle they were made for, so closing goes to the table itself.
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

    /// How far the transfer has come.
    var progress: TransferProgress {
        TransferProgress(
            sent: sentBytes, sentTotal: sentTotal, received: Int64(receiver.byteCount),
            receivedTotal: receiver.announcedBytes)
    }

    /// Asks for the one permission to send the request on this connection.
    private func leave(on ends: ConnectionTable.Ends) -> Bool {
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

    /// Whether the next answer over an HTTP/1.1 connection, which was used before, can only be the one to this request.
    ///
    /// libcurl 7.88 believes an answer that calls itself HTTP/2: it then sends to the same host while another request
    /// is on its way.
    private func isFree(_ connection: ConnectionTable.Connection?) -> Bool {
        guard let connection else { return false }
        // It has had an answer, which its user may not have got yet.
        connection.isQuiet = true
        guard !connections.hasInput(connection, in: turn) else { return false }
        guard !isPlain else { return true }
        if let user = connection.user, unsafe connections.tls.isConnected(user.raw) { return false }
        return unsafe !connections.tls.holdsInput(raw)
    }

    /// Whether the request goes without TLS, hence by HTTP/1.1.
    private var isPlain: Bool { applied.url?.origin.scheme == .http }

    /// Whether the connection at hand speaks HTTP/2: what was negotiated says so, not what comes over it.
    private var isHTTP2Negotiated: Bool { unsafe !isPlain && connections.tls.speaksHTTP2(raw) }

    /// Tells the table when an answer came by HTTP/1 over TLS.
    func noteAnswer() {
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

    /// Lets go of the body: everything was handed to libcurl, or nothing more will be.
    func endSending() {
        sender = .none
    }

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
    /// The largest body that is handed to libcurl at once, so that it leaves in one packet train with the header.
    private static let inlineBodyBytes = 64 * 1024

    /// Options that hold for every transfer.
    ///
    /// - Throws: `.tls` when libcurl cannot do what was configured.
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

    /// An empty proxy name switches the proxies of the environment off, NULL leaves them on.
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

    /// Sets the size of the buffer for the answer.
    func setBufferSize(for transfer: Transfer) {
        let size = ReceiveBufferSize.bytes(for: transfer.destination)
        guard size != applied.bufferSize else { return }
        applied.bufferSize = size
        set(CURLOPT_BUFFERSIZE, size)
    }

    /// Options of one request; what the last transfer left as it must be is not set again.
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

    private func setURL(_ url: HTTPURL) throws(TransportError) {
        try address.parse(url)
        if url.origin != applied.url?.origin {
            setVersion(for: url.origin)
            setProxy(for: url.origin)
        }
        applied.url = url
    }

    /// HTTP/2 is for TLS, where it is negotiated; without it no answer makes libcurl believe in HTTP/2.
    private func setVersion(for origin: Origin) {
        let mayBeHTTP2 = origin.scheme == .https && connections.tls.isKnown
        set(CURLOPT_HTTP_VERSION, Int(mayBeHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        set(CURLOPT_PIPEWAIT, mayBeHTTP2 ? 1 : 0)
    }

    private func setMethodAndBody(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        set(CURLOPT_HTTPGET, 1)
        if request.method == .head {
            guard request.body == .empty else { throw .invalidRequest("a HEAD request has no body") }
            set(CURLOPT_NOBODY, 1)
        } else if request.method != .get || request.body != .empty {
            try setBody(request, upstream: upstream)
        }
        set(
            CURLOPT_CUSTOMREQUEST,
            [.get, .head].contains(request.method) && request.body == .empty ? nil : request.method.rawValue)
    }

    /// A body makes it a POST for libcurl; the method's name is set apart.
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
        // libcurl never asks for the bytes of a body that has none.
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
    /// Whole milliseconds, at least one, within what libcurl takes.
    var milliseconds: Int {
        let parts = components
        let seconds = min(max(parts.seconds, 0), 1_000_000)
        return max(1, Int(seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}
