// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport
import Testing

@testable import RestCurl

@Suite("What libcurl's results mean")
struct CurlCodeTests {
    /// Every result with a meaning of its own, by its number (libcurl-errors(3)).
    private static let table: [TransportError.Code: [UInt32]] = [
        .hostNotFound: [5, 6],
        .notConnected: [7, 45, 89, 97],
        .timedOut: [28],
        .connectionLost: [18, 42, 52, 55, 56, 65, 92, 95, 96, 99],
        .tls: [35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98, 101],
        // What libcurl makes nothing of behind the request is the answer's (3 and 43), not the request's.
        .invalidResponse: [1, 3, 8, 16, 23, 43, 61],
        .tooLarge: [63, 100],
        .file: [26, 37],
    ]

    @Test("Every result has its code once the request has left; what is not in the table is other")
    func codes() {
        let known = Dictionary(
            uniqueKeysWithValues: Self.table.flatMap { code, numbers in numbers.map { ($0, code) } })
        for number in UInt32(1)...120 {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "", hasLeft: true)
            #expect(error.code == known[number] ?? .other, "\(number)")
            #expect(error.mayHaveReachedServer)
            #expect(error.systemErrors == [TransportError.SystemError(.curl, Int(number))])
            #expect(!error.message.isEmpty)
        }
    }

    @Test("A request that libcurl makes nothing of has not left")
    func invalidRequest() {
        for number in UInt32(1)...120 {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "", hasLeft: false)
            #expect((error.code == .invalidRequest) == [3, 43].contains(number), "\(number)")
        }
    }

    @Test("A connection lost before the request left was never made")
    func notLeft() {
        for number in Self.table[.connectionLost] ?? [] {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "Proxy said no", hasLeft: false)
            #expect(error.code == .notConnected, "\(number)")
            #expect(!error.mayHaveReachedServer)
            #expect(error.message == "Proxy said no (libcurl \(number))")
        }
    }
}
