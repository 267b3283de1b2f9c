// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport

/// The pages of one query result as files for nginx, so that no server-side work is measured.
struct RecordPages {
    static let size = 2_000
    private static let folder = "/services/data/v66.0/query"
    /// The owner of the token, to whom a copy belongs.
    private static let user = #"{"organization_id":"00D000000000001EAA","user_id":"005000000000001AAA"}"#

    let count: Int
    private let nginx: NginxServer

    /// Creates the pages and starts nginx, or returns `nil` if nginx is not installed.
    ///
    /// The records of a page are changed by `change`, which gets the number of the page.
    init?(
        records: Int, change: (Int, ArraySlice<UInt8>) -> [UInt8] = { Array($1) }
    ) async throws {
        let port = try Socket.portForLater()
        let configuration = """
            client_body_temp_path b; open_file_cache max=2000;
            server {
              listen 127.0.0.1:\(port); root www;
              location = \(Self.folder) { rewrite ^ \(Self.folder)/0 last; }
              location = \(Self.folder)/ { rewrite ^ \(Self.folder)/0 last; }
              location = /services/oauth2/userinfo { return 200 '\(Self.user)'; }
            }
            """
        let nginx = try await NginxServer.start(port: port, configuration: configuration) { folder in
            try Self.write(records, below: folder.appendingPathComponent("www" + Self.folder), change)
        }
        guard let nginx else { return nil }
        (count, self.nginx) = (records, nginx)
    }

    func stop() { nginx.stop() }

    /// The environment variables that refer programs to the server.
    var environment: [String: String] {
        ["SF_INSTANCE_URL": nginx.url("").origin.description, "SF_ACCESS_TOKEN": "token"]
    }

    private static func write(
        _ records: Int, below folder: URL, _ change: (Int, ArraySlice<UInt8>) -> [UInt8]
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The content repeats after a hundred pages.
        let pages = records / size
        let bodies = try (0..<min(pages, 100)).map { try JSONPage(records: size, seed: UInt64($0)).recordBytes }
        for page in 0..<pages {
            let next = page + 1 < pages ? #","nextRecordsUrl":"\#(Self.folder)/\#(page + 1)""# : ""
            let head = #"{"totalSize":\#(records),"done":\#(next.isEmpty)\#(next),"records":["#
            let text = Array(head.utf8) + change(page, bodies[page % bodies.count]) + Array("]}".utf8)
            try Data(text).write(to: folder.appendingPathComponent("\(page)"))
        }
    }
}

extension JSONPage {
    /// The records alone, separated by commas.
    var recordBytes: ArraySlice<UInt8> {
        let start = Array(#""records":["#.utf8)
        let from = bytes.firstRange(of: start)?.upperBound ?? bytes.startIndex
        return bytes[from..<(bytes.endIndex - 2)]
    }
}
