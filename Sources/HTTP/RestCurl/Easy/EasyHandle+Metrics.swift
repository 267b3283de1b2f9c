// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

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
