// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport

/// An nginx with one worker on loopback, its files in a folder of its own.
final class TransportServer {
    let folder: URL
    private let port: Int
    private let process: Process

    /// Starts nginx; `nil` when it is not installed.
    static func start() async throws -> TransportServer? {
        let candidates = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
        guard let program = candidates.first(where: FileManager.default.isExecutableFile) else { return nil }
        let server = try TransportServer(program: program, port: try Socket.portForLater())
        try await server.waitUntilReady()
        return server
    }

    private init(program: String, port: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rest-bench-\(UUID().uuidString)")
        self.port = port
        process = Process()
        try makeFiles()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Stops nginx and removes its files.
    func stop() {
        // The child may have inherited a mask that blocks SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// The address of a file.
    func url(_ path: String) -> HTTPURL {
        HTTPURL(origin: Origin(scheme: .http, host: "127.0.0.1", port: port), path: path)
    }

    /// An answer of 600 bytes as a client reads it.
    private static let small: String = {
        let start = """
            {"totalSize":1,"done":true,"records":[{"attributes":{"type":"Account",\
            "url":"/services/data/v66.0/sobjects/Account/001xx000003DGb2AAG"},"Id":"001xx000003DGb2AAG",\
            "Name":"Harbour Lights","Industry":"Banking","AnnualRevenue":1250000.5,"IsDeleted":false,\
            "Owner":{"Name":"Ada Fields","Id":"005xx000001X8UzAAK"},"ParentId":null,"Description":"
            """
        let end = #""}]}"#
        return start + String(repeating: "a", count: 600 - start.utf8.count - end.utf8.count) + end
    }()

    private func makeFiles() throws {
        let root = folder.appendingPathComponent("www")
        for name in ["up", "body"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try Data(Self.small.utf8).write(to: root.appendingPathComponent("600"))
        try Data(repeating: 0x61, count: 1_150_000).write(to: root.appendingPathComponent("page"))
        let big = root.appendingPathComponent("big")
        try Data().write(to: big)
        let handle = try FileHandle(forWritingTo: big)
        try handle.truncate(atOffset: extent(1 << 30, short: 1 << 20))
        try handle.close()
        try configuration.write(to: folder.appendingPathComponent("nginx.conf"), atomically: false, encoding: .utf8)
    }

    private var configuration: String {
        """
        daemon off; master_process off; worker_processes 1; pid nginx.pid;
        events { worker_connections 4096; }
        http {
          access_log off; sendfile on; tcp_nopush on; default_type application/json;
          keepalive_requests 100000000; keepalive_timeout 600s; client_max_body_size 0; open_file_cache max=100;
          client_body_temp_path www/body; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
          server { listen 127.0.0.1:\(port) backlog=4096; root www; location /up/ { dav_methods PUT; } }
        }
        """
    }

    private func waitUntilReady() async throws {
        for _ in 0..<200 {
            if (try? run("/usr/bin/env", ["test", "-s", folder.appendingPathComponent("nginx.pid").path])) != nil {
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailed(command: "nginx", status: 1)
    }
}
