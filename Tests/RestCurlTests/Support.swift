// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

/// A deadline that only a failing test reaches.
var soon: ContinuousClock.Instant { .now + .seconds(40) }

func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

func failure(
    _ body: () async throws(TransportError) -> HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
    do {
        let response = try await body()
        Issue.record("expected an error, got status \(response.head.status)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

extension HTTPTransport {
    func error(for request: HTTPRequest, until deadline: ContinuousClock.Instant = soon) async -> TransportError? {
        await failure { () async throws(TransportError) in try await send(request, deadline: deadline) }
    }
}

/// Expects an error with this code that says whether the server may have received the request.
func expect(
    _ error: TransportError?, _ code: TransportError.Code, mayHaveReachedServer: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.mayHaveReachedServer == mayHaveReachedServer, sourceLocation: sourceLocation)
}

#if canImport(Glibc) || canImport(Musl)
extension CurlTransport {
    /// Creates a transport that trusts a CA, with additional settings.
    convenience init(trusting authority: TestAuthority, _ change: (inout CurlConfiguration) -> Void = { _ in }) {
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        change(&configuration)
        self.init(configuration: configuration)
    }
}
#endif

/// Tests the IP addresses to which a connection for `localhost` may be made.
@Suite("IP addresses of this machine")
struct LoopbackAddressTests {
    @Test("Of all IPv4 addresses, only 127.0.0.0/8 is this machine")
    func v4() {
        for number in [0x7F00_0001, 0x7F00_0000, 0x7FFF_FFFF] as [UInt32] { #expect(isLoopback(v4: number)) }
        for number in [0, 0x7E00_0001, 0x8000_0001, 0x0100_007F, 0xC000_0201, 0x0A00_0001] as [UInt32] {
            #expect(!isLoopback(v4: number))
        }
    }

    @Test("Of all IPv6 addresses, only ::1 is this machine")
    func v6() {
        #expect(isLoopback(v6: [UInt8](repeating: 0, count: 15) + [1]))
        #expect(!isLoopback(v6: [UInt8](repeating: 0, count: 16)))
        #expect(!isLoopback(v6: [0x20, 0x01] + [UInt8](repeating: 0, count: 13) + [1]))
        #expect(!isLoopback(v6: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1]))
    }

    private func isLoopback(v4 number: UInt32) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = number.bigEndian
        return isLoopback(AF_INET, unsafe withUnsafeBytes(of: address) { unsafe Array($0) })
    }

    private func isLoopback(v6 bytes: [UInt8]) -> Bool {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
        return isLoopback(AF_INET6, unsafe withUnsafeBytes(of: address) { unsafe Array($0) })
    }

    /// Passes the address as libcurl does: it begins within the structure and may be longer than it.
    private func isLoopback(_ family: Int32, _ bytes: [UInt8]) -> Bool {
        let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: start + 64, alignment: 16)
        defer { unsafe room.deallocate() }
        unsafe room.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe room.storeBytes(of: family, as: Int32.self)
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[start...]).copyBytes(from: bytes)
        guard let address = unsafe room.baseAddress?.assumingMemoryBound(to: curl_sockaddr.self) else { return false }
        return unsafe ccurl_is_loopback(address) != 0
    }
}

/// The socket that connects this process to a port of this machine.
struct ClientSocket {
    private let descriptor: Int32

    init?(peerPort: Int) {
        let found = (0..<Int32(4_096)).first { Self.peerPort(of: $0) == peerPort }
        guard let found else { return nil }
        descriptor = found
    }

    var isClosedOnExec: Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 }

    /// Whether TCP keep-alive is on (RFC 9293 §3.8.4).
    var isKeptAlive: Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &value, &size) == 0 && value != 0
    }

    /// Waits for unread bytes, or returns `false` if none arrive in time.
    func waitForInput() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 8_000) > 0
    }

    private static func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size) == 0
            }
        }
        guard isConnected, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
