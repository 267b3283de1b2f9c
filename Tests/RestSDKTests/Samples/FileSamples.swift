// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Synchronization

/// The samples of the article on files, word for word; they need an org with files, so that they are compiled only.
enum FileSamples {
    private static func upload(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 1
        let upload = RestRequest.create(
            "ContentVersion", ["Title": "Report", "PathOnClient": "report.pdf"],
            with: .file("VersionData", path: "/tmp/report.pdf", type: "application/pdf"))
        let created = try await client.send(
            upload.timeout(.seconds(600)).reportingProgress { print($0.sent, $0.sentTotal ?? 0) })
        print(created.payload["id"]?.string ?? "")
        // end
    }

    private static func stream(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 2
        let rows = ["Id,Name\n", "1,Acme\n", "2,Globex\n"]
        var upload = RestRequest(
            method: .put, resource: .data(["jobs", "ingest", "7505fEXAMPLE", "batches"]),
            fields: ["Content-Type": "text/csv"])
        upload.body = .stream(
            .restartable {
                let left = Mutex(rows[...])
                return { left.withLock { $0.popFirst() }.map { Array($0.utf8) } }
            })
        _ = try await client.send(upload)
        // end
    }

    private static func relay(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 3
        let source = RestRequest.blob("ContentVersion", id: "068bZ0000000001QAA", field: "VersionData")
        let content = try await client.stream(source)
        var copy = RestRequest(method: .put, resource: .serverPath("/services/apexrest/archive/report.pdf"))
        copy.body = .stream(.once(content))
        _ = try await client.send(copy.timeout(.seconds(600)))
        // end
    }

    private static func download(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 4
        let file = RestRequest.blob("ContentVersion", id: "068bZ0000000001QAA", field: "VersionData")
        let head = try await client.download(file, to: "/tmp/report.pdf")
        print(head.fields["Content-Type"] ?? "")
        // end
        try await part(of: file, client)
    }

    private static func part(of file: RestRequest, _ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 5
        let start = try await client.download(file, to: "/tmp/head.bin", range: .bytes(0..<4_096))
        print(start.status, start.fields["Content-Range"] ?? "the whole was sent, and cut")
        try await client.download(file, to: "/tmp/tail.bin", range: .last(1_024))
        // end
    }
}
