// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// Collects the header lines of a transfer, which libcurl hands out one by one, and hands on whole headers.
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

    /// Has the headers of a libcurl handle's transfers handed on.
    ///
    /// - Parameter receive: gets each header with its blank line, and gives its number of bytes to go on.
    func deliver(
        from handle: UnsafeMutableRawPointer, context: UnsafeMutableRawPointer, to receive: curl_write_callback
    ) {
        unsafe head.pointee.deliver = receive
        unsafe head.pointee.context = context
        unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, head)
        unsafe ccurl_set_data(handle, CURLOPT_HEADERFUNCTION, ccurl_take_line)
    }

    /// Forgets the last transfer.
    func begin() {
        unsafe head.pointee.count = 0
        unsafe head.pointee.total = 0
    }

    /// The bytes of the transfer so far.
    var byteCount: Int { unsafe head.pointee.total }

    /// Why the header was refused, if that is why the transfer failed.
    var failure: ResponseReceiver.Failure? {
        let limit = unsafe head.pointee.limit
        guard unsafe head.pointee.total > limit else { return nil }
        return (.tooLarge, "the response header is larger than \(limit) bytes")
    }
}
