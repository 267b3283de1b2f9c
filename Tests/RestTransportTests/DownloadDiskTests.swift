// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import RestTransport

/// A download whose answers a test gives by hand.
private struct HandedDownload {
    let folder: TemporaryFolder
    let target: HTTPResponse.Download
    private let request: HTTPRequest

    init() throws {
        folder = try TemporaryFolder()
        target = HTTPResponse.Download(path: folder.path("down"))
        request = HTTPRequest(url: try HTTPURL(parsing: "https://a.example/file"))
    }

    /// Begins an attempt; gives the part that it asks for, too.
    func begin() -> (attempt: HTTPResponse.Download.Attempt, range: String?) {
        let (request, attempt) = target.begin(request)
        return (attempt, request.fields["Range"])
    }

    /// The head of an answer with the rest of ten bytes.
    static func head(from start: Int = 0) -> HTTPResponse.Head {
        var head = HTTPResponse.Head(status: start == 0 ? 200 : 206, fields: ["ETag": #""a""#])
        head.fields["Content-Length"] = "\(10 - start)"
        if start > 0 { head.fields["Content-Range"] = "bytes \(start)-9/10" }
        return head
    }
}

@Suite("Downloads whose file cannot be written")
struct DownloadDiskTests {
    #if canImport(Glibc)
    @Test("Bytes of a write that failed are asked for again, and what it left is not in the file")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let download = try HandedDownload()
            let first = download.begin().attempt
            guard try first.receive(HandedDownload.head()) else { exit(2) }
            try first.write(Array("abcd".utf8))
            await FullDisk.during(after: 6) {
                guard (try? first.write(Array("efgh".utf8))) == nil else { exit(3) }
            }
            let (second, range) = download.begin()
            guard range == "bytes=4-9", try second.receive(HandedDownload.head(from: 4)) else { exit(4) }
            try second.write(Array("efghij".utf8))
            try second.finish()
            guard download.folder.text(of: "down") == "abcdefghij" else { exit(5) }
            guard download.folder.names == ["down"] else { exit(6) }
        }
    }
    #endif

    @Test("A file that cannot be moved into place is begun again by the next attempt")
    func lastStep() throws {
        let download = try HandedDownload()
        let path = download.folder.path("down")
        for isBlocked in [true, false] {
            let (attempt, range) = download.begin()
            #expect(range == nil)
            try #expect(attempt.receive(HandedDownload.head()))
            try attempt.write(Array("abcdefghij".utf8))
            guard isBlocked else {
                try attempt.finish()
                continue
            }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let error = #expect(throws: TransportError.self) { try attempt.finish() }
            #expect(error?.code == .file)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(download.folder.text(of: "down") == "abcdefghij" && download.folder.names == ["down"])
    }
}
