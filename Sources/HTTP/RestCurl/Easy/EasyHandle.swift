// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// One libcurl easy handle with the buffers its callbacks fill; used for one transfer after the other by the loop
/// thread.
@safe final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    let configuration: CurlConfiguration
    /// The transfer this handle works for at the moment.
    private(set) var transfer: Transfer?
    /// What came back so far.
    var receiver: ResponseReceiver
    let headLines: HeadLines
    /// What is still to be sent when the body is not handed to libcurl at once.
    var sender = BodySender.none
    /// Why the request body will not be complete.
    var sendingFailure: TransportError?
    /// Bytes of the request body handed to libcurl, and how many there are.
    var sentBytes: Int64 = 0
    var sentTotal: Int64?
    var reporter: ProgressReporter?
    /// The turn in which the request was sent or the last bytes of a body moved.
    var lastActivity = ContinuousClock.now
    /// Whether the request was handed to a connection.
    var hasLeft = false
    /// Whether the request was not sent because bytes were waiting on the connection chosen for it.
    var isConnectionUnclean = false
    /// Sockets opened for this transfer that are not in the table of connections yet.
    var openedSockets: [curl_socket_t] = []
    /// The connection that the request was handed to.
    private(set) var connection: ConnectionTable.Connection?
    private var isConnectionForced = false
    private var isReuseForbidden = false
    private var hasSucceeded = false
    /// The line in which the transfer has a place while libcurl works for it.
    var line: OriginLine?
    let connections: ConnectionTable
    /// The TLS sessions of all handles; held until this one is gone.
    private let sessions: TLSSessions
    let turn: LoopTurn
    /// Whether libcurl waits for the reader or the maker of a body.
    var isPaused = false
    /// What is set on the libcurl handle at the moment.
    var applied = AppliedOptions()
    /// The place in the loop's list of busy handles.
    var position = 0
    var fieldLines = FieldLines()
    let address: ParsedAddress
    private let message: UnsafeMutablePointer<CChar>

    /// Makes a handle with the options that never change.
    ///
    /// - Throws: `TransportError` when memory is exhausted, or libcurl cannot do what was configured.
    init(
        configuration: CurlConfiguration, buffers: BodyBufferPool, multi: MultiHandle, turn: LoopTurn
    ) throws(TransportError) {
        guard let address = ParsedAddress(), let raw = unsafe curl_easy_init() else {
            throw TransportError(.other, "no memory left for a transfer", mayHaveReachedServer: false)
        }
        self.address = address
        unsafe self.raw = raw
        self.configuration = configuration
        connections = multi.connections
        sessions = multi.sessions
        self.turn = turn
        headLines = HeadLines(limit: configuration.maximumHeaderBytes)
        receiver = ResponseReceiver(limits: configuration, buffers: buffers)
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

    /// The object that belongs to a libcurl handle.
    static func owner(of raw: UnsafeMutableRawPointer) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard unsafe ccurl_get_pointer(raw, CURLINFO_PRIVATE, &context) == CURLE_OK, let context = unsafe context else {
            return nil
        }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sets everything that differs from transfer to transfer.
    ///
    /// - Throws: `TransportError` when the request cannot be sent as it is.
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

    /// Gets ready to send the same request, which has not left, on a connection of its own.
    func prepareForFreshConnection() {
        isConnectionUnclean = false
        set(CURLOPT_FRESH_CONNECT, 1)
        isConnectionForced = true
    }

    /// Notes the connection that the request was handed to.
    func leaves(on connection: ConnectionTable.Connection?) {
        connection?.requests += 1
        connection?.user = self
        self.connection = connection
    }

    /// Has the connection closed when the answer is complete.
    func forbidReuse() {
        guard connection?.isMultiplexed != true else { return }
        set(CURLOPT_FORBID_REUSE, 1)
        isReuseForbidden = true
    }

    /// Whether a next transfer may have this handle, which keeps more of the last one than is known: not after an
    /// answer that is odd, broken or not complete.
    var isReusable: Bool { hasSucceeded ? !receiver.isOdd : headLines.byteCount == 0 }

    /// Forgets the transfer, so that the handle can serve the next one.
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

    /// The response, or why there is none.
    func outcome(of code: CURLcode) -> Result<HTTPResponse, TransportError> {
        if let error = receiver.fileError {
            return .failure(TransportError(error, mayHaveReachedServer: hasLeft))
        }
        if let failure = headLines.failure ?? receiver.failure {
            return .failure(TransportError(failure.code, failure.message, mayHaveReachedServer: hasLeft))
        }
        if let sendingFailure { return .failure(TransportError(sendingFailure, mayHaveReachedServer: hasLeft)) }
        if code == CURLE_OUT_OF_MEMORY, hasLeft, !receiver.hasHead {
            // libcurl's own limit for a header line is reported as memory that ran out.
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
                    .proxyUnauthorized, "the proxy rejected or requires a name and password: \(detail)",
                    mayHaveReachedServer: false, systemErrors: TransportError.numbers(code, 0)))
        }
        guard code == CURLE_OK else {
            return .failure(TransportError(curlCode: code, detail: detail, hasLeft: hasLeft, errno: systemNumber))
        }
        noteAnswer()
        do throws(TransportError) {
            guard receiver.isBodyComplete else {
                throw TransportError(
                    .connectionLost, "the compressed body ends too early", mayHaveReachedServer: hasLeft)
            }
            guard var response = receiver.takeResponse() else {
                throw TransportError(
                    .invalidResponse, "the server sent no response header", mayHaveReachedServer: hasLeft)
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

    /// What a proxy answered when it was asked for a tunnel, 0 when none was.
    private var connectStatus: Int {
        var status = 0
        unsafe ccurl_get_long(raw, CURLINFO_HTTP_CONNECTCODE, &status)
        return status
    }

    /// The system's number for the last failure of a connection, 0 when it has none.
    private var systemNumber: Int {
        var number = 0
        unsafe ccurl_get_long(raw, CURLINFO_OS_ERRNO, &number)
        return number
    }

    /// libcurl's own words about a failure.
    private var detail: String {
        unsafe String(cString: message)
    }
}

/// The options a handle keeps from one transfer to the next.
struct AppliedOptions {
    var url: HTTPURL?
    var isPlainGet = false
    var bufferSize = 0
}

extension EasyHandle {
    /// Whether the transfer has used up its deadline or one of the configured times.
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
    /// Tells the reader of a streamed body what its transfer cost, which is about to end.
    func reportMetrics() {
        guard configuration.collectsMetrics, case .reader(let reader)? = transfer?.destination else { return }
        reader.note(metrics)
    }

    /// What the finished transfer cost.
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

    /// libcurl's number for the version of HTTP that was spoken.
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
