// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

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
    var failure: ResponseReceiver.Failure? {
        if unsafe head.pointee.is_folded != 0 { return (.invalidResponse, ResponseHeadParser.foldedLine) }
        let limit = unsafe head.pointee.limit
        guard unsafe head.pointee.total > limit else { return nil }
        return (.tooLarge, "the response header is larger than \(limit) bytes")
    }
}
