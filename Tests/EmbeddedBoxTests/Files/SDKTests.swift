// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import EmbeddedBox
import RestSDK
import StoneRuntime
import Testing

@Suite("The generated client at a box")
struct SDKTests {
    @Test("a file is uploaded, listed in pages, downloaded, and missed by its type")
    func roundTrip() async throws {
        let box = try await LocalBox.start()
        let client = try RestClient(
            instanceURL: box.origin, accessToken: Secret(box.accessToken),
            configuration: RestClient.Configuration(services: box.services))
        let files = StoneClient(client).files
        for number in 0..<5 {
            _ = try await files.upload(
                body: .bytes(Array("\(number)".utf8)), path: "/sdk/\(number).txt"
            ).value
        }
        var names: [String] = []
        for try await entry in files.listFolder(path: "/sdk", limit: 2).elements { names.append(entry.name) }
        #expect(names == (0..<5).map { "\($0).txt" })
        await #expect { try await files.getMetadata(path: "/none").value } throws: { error in
            guard case .route(let problem, _)? = error as? CallError<Files.GetMetadataError> else { return false }
            return problem == .path(.notFound)
        }
        await box.stop()
    }
}
