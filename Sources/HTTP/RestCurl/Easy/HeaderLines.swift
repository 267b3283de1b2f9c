// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The request's header fields as libcurl wants them; kept while the next request has the same fields.
@safe struct FieldLines: ~Copyable {
    private var fields: HTTPFields?
    private var framing = BodyFraming.none
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit {
        unsafe curl_slist_free_all(list)
    }

    /// Makes the list for a request; `false` when the last one serves again.
    mutating func take(from request: HTTPRequest) -> Bool {
        let framing = BodyFraming(of: request)
        guard request.fields != fields || framing != self.framing else { return false }
        fields = request.fields
        self.framing = framing
        unsafe curl_slist_free_all(list)
        unsafe list = nil
        for field in request.fields {
            // A value of blanks is an empty one (RFC 9110 5.5); libcurl would drop the field.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // As an option libcurl would write it out twice for every request.
        if request.fields["Accept-Encoding"] == nil { append("Accept-Encoding: \(ContentDecoder.accepted)") }
        suppressDefaults(of: request)
        return true
    }

    /// A name with a colon and no value takes a field out that libcurl would add by itself.
    private mutating func suppressDefaults(of request: HTTPRequest) {
        if request.fields["Accept"] == nil { append("Accept:") }
        guard framing != .none else { return }
        append("Expect:")
        // libcurl frames a body of unknown length so on HTTP/1.1 and leaves the field out on HTTP/2.
        if framing == .chunked { append("Transfer-Encoding: chunked") }
        if request.fields["Content-Type"] == nil { append("Content-Type:") }
    }

    private mutating func append(_ line: String) {
        unsafe list = unsafe curl_slist_append(list, line) ?? list
    }
}

/// How a request's body is delimited (RFC 9112 6).
enum BodyFraming {
    /// There is no body, and nobody expects one: not a POST for libcurl.
    case none
    /// By its length, which may be 0.
    case length
    /// Only its end tells the length.
    case chunked

    init(of request: HTTPRequest) {
        switch request.body {
        case .stream(let source): self = source.length == nil ? .chunked : .length
        case .bytes, .file: self = .length
        case .empty: self = request.method != .get && [.post, .put, .patch].contains(request.method) ? .length : .none
        }
    }
}

/// Collects the header lines of a transfer, which libcurl hands out one by one, and hands on whole headers; refuses
/// folded lines before libcurl keeps them.
@safe struct HeadLines: ~Copyable {
    private let head: UnsafeMutablePointer<ccurl_head>

    /// Makes an empty collection.
    ///
    /// - Parameter limit: the most bytes for one transfer, interim answers and trailers included.
    init(limit: Int) {
        unsafe head = .allocate(capacity: 1)
        unsafe head.initialize(to: ccurl_head())
        unsafe head.pointee.limit = limit
    }

    deinit {
        unsafe free(head.pointee.bytes)
        unsafe head.deallocate()
    }

    /// Has the headers and bodies of a libcurl handle's transfers handed on.
    ///
    /// - Parameters:
    ///   - handle: the libcurl handle.
    ///   - context: what both functions are given back.
    ///   - receiveHead: gets each header with its blank line, and gives its number of bytes to go on.
    ///   - receiveBody: gets the pieces of the body, as libcurl's write callback does.
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

    /// Forgets the last transfer.
    func begin() {
        unsafe head.pointee.count = 0
        unsafe head.pointee.total = 0
        unsafe head.pointee.is_over = 0
        unsafe head.pointee.is_within_line = 0
        unsafe head.pointee.is_folded = 0
    }

    /// The final header is over: what comes now is body.
    func end() {
        unsafe head.pointee.is_over = 1
    }

    /// The bytes of the transfer so far.
    var byteCount: Int { unsafe head.pointee.total }

    /// Why the header was refused, if that is why the transfer failed.
    var failure: TransportError? {
        if unsafe head.pointee.is_folded != 0 { return .invalid(ResponseHeadParser.foldedLine) }
        let limit = unsafe head.pointee.limit
        guard unsafe head.pointee.total > limit else { return nil }
        return TransportError(
            .tooLarge, "the response header is larger than \(limit) bytes", mayHaveReachedServer: true)
    }
}

/// The header lines of the last response on a handle.
///
/// A server repeats most of its lines in every answer; a repeated line costs a comparison of bytes, and a header that
/// repeats as a whole shares the fields of the one before.
struct FieldLineCache {
    /// What a field means for the transfer itself.
    enum Role {
        case plain
        case contentLength(Int)
        case contentCoding(String)
        case transferCoding(isChunked: Bool)
        case location(String)
    }

    /// Longer lines and those further behind are not kept.
    private static let longestLine = 256
    private static let mostLines = 32

    /// A row of `longestLine` bytes for each line, so that no line owns memory of its own.
    private var rows: [UInt8] = []
    private var lengths: [Int] = []
    private var roles: [Role] = []
    private(set) var fields = HTTPFields()

    /// The meaning of the line at this place in the header when it is the same as last time, byte by byte, and the
    /// offset behind it.
    ///
    /// Its field is the one at the same place of `fields`.
    func line(at index: Int, equalTo head: UnsafeRawBufferPointer, from start: Int) -> (role: Role, end: Int)? {
        guard index < lengths.count, lengths[index] <= head.count - start else { return nil }
        let isSame = unsafe rows.withUnsafeBytes { rows in
            unsafe ccurl_is_equal(
                rows.baseAddress, index * Self.longestLine, head.baseAddress, start, lengths[index]) != 0
        }
        return isSame ? (roles[index], start + lengths[index]) : nil
    }

    /// Keeps a line, its end included, for the next response.
    ///
    /// A line that ends with a bare line feed is not kept, since each of them counts.
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
