// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(Glibc) || canImport(Musl)
package import RestTransport
import Synchronization

/// An `openssl s_server` on loopback.
///
/// It responds to every GET with status 200 and closes the connection, or sends what the test provides. It serves one
/// connection at a time.
package final class TLSServer: Sendable {
    package let url: HTTPURL
    private let process: PeerProcess
    /// The output that no request has consumed yet.
    private let unread = Mutex("")

    /// Starts a server and waits until it listens on a loopback address, with more options of `openssl s_server`.
    ///
    /// If it `isScripted`, the test reads the requests and sends the responses.
    package static func start(
        _ identity: TestAuthority.Identity, host: String = "127.0.0.1", isScripted: Bool = false, options: [String] = []
    ) async throws -> TLSServer {
        try await elsewhere { try TLSServer(identity, host, options + (isScripted ? [] : ["-www"])) }
    }

    private init(_ identity: TestAuthority.Identity, _ host: String, _ options: [String]) throws {
        let literal = host.hasBytes(":") ? "[\(host)]" : host
        var arguments = ["s_server", "-accept", "\(literal):0", "-cert", identity.certificateFile]
        arguments += ["-key", identity.keyFile] + options
        if let chain = identity.chainFile { arguments += ["-cert_chain", chain] }
        process = try PeerProcess(TestAuthority.program, arguments)
        var text = ""
        while !Self.isListening(text), let bytes = process.read() { text += String(decoding: bytes, as: UTF8.self) }
        let line = text.split(byte: "\n").first { $0.hasBytes(prefix: "ACCEPT") }
        guard let port = line?.split(byte: ":").last.flatMap({ Int($0) }) else {
            process.end()
            throw PeerProcess.Failure(description: "openssl s_server does not listen: \(text)")
        }
        url = HTTPURL(origin: Origin(scheme: .https, host: host, port: port), path: "/")
    }

    private static func isListening(_ text: String) -> Bool {
        text.split(byte: "\n", omittingEmptySubsequences: false).dropLast().contains { $0.hasBytes(prefix: "ACCEPT") }
    }

    /// Waits for a request with this first line to a scripted server, and returns its head.
    @discardableResult
    package func request(_ line: String) async throws -> String {
        try await elsewhere { [self] in
            while true {
                if let request = unread.withLock({ Self.takeRequest(line, from: &$0) }) { return request }
                guard let bytes = process.read() else {
                    throw PeerProcess.Failure(description: "openssl s_server sent no \(line)")
                }
                unread.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            }
        }
    }

    private static func takeRequest(_ line: String, from text: inout String) -> String? {
        guard let start = text.firstRange(bytes: line + "\r\n")?.lowerBound,
            let end = text[start...].firstRange(bytes: "\r\n\r\n")?.upperBound
        else { return nil }
        defer { text = String(text[end...]) }
        return String(text[start..<end])
    }

    package func send(_ text: String) async throws {
        try await elsewhere { [process] in process.write(text) }
    }

    package func stop() async {
        try? await elsewhere { [process] in process.end() }
    }
}
#endif
