// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import EmbeddedBox
import RestSDK
import StoneRuntime
import Testing

@Suite("The samples on generated APIs")
struct StoneSamples {
    // sample: docs/stone.md 1
    func show(_ client: RestClient) async throws {
        let box = StoneClient(client)

        let account = try await box.users.getCurrentAccount().value
        print(account.name.displayName, account.email)

        for try await entry in box.files.listFolder(path: "").elements {  // all pages
            print(entry.name)
        }

        // Starts the job, and asks how it stands until it is done.
        let old = [Files.DeleteArg(path: "/old")]
        _ = try await box.files.deleteBatch(entries: old).finished(within: .seconds(60))
    }
    // end

    // sample: docs/stone.md 2
    func list(_ box: StoneClient) async {
        do {
            for try await entry in box.files.listFolder(path: "/reports").elements {
                switch entry {
                case .file(let file): print(file.name, file.size)
                case .folder(let folder): print(folder.name)
                default: break
                }
            }
        } catch {
            switch error {
            case .first(.route(.path(.notFound), _)): print("there is no such folder")
            default: print(error)
            }
        }
    }
    // end

    @Test("they run against an embedded server")
    func run() async throws {
        // sample: docs/EmbeddedBox.docc/EmbeddedBox.md 1
        let box = try await LocalBox.start()
        let client = try RestClient(
            instanceURL: box.origin, accessToken: Secret(box.accessToken),
            configuration: RestClient.Configuration(services: box.services))
        let page = try await StoneClient(client).files.listFolder(path: "").value
        print(page.entries)
        await box.stop()
        // end
        #expect(page.entries.isEmpty)
    }

    @Test("they ask the routes that they name, and read all that comes")
    func routes() async throws {
        let box = try await LocalBox.start()
        let client = try RestClient(
            instanceURL: box.origin, accessToken: Secret(box.accessToken),
            configuration: RestClient.Configuration(services: box.services))
        try await show(client)
        await list(StoneClient(client))
        let paths = box.journal.entries.map(\.target)
        #expect(
            paths == [
                "/2/users/get_current_account", "/2/files/list_folder", "/2/files/delete_batch",
                "/2/files/delete_batch/check", "/2/files/delete_batch/check",
                "/2/files/list_folder",
            ])
        await box.stop()
    }

    @Test("a spec's hosts are at the servers that the configuration names")
    func services() throws {
        // sample: docs/stone-your-api.md 1
        let configuration = RestClient.Configuration(
            services: [
                .service("api"): .init(origin: Origin(scheme: .https, host: "notes.example.com"), basePath: "/2")
            ])
        let client = try RestClient(
            instanceURL: "https://notes.example.com", accessToken: "token", configuration: configuration)
        // end
        var request = RestRequest(method: .post, resource: .data(["notes", "get_note"]))
        request.service = .service("api")
        #expect(try client.httpRequest(for: request).url.path == "/2/notes/get_note")
    }
}
