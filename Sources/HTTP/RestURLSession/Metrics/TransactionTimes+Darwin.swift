// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension TransactionTimes {
    /// Copies what URLSession measured; `nil` when it measured nothing.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return nil }
        self.init()
        fetchStart = last.fetchStartDate
        domainLookupEnd = last.domainLookupEndDate
        connectEnd = last.connectEndDate
        secureConnectionStart = last.secureConnectionStartDate
        secureConnectionEnd = last.secureConnectionEndDate
        responseStart = last.responseStartDate
        responseEnd = last.responseEndDate
        sentBytes = last.countOfRequestBodyBytesSent
        receivedBytes = last.countOfResponseBodyBytesReceived
        isConnectionReused = last.isReusedConnection
        protocolName = last.networkProtocolName
    }
}
#endif
