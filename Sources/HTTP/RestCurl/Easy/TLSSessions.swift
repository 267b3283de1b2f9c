// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The TLS sessions that the handles of one loop share, so that a new connection resumes what any of them has agreed on
/// (RFC 8446 §2.2): libcurl keeps them for each handle alone otherwise.
///
/// A session stands for a server that was verified, and for the certificate that was shown to it. So sessions belong to
/// one loop, all of whose handles have the same trust, pins and client certificate, and libcurl gives one out for its
/// host and port alone.
///
/// Unchecked because the loop thread alone uses them, by way of its handles; there is hence no lock. Freed with the
/// last of those who hold them.
@safe final class TLSSessions: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    /// No sessions yet; `nil` when memory is exhausted.
    init?() {
        guard let raw = unsafe curl_share_init() else { return nil }
        unsafe self.raw = raw
        guard unsafe ccurl_share(raw, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    deinit {
        unsafe curl_share_cleanup(raw)
    }
}
