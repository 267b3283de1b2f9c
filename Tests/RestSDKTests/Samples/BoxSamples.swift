// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Testing

/// The samples of the article on tests of code that uses Dropbox, word for word.
@Suite("The article on clients of a box")
struct BoxSamples {
    // sample: docs/EmbeddedBox.docc/DropboxClients.md 1
    func dropboxClient(of box: LocalBox, accessToken: String) throws -> DropboxClient {
        try DropboxClient(accessToken: Secret(accessToken), origin: box.origin)
    }

    @Test("a file is uploaded, and read back")
    func roundTrip() async throws {
        let box = try await LocalBox.start()
        let client = try dropboxClient(of: box, accessToken: box.accessToken)

        let file = try await client.upload(.bytes(Array("milk".utf8)), to: "/list.txt").value

        let content = try await client.download("/list.txt", limit: 1_000).value
        #expect(content.bytes == Array("milk".utf8))
        #expect(file.size == 4)
        #expect(box.journal.entries.last?.target == "/2/files/download")
        await box.stop()
    }
    // end

    // sample: docs/EmbeddedBox.docc/DropboxClients.md 2
    @Test("users of a team have files of their own")
    func team() async throws {
        var configuration = LocalBoxConfiguration()
        configuration.members = [LocalBoxConfiguration.Member("bob@example.com", displayName: "Bob Example")]
        let box = try await LocalBox.start(configuration)
        let (ada, bob) = (box.users[0], box.users[1])
        let first = try dropboxClient(of: box, accessToken: ada.accessToken)
        _ = try await first.upload(.bytes([1]), to: "/ada.txt").value

        let second = try dropboxClient(of: box, accessToken: bob.accessToken)
        #expect(try await second.files.listFolder(path: "").value.entries.isEmpty)

        let hosts = DropboxHosts(all: try Origin(parsing: box.origin))
        let team = DropboxTeamClient(
            accessToken: Secret(try #require(box.teamAccessToken)), app: DropboxApp(hosts: hosts))
        let asAda = team.asMember(try #require(ada.memberID))
        #expect(try await asAda.files.listFolder(path: "").value.entries.map(\.name) == ["ada.txt"])
        await box.stop()
    }
    // end

    // sample: docs/EmbeddedBox.docc/DropboxClients.md 3
    @Test("a client waits, renews nothing that is lost, and reports typed errors")
    func faults() async throws {
        let box = try await LocalBox.start()
        let client = try dropboxClient(of: box, accessToken: box.accessToken)

        // A rate limit: the client waits as long as the box says, and tries again.
        box.faults.add(.rateLimited(retryAfter: 0), matching: "/files/list_folder")
        _ = try await client.files.listFolder(path: "").value
        #expect(box.journal.entries.map(\.status) == [429, 200])

        // The error of a route, as JSON.
        let notFound = #"{".tag": "path", "path": {".tag": "not_found"}}"#
        box.faults.add(.routeError(notFound), matching: "/files/get_metadata")
        let error = await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await client.files.getMetadata(path: "/plan.txt").value
        }
        if case .route(.path(.notFound), let response) = error {
            #expect(response.status == 409)
        } else {
            Issue.record("another error: \(String(describing: error))")
        }

        // The box stores the file, but its response is lost.
        box.faults.add(.closeAfterHandling, matching: "/files/upload")
        let file = try await client.upload(.bytes([1, 2, 3]), to: "/once.bin").value
        #expect(file.pathDisplay == "/once.bin")
        #expect(try await client.files.listFolder(path: "").value.entries.count == 1)
        await box.stop()
    }
    // end
}
