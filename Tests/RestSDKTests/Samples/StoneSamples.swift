// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTesting
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

    private let transport = StubTransport()

    private func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://api.dropboxapi.com", accessToken: "t",
            configuration: RestClient.Configuration(
                services: DropboxServices.addresses, retryPolicy: .never, transport: transport))
    }

    @Test("they ask the routes that they name, and read all that comes")
    func run() async throws {
        let name = #"{"given_name":"A","surname":"B","familiar_name":"A","display_name":"A B","abbreviated_name":"AB"}"#
        transport.enqueue(
            #"{"account_id":"dbid:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","name":\#(name),"email":"a@example.com","#
                + #""email_verified":true,"disabled":false,"locale":"en","referral_link":"https://example.com/r","#
                + #""is_paired":false,"account_type":{".tag":"basic"},"#
                + #""root_info":{".tag":"user","root_namespace_id":"1","home_namespace_id":"1"}}"#)
        let folder = #"{".tag":"folder","name":"old","id":"id:a"}"#
        transport.enqueue(#"{"entries":[\#(folder)],"cursor":"c","has_more":false}"#)
        transport.enqueue(#"{".tag":"complete","entries":[{".tag":"success","metadata":\#(folder)}]}"#)
        try await show(try client())
        transport.enqueue(
            status: 409, #"{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        await list(StoneClient(try client()))
        #expect(
            transport.requests.map(\.url.path) == [
                "/2/users/get_current_account", "/2/files/list_folder", "/2/files/delete_batch",
                "/2/files/list_folder",
            ])
    }
}
