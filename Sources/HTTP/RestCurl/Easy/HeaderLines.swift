// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The headers of a request in libcurl's format, which are reused if the next request has the same headers.
@safe struct FieldLines: ~Copyable {
    private var fields: HTTPFields?
    private var framing = BodyFraming.none
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit { unsafe curl_slist_free_all(list) }

    /// Creates the list for a request, or returns `false` if the last list is still valid.
    mutating func take(from request: HTTPRequest) -> Bool {
        let framing = BodyFraming(of: request)
        guard request.fields != fields || framing != self.framing else { return false }
        fields = request.fields
        self.framing = framing
        unsafe curl_slist_free_all(list)
        unsafe list = nil
        for field in request.fields {
            // A value of whitespace is empty (RFC 9110 §5.5), but libcurl would drop the header.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // libcurl would format the option twice for each request.
        if request.fields["Accept-Encoding"] == nil { append("Accept-Encoding: \(ContentDecoder.accepted)") }
        suppressDefaults(of: request)
        return true
    }

    /// Adds a name with a colon and no value for each header that libcurl must not add.
    private mutating func suppressDefaults(of request: HTTPRequest) {
        if request.fields["Accept"] == nil { append("Accept:") }
        guard framing != .none else { return }
        append("Expect:")
        // libcurl uses this framing for a body of unknown length with HTTP/1.1, and drops the header with HTTP/2.
        if framing == .chunked { append("Transfer-Encoding: chunked") }
        if request.fields["Content-Type"] == nil { append("Content-Type:") }
    }

    private mutating func append(_ line: String) {
        unsafe list = unsafe curl_slist_append(list, line) ?? list
    }
}

/// The framing of a request body (RFC 9112 §6).
enum BodyFraming {
    /// There is no body and the method does not expect one, so the request is not a POST for libcurl.
    case none
    /// The length is announced, and may be 0.
    case length
    /// The length is unknown before the end.
    case chunked

    init(of request: HTTPRequest) {
        switch request.body {
        case .stream(let source): self = source.length == nil ? .chunked : .length
        case .bytes, .file: self = .length
        case .empty: self = request.method != .get && [.post, .put, .patch].contains(request.method) ? .length : .none
        }
    }
}

/// Collects the single header lines from libcurl, passes on whole heads, and rejects folded lines before libcurl stores
/// them.
@safe struct HeadLines: ~Copyable {
    private let head: UnsafeMutablePointer<ccurl_head>

    /// Creates an empty collection with a limit in bytes for each transfer, including interim responses and trailers.
    init(limit: Int) {
        unsafe head = .allocate(capacity: 1)
        unsafe head.initialize(to: ccurl_head())
        unsafe head.pointee.limit = limit
    }

    deinit {
        unsafe free(head.pointee.bytes)
        unsafe head.deallocate()
    }

    /// Sets the functions that receive each head with its empty line, and the chunks of the body.
    ///
    /// Both get `context`. `receiveHead` returns the size of the head to continue, and `receiveBody` is a write
    /// callback of libcurl.
    func deliver(
        from handle: UnsafeMutableRawPointer, context: UnsafeMutableRawPointer, head receiveHead: curl_write_callback,
        body receiveBody: curl_write_callback
    ) {
        unsafe head.pointee.deliver = receiveHead
        unsafe head.pointee.deliver_body = receiveBody
        unsafe head.pointee.context = context
        unsafe head.pointee.is_guarded = ccurl_must_guard()
        unsafe ccurl_set_long(handle, CURLOPT_HEADER, Int(head.pointee.is_guarded))
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, head)
        unsafe ccurl_set_data(handle, CURLOPT_HEADERFUNCTION, ccurl_take_line)
        unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, head)
        unsafe ccurl_set_data(handle, CURLOPT_WRITEFUNCTION, ccurl_take_body)
    }

    func begin() {
        unsafe head.pointee.count = 0
        unsafe head.pointee.total = 0
        unsafe head.pointee.is_over = 0
        unsafe head.pointee.is_within_line = 0
        unsafe head.pointee.is_folded = 0
    }

    /// Marks the end of the final head, after which the body follows.
    func end() { unsafe head.pointee.is_over = 1 }

    /// The number of bytes of the transfer's heads so far.
    var byteCount: Int { unsafe head.pointee.total }

    /// The reason why the head was rejected, or `nil`.
    var failure: TransportError? {
        if unsafe head.pointee.is_folded != 0 { return .invalid(ResponseHeadParser.foldedLine) }
        let limit = unsafe head.pointee.limit
        guard unsafe head.pointee.total > limit else { return nil }
        return TransportError(
            .tooLarge, "the response head is larger than \(limit) bytes", mayHaveReachedServer: true)
    }
}

/// The header lines of the last response on a handle.
///
/// A server repeats most of its lines in every response. A repeated line costs a comparison of bytes, and a repeated
/// head shares the headers of the previous one.
struct FieldLineCache {
    /// The meaning of a header for the transfer.
    enum Role {
        case plain
        case contentLength(Int)
        case contentCoding(String)
        case transferCoding(isChunked: Bool)
        case location(String)
    }

    /// Longer lines and further lines are not stored.
    private static let longestLine = 256
    private static let mostLines = 32

    /// One buffer with `longestLine` bytes for each line.
    private var rows: [UInt8] = []
    private var lengths: [Int] = []
    private var roles: [Role] = []
    private(set) var fields = HTTPFields()

    /// The meaning of the line at an index of the head and the offset after it, or `nil` if the line differs from last
    /// time.
    ///
    /// Its header is at the same index of `fields`.
    func line(at index: Int, equalTo head: UnsafeRawBufferPointer, from start: Int) -> (role: Role, end: Int)? {
        guard index < lengths.count, lengths[index] <= head.count - start else { return nil }
        let isSame = unsafe rows.withUnsafeBytes { rows in
            unsafe ccurl_is_equal(
                rows.baseAddress, index * Self.longestLine, head.baseAddress, start, lengths[index]) != 0
        }
        return isSame ? (roles[index], start + lengths[index]) : nil
    }

    /// Stores a line with its end for the next response.
    ///
    /// A line that ends with a bare line feed is not stored, because each of them must be detected.
    mutating func store(_ field: HTTPFields.Field, role: Role, line: UnsafeRawBufferPointer, at index: Int) {
        guard index < Self.mostLines, line.count <= Self.longestLine, index <= lengths.count,
            line.count > 1, unsafe line[line.count - 2] == UInt8(ascii: "\r")
        else { return }
        if index == lengths.count {
            rows.append(contentsOf: repeatElement(0, count: Self.longestLine))
            lengths.append(0)
            roles.append(role)
            fields.append(field)
        }
        let start = index * Self.longestLine
        unsafe rows.replaceSubrange(start..<start + line.count, with: line)
        lengths[index] = line.count
        roles[index] = role
        fields.replace(at: index, with: field)
    }
}
