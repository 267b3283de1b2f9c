// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// A libcurl easy handle with the buffers of its callbacks, reused by the loop thread for one transfer after another.
@safe final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    let configuration: CurlConfiguration
    private(set) var transfer: Transfer?
    var receiver: ResponseReader
    let headLines: HeadLines
    /// The rest of the request body, if it was not passed to libcurl at once.
    var sender = BodySender.none
    /// The error because of which the request body is incomplete.
    var sendingFailure: TransportError?
    /// The number of bytes of the request body that were passed to libcurl, and the expected number.
    var sentBytes: Int64 = 0
    var sentTotal: Int64?
    var reporter: ProgressReporter<TransferProgress>?
    /// The start of the turn in which the request was sent or the last bytes of a body moved.
    var lastActivity = ContinuousClock.now
    /// Whether the request was passed to a connection.
    var hasLeft = false
    /// Whether the request was not sent because the selected connection had unread bytes.
    var isConnectionUnclean = false
    /// Whether libcurl only connects, for the bytes of another protocol than its own.
    var connectsOnly = false
    /// Whether a connection for other bytes negotiated HTTP/2, which libcurl reports only while it connects.
    var hasNegotiatedHTTP2 = false
    /// The sockets of this transfer that are not in the table of connections yet.
    var openedSockets: [curl_socket_t] = []
    /// The connection to which the request was passed.
    private(set) var connection: ConnectionTable.Connection?
    private var isConnectionForced = false
    private var isReuseForbidden = false
    private var hasSucceeded = false
    /// The queue in which the transfer has a slot while it is in libcurl.
    var line: OriginLine?
    let connections: ConnectionTable
    /// The TLS sessions of all handles, which must outlive this handle.
    private let sessions: TLSSessions
    let turn: LoopTurn
    /// Whether libcurl waits for the reader or the producer of a body.
    var isPaused = false
    var applied = AppliedOptions()
    /// The index in the loop's list of busy handles.
    var position = 0
    var fieldLines = FieldLines()
    let address: ParsedAddress
    private let message: UnsafeMutablePointer<CChar>

    /// Creates a handle with the options that never change.
    ///
    /// - Throws: `TransportError` if there is no memory, or if libcurl does not support the configuration.
    init(
        configuration: CurlConfiguration, buffers: BodyBufferPool, multi: MultiHandle, turn: LoopTurn
    ) throws(TransportError) {
        guard let address = ParsedAddress(), let raw = unsafe curl_easy_init() else {
            throw TransportError(.other, "not enough memory for a transfer", mayHaveReachedServer: false)
        }
        self.address = address
        unsafe self.raw = raw
        self.configuration = configuration
        connections = multi.connections
        sessions = multi.sessions
        self.turn = turn
        headLines = HeadLines(limit: configuration.maximumHeaderBytes)
        receiver = ResponseReader(limits: configuration, buffers: buffers)
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe setCallbacks(errorText: message)
        unsafe ccurl_resume_sessions(raw, sessions.raw)
        try setConstantOptions()
    }

    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe message.deallocate()
    }

    static func owner(of raw: UnsafeMutableRawPointer) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard unsafe ccurl_get_pointer(raw, CURLINFO_PRIVATE, &context) == CURLE_OK, let context = unsafe context else {
            return nil
        }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sets everything that differs between transfers.
    ///
    /// - Throws: `TransportError` if the request is invalid.
    func prepare(for transfer: Transfer) throws(TransportError) {
        self.transfer = transfer
        headLines.begin()
        receiver.begin(for: transfer)
        reporter = transfer.progress.map(ProgressReporter.init)
        sendingFailure = nil
        sentBytes = 0
        sentTotal = 0
        hasLeft = false
        isPaused = false
        isConnectionUnclean = false
        hasSucceeded = false
        openedSockets.removeAll(keepingCapacity: true)
        unsafe message.pointee = 0
        setBufferSize(for: transfer)
        try setRequest(transfer.request, upstream: transfer.upstream)
    }

    /// Prepares to send the same request on a new connection, because it has not been sent.
    func prepareForFreshConnection() {
        isConnectionUnclean = false
        set(CURLOPT_FRESH_CONNECT, 1)
        isConnectionForced = true
    }

    /// Stores the connection to which the request was passed.
    func leaves(on connection: ConnectionTable.Connection?) {
        connection?.requests += 1
        connection?.user = self
        self.connection = connection
    }

    /// Closes the connection after the response is complete, unless other requests use it.
    func forbidReuse() {
        guard connection?.isMultiplexed != true else { return }
        set(CURLOPT_FORBID_REUSE, 1)
        isReuseForbidden = true
    }

    /// Whether the handle can serve another transfer.
    ///
    /// After an ambiguous, broken or incomplete response it is discarded, because it may hold unknown state.
    var isReusable: Bool { hasSucceeded ? !receiver.isOdd : headLines.byteCount == 0 }

    func clear() {
        transfer = nil
        line = nil
        connection?.requests -= 1
        if connection?.user === self { connection?.user = nil }
        connection = nil
        if isConnectionForced { set(CURLOPT_FRESH_CONNECT, 0) }
        isConnectionForced = false
        if isReuseForbidden { set(CURLOPT_FORBID_REUSE, 0) }
        isReuseForbidden = false
        endSending()
        reporter = nil
        receiver.clear()
    }

    func outcome(of code: CURLcode) -> Result<HTTPResponse, TransportError> {
        if let failure = headLines.failure ?? receiver.failure ?? sendingFailure {
            return .failure(TransportError(failure, mayHaveReachedServer: hasLeft))
        }
        if code == CURLE_OUT_OF_MEMORY, hasLeft, !receiver.hasHead {
            // libcurl reports its limit for a header line as a lack of memory.
            return .failure(TransportError(.tooLarge, "a response header line is too long", mayHaveReachedServer: true))
        }
        if code == CURLE_OPERATION_TIMEDOUT, !hasLeft {
            return .failure(
                TransportError(
                    .notConnected, detail, mayHaveReachedServer: false,
                    systemErrors: TransportError.numbers(code, systemNumber)))
        }
        if !hasLeft, connectStatus == 407 {
            return .failure(
                TransportError(
                    .proxyUnauthorized, "the proxy requires a valid user name and password: \(detail)",
                    mayHaveReachedServer: false, systemErrors: TransportError.numbers(code, 0)))
        }
        guard code == CURLE_OK else {
            return .failure(TransportError(curlCode: code, detail: detail, hasLeft: hasLeft, errno: systemNumber))
        }
        noteResponse()
        do throws(TransportError) {
            guard receiver.isBodyComplete else {
                throw TransportError(
                    .connectionLost, "the compressed body ended early", mayHaveReachedServer: hasLeft)
            }
            guard var response = receiver.takeResponse() else {
                throw TransportError(
                    .invalidResponse, "the server sent no response head", mayHaveReachedServer: hasLeft)
            }
            sentBytes = sentTotal ?? sentBytes
            reporter?.reportEnd(progress)
            if configuration.collectsMetrics { response.metrics = metrics }
            hasSucceeded = true
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    /// The status of a proxy's response to CONNECT, or 0 if there was none.
    private var connectStatus: Int {
        var status = 0
        unsafe ccurl_get_long(raw, CURLINFO_HTTP_CONNECTCODE, &status)
        return status
    }

    /// The system's error number of the last connection error, or 0.
    private var systemNumber: Int {
        var number = 0
        unsafe ccurl_get_long(raw, CURLINFO_OS_ERRNO, &number)
        return number
    }

    /// libcurl's message about an error.
    private var detail: String { unsafe String(cString: message) }
}

/// The options that libcurl's handle currently has.
struct AppliedOptions {
    var url: HTTPURL?
    var isPlainGet = false
    var bufferSize = 0
}

extension EasyHandle {
    /// Whether the transfer has exceeded its deadline or a timeout.
    func lateness(of transfer: Transfer, at now: ContinuousClock.Instant) -> TransferActivity.Lateness {
        var activity = TransferActivity(last: lastActivity)
        activity.hasLeft = hasLeft
        activity.hasHead = receiver.hasHead
        activity.isSending = !sender.isDone
        activity.isPaused = isPaused
        return activity.lateness(
            at: now, deadline: transfer.deadline, firstByte: configuration.firstByteTimeout,
            idle: configuration.idleTimeout)
    }
}

extension EasyHandle {
    /// Passes the metrics to the reader of a streamed body, before the transfer ends.
    func reportMetrics() {
        guard configuration.collectsMetrics, case .reader(let reader)? = transfer?.destination else { return }
        reader.note(metrics)
    }

    var metrics: TransferMetrics {
        var metrics = TransferMetrics()
        metrics.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.connect = time(CURLINFO_CONNECT_TIME_T)
        metrics.tls = time(CURLINFO_APPCONNECT_TIME_T)
        metrics.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.total = time(CURLINFO_TOTAL_TIME_T)
        metrics.sentBytes = offset(CURLINFO_SIZE_UPLOAD_T)
        metrics.receivedBytes = offset(CURLINFO_SIZE_DOWNLOAD_T)
        metrics.isConnectionReused = long(CURLINFO_NUM_CONNECTS) == 0
        metrics.protocolName = Self.protocolNames[protocolVersion] ?? ""
        return metrics
    }

    /// libcurl's number for the HTTP version.
    var protocolVersion: Int { long(CURLINFO_HTTP_VERSION) }

    private static let protocolNames = [
        Int(CURL_HTTP_VERSION_1_0): "HTTP/1.0", Int(CURL_HTTP_VERSION_1_1): "HTTP/1.1",
        Int(CURL_HTTP_VERSION_2_0): "HTTP/2", Int(CURL_HTTP_VERSION_3): "HTTP/3",
    ]

    private func time(_ info: CURLINFO) -> Duration { .microseconds(offset(info)) }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        unsafe ccurl_get_offset(raw, info, &value)
        return Int64(value)
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe ccurl_get_long(raw, info, &value)
        return value
    }
}
