// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
extension TransportConformance {
    /// The cases that mean something over HTTP/2, where a front reads the bytes of the server and writes frames.
    package static var framedCases: [Case] { cases.filter { withoutMeaning[$0.name] == nil } }

    /// The others, by name, with the reason why there is no such thing over HTTP/2.
    package static let withoutMeaning: [String: String] = [:]
}
#endif
