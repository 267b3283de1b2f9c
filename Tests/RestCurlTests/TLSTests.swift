// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport and TLS", .timeLimit(.minutes(1)), .enabled(if: TLSServer.isAvailable))
struct TLSTests {
    private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlConfiguration()
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    private func error(of transport: CurlTransport, _ url: HTTPURL) async -> TransportError? {
        await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(method: .post, url: url, body: .bytes([1])), deadline: soon)
        }
    }

    @Test("A certificate of a given authority is accepted, with its key pinned or not")
    func trusted() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let trusting = transport { $0.tls.authoritiesFile = server.certificateFile }
        #expect(try await trusting.send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        let pin = server.keyDigest
        let pinned = transport {
            $0.tls.authoritiesFile = server.certificateFile
            $0.tls.pinnedKeyDigests = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", pin]
        }
        #expect(try await pinned.send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
        let wrong = transport {
            $0.tls.authoritiesFile = server.certificateFile
            $0.tls.pinnedKeyDigests = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        }
        let error = await error(of: wrong, server.url)
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("A60: a certificate nobody vouches for is refused before anything is sent")
    func selfSigned() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let error = await error(of: transport(), server.url)
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("A60: a certificate for another host is refused")
    func wrongHost() async throws {
        let server = try await TLSServer.start(host: "DNS:elsewhere.invalid")
        defer { server.stop() }
        let error = await error(of: transport { $0.tls.authoritiesFile = server.certificateFile }, server.url)
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("A60: an expired certificate is refused")
    func expired() async throws {
        let server = try await TLSServer.start(isExpired: true)
        defer { server.stop() }
        let error = await error(of: transport { $0.tls.authoritiesFile = server.certificateFile }, server.url)
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(
        "A60: old protocols, and ciphers that hide nothing, are refused",
        arguments: [
            ["-tls1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "NULL-SHA256:@SECLEVEL=0"],
        ])
    func oldProtocol(options: [String]) async throws {
        let server = try await TLSServer.start(options: options)
        defer { server.stop() }
        let error = await error(of: transport { $0.tls.authoritiesFile = server.certificateFile }, server.url)
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("TLS 1.3 can be demanded")
    func minimumVersion() async throws {
        let server = try await TLSServer.start(options: ["-tls1_2"])
        defer { server.stop() }
        let modern = transport {
            $0.tls.authoritiesFile = server.certificateFile
            $0.tls.minimumVersion = .tls13
        }
        #expect(await error(of: modern, server.url)?.code == .tls)
        let usual = transport { $0.tls.authoritiesFile = server.certificateFile }
        #expect(try await usual.send(HTTPRequest(url: server.url), deadline: soon).head.status == 200)
    }
}

/// An `openssl s_server` on loopback with a certificate of its own.
private final class TLSServer: Sendable {
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    let url: HTTPURL
    let certificateFile: String
    /// The SHA-256 digest of the certificate's public key in base64.
    let keyDigest: String
    private let folder: URL
    private let process: Process

    /// Starts a server; everything that blocks happens outside Swift's own threads.
    static func start(
        host: String = "IP:127.0.0.1", isExpired: Bool = false, options: [String] = []
    ) async throws -> TLSServer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "tls-server").async {
                continuation.resume(with: Result { try TLSServer(host: host, isExpired: isExpired, options: options) })
            }
        }
    }

    private init(host: String, isExpired: Bool, options: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rest-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificateFile = folder.appendingPathComponent("cert.pem").path
        let key = folder.appendingPathComponent("key.pem").path
        let request = folder.appendingPathComponent("request.pem").path
        let extensions = folder.appendingPathComponent("extensions").path
        try "subjectAltName=\(host)".write(toFile: extensions, atomically: false, encoding: .utf8)
        _ = try Self.run([
            "req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=rest-test",
        ])
        _ = try Self.run([
            "x509", "-req", "-in", request, "-signkey", key, "-extfile", extensions, "-out", certificateFile, "-days",
            isExpired ? "-1" : "2",
        ])
        keyDigest = try Self.keyDigest(of: certificateFile, in: folder)
        let output = Pipe()
        process = Self.process(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificateFile, "-key", key, "-www"] + options)
        process.standardOutput = output
        process.standardInput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        let port = line?.split(separator: ":").last.flatMap { Int($0) } ?? 0
        url = HTTPURL(origin: Origin(scheme: .https, host: "127.0.0.1", port: port), path: "/")
    }

    func stop() {
        // The child inherits a signal mask in which SIGTERM is blocked.
        kill(process.processIdentifier, SIGKILL)
        DispatchQueue(label: "tls-server-end").async { [process, folder] in
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private static func keyDigest(of certificateFile: String, in folder: URL) throws -> String {
        let key = folder.appendingPathComponent("public.pem").path
        let der = folder.appendingPathComponent("public.der").path
        _ = try run(["x509", "-in", certificateFile, "-pubkey", "-noout", "-out", key])
        _ = try run(["pkey", "-pubin", "-in", key, "-outform", "der", "-out", der])
        return try run(["dgst", "-sha256", "-binary", der]).base64EncodedString()
    }

    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        return process
    }

    private static func run(_ arguments: [String]) throws -> Data {
        let process = process(arguments)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return data
    }
}
