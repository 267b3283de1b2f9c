// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Dropbox
import DropboxAPI
import EmbeddedBox
import RestAuth
import RestSDK
import RestTransport
import StoneRuntime
import Testing

@Suite("The samples on Dropbox")
struct DropboxSamples {
    // sample: docs/dropbox.md 1
    func list(token: Secret) async throws {
        let box = DropboxClient(accessToken: token)
        for try await entry in box.files.listFolder(path: "").elements {  // all pages
            print(entry.name)
        }
    }
    // end

    // sample: docs/dropbox.md 2
    func logIn(
        _ app: DropboxApp, _ accounts: AccountManager, _ presenter: some LoginPresenter
    ) async throws -> DropboxClient {
        let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
        let options = LoginOptions(
            scopes: ["files.metadata.read", "files.content.read"], grantedScopes: .user)  // and what was granted before
        let credential = try await login.run(with: presenter, options, deadline: .now + .seconds(300))
        let account = try await accounts.add(credential, makesCurrent: true)
        return try DropboxClient(account: account.id, of: accounts, app: app)
    }
    // end

    // sample: docs/dropbox.md 3
    func look(_ box: DropboxClient) async throws {
        let entry = try await box.files.getMetadata(path: "/plan.txt").value
        print(entry.name)

        box.files.getMetadata(path: "/plan.txt").response(on: .main) { result in  // or without a queue: on your actor
            print(result)
        }
    }
    // end

    // sample: docs/dropbox.md 4
    func fetch(_ box: DropboxClient) async throws {
        let download = box.download(
            "/plan.pdf", to: "downloads/plan.pdf", DownloadOptions(overwrites: false, makesFolders: true))
        Task {
            for await update in download.progress { print(update.progress.received) }
        }
        let file = try await download.value
        print(file.rev)
    }
    // end

    // sample: docs/dropbox.md 5
    func fetchMore(_ box: DropboxClient, link: String) async throws {
        _ = try await box.sharing.getSharedLinkFile(url: link).download(to: "plan.pdf").value

        let (_, content) = try await box.files.download(path: "/log.txt").stream(.from(1_000))
        for try await line in content.lines { print(line) }  // as it comes, never whole in memory
    }
    // end

    // sample: docs/dropbox.md 6
    func members(_ token: Secret) async throws {
        let team = DropboxTeamClient(accessToken: token)
        let page = try await team.asMember("dbmid:…").files.listFolder(path: "").value
        print(page.entries.count)
    }
    // end

    // sample: docs/dropbox.md 7
    func read(_ box: DropboxClient) async {
        do {
            _ = try await box.files.getMetadata(path: "/plan.txt").value
        } catch .route(.path(.notFound), let error) {
            print(error.userMessage?.text ?? "there is no plan", error.requestID ?? "")
        } catch {
            switch error.rest.dropbox {
            case .auth(.missingScope(let scope)): print("ask for", scope.requiredScope)
            case .rateLimit: print("wait for", error.rest.retryAfter ?? .seconds(1))
            case .client(let code): print("it never got that far:", code)
            default: print(error)
            }
        }
    }
    // end

    // sample: docs/dropbox.md 8
    func watch(_ box: DropboxClient) {
        box.routes.client.onError(of: Files.LookupError.self) { error, call in
            print(call.request.name, error)
            return .propagate  // or .retry(after: .seconds(5))
        }
    }
    // end

    // sample: docs/dropbox.md 9
    func send(_ box: DropboxClient, _ paths: [String]) async throws {
        let plan = try await box.upload(.file(path: "plan.pdf"), to: "/plan.pdf").value  // of any size
        print(plan.rev)

        let files = paths.map { UploadFile(.file(path: $0), to: "/backup/\($0)", mode: .overwrite) }
        let journal = try UploadJournal(path: "backup.journal")
        for result in await box.upload(files, journal: journal).results {  // in the order of the files
            if case .failure(let error) = result.value { print(result.id, error) }
        }
        journal.remove()
    }
    // end

    // sample: docs/dropbox.md 10
    func sendStream(_ box: DropboxClient, _ chunks: AsyncThrowingStream<[UInt8], any Error>) async throws {
        let file = try await box.upload(.stream(.once(chunks)), to: "/log.txt").value
        print(file.size)
    }
    // end

    private static func readme(_ token: Secret) async throws {
        // sample: README.md 3
        let box = DropboxClient(accessToken: token)
        for try await entry in box.files.listFolder(path: "/reports").elements {  // all pages
            print(entry.name)
        }
        // goes on where it broke off, and is there when its content hash is right
        let file = try await box.download("/reports/plan.pdf", to: "plan.pdf").value
        print(file.rev)
        // end
    }

    @Test("they run against an embedded box")
    func run() async throws {
        let server = try await LocalBox.start()
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        let app = DropboxApp(key: server.appKey, hosts: DropboxHosts(all: origin))
        let accounts = try await AccountManager.open(store: InMemoryCredentialStore())
        let box = try await logIn(app, accounts, Browser())
        #expect(accounts.current?.userID == server.accountID)
        watch(box)
        await read(box)
        let writer = try DropboxClient(accessToken: Secret(server.accessToken), origin: server.origin)
        _ = try await writer.files.upload(body: .bytes([1]), path: "/plan.txt").value
        try await look(box)
        await read(box)
        #expect(server.journal.entries.contains { $0.target == "/2/files/get_metadata" })
        await server.stop()
    }

    /// Agrees to everything, as the page of an embedded box does, and comes back by its redirect.
    private struct Browser: LoginPresenter {
        func present(
            until deadline: ContinuousClock.Instant, begin: BeginLogin
        ) async throws(OAuthError) -> PendingLogin.Redirect {
            let login = try begin("http://127.0.0.1:1/back")
            do throws(TransportError) {
                let answer = try await PlatformTransport.shared.send(HTTPRequest(url: login.url), deadline: deadline)
                return PendingLogin.Redirect(of: login, url: answer.head.fields["Location"] ?? "")
            } catch {
                throw OAuthError(.unreachable, error.message)
            }
        }
    }
}

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
