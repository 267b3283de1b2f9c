// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTransport

/// An `openssl s_server` on loopback, which answers every GET with status 200.
package final class TLSServer: Sendable {
    /// Its address.
    package let url: HTTPURL
    private let process: ChildProcess

    /// Starts a server; it answers when this returns.
    ///
    /// - Parameters:
    ///   - identity: the certificate it shows.
    ///   - host: the loopback address to listen on.
    ///   - options: more options of `openssl s_server`.
    package static func start(
        _ identity: TestAuthority.Identity, host: String = "127.0.0.1", options: [String] = []
    ) async throws -> TLSServer {
        try await elsewhere { try TLSServer(identity, host, options) }
    }

    private init(_ identity: TestAuthority.Identity, _ host: String, _ options: [String]) throws {
        let literal = host.contains(":") ? "[\(host)]" : host
        var arguments = ["s_server", "-www", "-accept", "\(literal):0", "-cert", identity.certificateFile]
        arguments += ["-key", identity.keyFile] + options
        if let chain = identity.chainFile { arguments += ["-cert_chain", chain] }
        process = try ChildProcess(TestAuthority.program, arguments)
        var text = ""
        while !Self.isListening(text), let bytes = process.read() { text += String(decoding: bytes, as: UTF8.self) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        guard let port = line?.split(separator: ":").last.flatMap({ Int($0) }) else {
            process.end()
            throw ChildProcess.Failure(description: "openssl s_server does not listen: \(text)")
        }
        url = HTTPURL(origin: Origin(scheme: .https, host: host, port: port), path: "/")
    }

    private static func isListening(_ text: String) -> Bool {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().contains { $0.hasPrefix("ACCEPT") }
    }

    /// Ends the server.
    package func stop() async {
        try? await elsewhere { [process] in process.end() }
    }
}
#endif
