// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Dropbox
import EmbeddedBox
import RestAuth
import RestTransport
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
