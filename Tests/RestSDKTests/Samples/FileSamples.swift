// SPDX-License-Identifier: Apache-2.0

import RestSDK

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

    private static func download(_ client: RestClient) async throws {
        // sample: docs/RestSDK.docc/Files.md 2
        let file = RestRequest.blob("ContentVersion", id: "068bZ0000000001QAA", field: "VersionData")
        let head = try await client.download(file, to: "/tmp/report.pdf")
        print(head.fields["Content-Type"] ?? "")
        // end
    }
}
