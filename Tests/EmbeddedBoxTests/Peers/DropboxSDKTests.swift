// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedBox
import Foundation
import RestJSON
import Testing

@Suite("Peers")
struct DropboxSDKTests {
    @Test("Dropbox's SDK for Python lists, uploads, downloads, moves, shares and deletes, and gets typed errors")
    func pythonSDK() async throws {
        let box = try await LocalBox.start()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "dropbox_check.py")
        let environment = [
            "ACCESS_TOKEN": box.accessToken, "REFRESH_TOKEN": box.refreshToken, "APP_KEY": box.appKey,
            "APP_SECRET": box.appSecret,
        ]
        let output = try Python.run([script.path, String(box.port)], environment: environment)
        let seen = try JSONValue(parsing: Array(output.utf8))
        #expect(seen["account"]?.string == box.accountID && seen["refreshed"]?.string == box.accountID)
        #expect(seen["space"]?.bool == true && seen["user"]?.string == "hello")
        #expect(seen["uploaded"]?.string == "März 🍺.txt")
        #expect(seen["hash"]?.bool == true && seen["downloaded"]?.bool == true)
        #expect(seen["listed"]?.array?.compactMap(\.int) == [27, 3, 1])
        #expect(seen["polled"]?.array?.compactMap(\.bool) == [true])
        #expect(
            seen["changed"]?.array?.compactMap(\.string) == ["DeletedMetadata 00.txt", "FileMetadata moved.txt"])
        #expect(seen["offset"]?.int == 600_000 && seen["session"]?.int == 1_200_000)
        #expect(seen["batch"]?.array?.compactMap(\.string) == ["success", "success", "success", "failure"])
        #expect(seen["folder"]?.string == "/peer/folder" && seen["copied"]?.string == "copy")
        #expect(seen["revisions"]?.int == 2 && seen["restored"]?.string == "one")
        #expect(seen["deleted"]?.string == "copy")
        #expect(seen["deletedBatch"]?.array?.compactMap(\.string) == ["success", "failure"])
        #expect(seen["temporary"]?.string == "0" && seen["sharedFile"]?.string == "0")
        #expect(seen["shared"]?.bool == true && seen["links"]?.array?.compactMap(\.string) == ["moved.txt"])
        #expect(seen["login"]?[0]?.string == box.accountID)
        #expect(seen["login"]?[1]?.bool == true && seen["login"]?[2]?.bool == true)
        #expect(
            seen["errors"]?.array?.compactMap(\.string) == [
                "path/not_found", "path/not_file", "path/conflict/file", "path/conflict/folder",
                "from_lookup/not_found", "path_lookup/not_found", "shared_link_already_exists/metadata",
                "BadInputError", "AuthError invalid_access_token", "PathRootError", "AuthError invalid_access_token",
            ])
        await box.stop()
    }
}
