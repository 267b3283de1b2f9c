// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// Owns a libcurl multi handle: its connections live as long as somebody holds this object.
///
/// Unchecked because libcurl allows `curl_multi_wakeup` from any thread; everything else, the table of
/// connections included, is used by the loop thread only, and the clean-up runs when the last reference goes, hence
/// never during a wake-up.
@safe final class MultiHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer
    /// The connections this handle keeps; they are closed, and leave the table, at the latest in the clean-up.
    let connections = ConnectionTable()
    /// The TLS sessions that new connections may resume.
    let sessions: TLSSessions

    /// Makes a handle; `nil` when memory or descriptors are exhausted.
    init?(configuration: CurlConfiguration) {
        guard CurlLibrary.isReady, let sessions = TLSSessions(), let raw = unsafe curl_multi_init() else { return nil }
        unsafe self.raw = raw
        self.sessions = sessions
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        set(CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
    }

    deinit {
        unsafe curl_multi_cleanup(raw)
    }

    /// Begins the transfer of a handle.
    ///
    /// - Throws: `TransportError` when libcurl does not take it: nothing would ever be heard of it again.
    func add(_ handle: EasyHandle) throws(TransportError) {
        let result = unsafe curl_multi_add_handle(raw, handle.raw)
        guard result != CURLM_OK else { return }
        let words = unsafe String(cString: curl_multi_strerror(result))
        throw TransportError(.other, "libcurl does not begin the transfer: \(words)", mayHaveReachedServer: false)
    }

    /// Ends the transfer of a handle; one that is not complete loses its connection.
    func remove(_ handle: EasyHandle) {
        unsafe curl_multi_remove_handle(raw, handle.raw)
    }

    /// Makes the loop thread return from its sleep; safe from any thread.
    func wakeUp() {
        unsafe curl_multi_wakeup(raw)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        unsafe ccurl_multi_set_long(raw, option, value)
    }
}

/// The library's process-wide state.
enum CurlLibrary {
    /// Initialises libcurl once; `false` when it cannot work at all.
    static let isReady: Bool = {
        // libcurl's TLS is of libcrypto, which must know before that the loop thread uses it until the process is gone.
        Libcrypto.prepare()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
