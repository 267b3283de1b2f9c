// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTransport

/// An nginx with one worker on loopback, with its own directory.
final class NginxServer {
    let folder: URL
    private let port: Int
    private let process = Process.tool(limit: Int(AreaProcess.limit))

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - configuration: the additional content of the `http` block.
    ///   - files: creates the files in the directory.
    /// - Returns: the server, or `nil` if nginx is not installed.
    /// - Throws: the errors of `files`, and ``CommandFailed`` if nginx does not start.
    static func start(
        port: Int, configuration: String, files: (URL) throws -> Void
    ) async throws -> NginxServer? {
        guard let program else { return nil }
        let server = NginxServer(port: port)
        try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
        try files(server.folder)
        try server.run(program, configuration)
        try await server.waitUntilReady()
        return server
    }

    static var program: String? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
            .first(where: FileManager.default.isExecutableFile)
    }

    private init(port: Int) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rest-bench-\(UUID().uuidString)")
        self.port = port
    }

    private func run(_ program: String, _ configuration: String) throws {
        let text = """
            daemon off; master_process off; worker_processes 1; pid nginx.pid;
            events { worker_connections 4096; }
            http {
              access_log off; sendfile on; tcp_nopush on; default_type application/json;
              keepalive_requests 100000000; keepalive_timeout 600s; client_max_body_size 0;
              proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
              \(configuration)
            }
            """
        try text.write(to: folder.appendingPathComponent("nginx.conf"), atomically: false, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        // The child may have inherited a mask that blocks SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> HTTPURL {
        HTTPURL(origin: Origin(scheme: .http, host: "127.0.0.1", port: port), path: path)
    }

    private func waitUntilReady() async throws {
        for _ in 0..<200 {
            let written = try? Data(contentsOf: folder.appendingPathComponent("nginx.pid"))
            if written?.isEmpty == false { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailed(command: "nginx", status: 1)
    }
}
