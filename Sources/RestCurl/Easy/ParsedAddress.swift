// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// The address of a request, parsed: libcurl copies the parts for every transfer, while it would parse a text and write
/// it out again, character by character.
@safe struct ParsedAddress: ~Copyable {
    let raw: OpaquePointer

    /// Makes an empty address; `nil` when memory is exhausted.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        unsafe curl_url_cleanup(raw)
    }

    /// Takes another address in place of the last one.
    ///
    /// - Throws: `.invalidRequest` when libcurl does not take it for an address.
    func parse(_ url: HTTPURL) throws(TransportError) {
        let result = unsafe curl_url_set(raw, CURLUPART_URL, url.description, UInt32(CURLU_PATH_AS_IS))
        guard result != CURLUE_OK else { return }
        let words = unsafe String(cString: curl_url_strerror(result))
        throw .invalidRequest("libcurl refuses the address: \(words)")
    }
}
