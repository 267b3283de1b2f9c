// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport

/// An nginx with small responses, a page, a large file, and uploads.
final class TransportServer {
    private let nginx: NginxServer

    /// Starts nginx, or returns `nil` if it is not installed.
    static func start() async throws -> TransportServer? {
        let port = try Socket.portForLater()
        let nginx = try await NginxServer.start(port: port, configuration: configuration(port), files: makeFiles)
        return nginx.map { TransportServer($0) }
    }

    private init(_ nginx: NginxServer) {
        self.nginx = nginx
    }

    /// The directory of the configuration and the files.
    var folder: URL { nginx.folder }

    func stop() { nginx.stop() }

    func url(_ path: String) -> HTTPURL { nginx.url(path) }

    /// A typical response of 600 bytes.
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

    private static func makeFiles(in folder: URL) throws {
        let root = folder.appendingPathComponent("www")
        for name in ["up", "body"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try Data(small.utf8).write(to: root.appendingPathComponent("600"))
        try Data(repeating: 0x61, count: 1_150_000).write(to: root.appendingPathComponent("page"))
        let big = root.appendingPathComponent("big")
        try Data().write(to: big)
        let handle = try FileHandle(forWritingTo: big)
        try handle.truncate(atOffset: extent(1 << 30, short: 1 << 20))
        try handle.close()
    }

    private static func configuration(_ port: Int) -> String {
        """
          open_file_cache max=100; client_body_temp_path www/body;
          server { listen 127.0.0.1:\(port) backlog=4096; root www; location /up/ { dav_methods PUT; } }
        """
    }
}
