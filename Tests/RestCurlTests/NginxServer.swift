// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport

/// An nginx on loopback with TLS and HTTP/2 that passes every request on to another server.
///
/// Its answers name the connection they came over in the field `X-Connection`.
final class NginxServer: Sendable {
    private static let program = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    /// Whether nginx is installed.
    static var isAvailable: Bool { program != nil }

    let url: HTTPURL
    private let process: Process
    private let folder: URL

    /// Starts a server; it answers when this returns.
    static func start(_ identity: TestAuthority.Identity, upstreamPort: Int) async throws -> NginxServer {
        let server = try NginxServer(identity, upstreamPort)
        for _ in 0..<500 where (try? Socket.connected(port: server.url.origin.port)) == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        return server
    }

    private init(_ identity: TestAuthority.Identity, _ upstreamPort: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rest-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Free a moment ago; loopback ports are given out in turn, so that nobody gets it at once.
        let port = try Socket.listening().port
        url = HTTPURL(origin: Origin(scheme: .https, host: "127.0.0.1", port: port), path: "/")
        let file = folder.appendingPathComponent("nginx.conf")
        try Self.configuration(identity, folder.path, port, upstreamPort)
            .write(to: file, atomically: false, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program ?? "")
        process.arguments = ["-c", file.path, "-p", folder.path, "-e", "error.log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(
        _ identity: TestAuthority.Identity, _ folder: String, _ port: Int, _ upstreamPort: Int
    ) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            events {}
            http {
                \(folders.joined(separator: "\n    "))
                access_log off;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(identity.certificateFile);
                    ssl_certificate_key \(identity.keyFile);
                    client_max_body_size 0;
                    location / {
                        proxy_pass http://127.0.0.1:\(upstreamPort);
                        proxy_http_version 1.1;
                        proxy_buffering off;
                        proxy_request_buffering off;
                        add_header X-Connection $connection;
                    }
                }
            }
            """
    }
}
