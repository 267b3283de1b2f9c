// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestCurl
import RestSDK
import RestTesting
import Testing

/// The tests that the article on testing shows, word for word.
@Suite("The article on testing")
struct TestingSamples {
    // sample: docs/RestSDK.docc/TestingYourApp.md 1
    @Test("the names of all accounts are read")
    func names() async throws {
        let transport = StubTransport()
        transport.enqueue(#"{"totalSize":1,"done":true,"records":[{"Name":"Harbour"}]}"#)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))

        let accounts = try await client.records("SELECT Name FROM Account").collect(limit: 10)

        #expect(accounts.map { $0["Name"]?.string } == ["Harbour"])
        #expect(transport.requests.first?.url.path == "/services/data/v66.0/query")
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 2
    @Test("a server in trouble is asked three times")
    func patience() async throws {
        let transport = StubTransport()
        let clock = ManualClock()
        for _ in 0..<3 { transport.enqueue(status: 503) }
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport, clock: clock))

        await #expect(throws: RestError.self) { try await client.send(.limits) }

        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.count == 2)
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 3
    @Test("a failure is told once")
    @MainActor
    func callbacks() async throws {
        let transport = StubTransport()
        transport.enqueue(status: 404, #"[{"errorCode":"NOT_FOUND","message":"no such record"}]"#)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))
        let delegate = RecordingDelegate()

        _ = try? await client.send(.limits, delegate: delegate).value

        guard case .failed(let error) = delegate.callbacks.first else { return }
        #expect(error.code == .notFound)
        #expect(delegate.callbacks.count == 1)
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 4
    @Test("an account is created once, although the session ended before")
    func creation() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        _ = try await client.send(.limits)
        org.faults.expireAccessTokens()

        let created = try await client.send(.create("Account", ["Name": "Harbour Lights"]))

        let id = try #require(created.payload["id"]?.string)
        let found = try await client.records("SELECT Name FROM Account WHERE Id = \(id)").collect(limit: 2)
        #expect(found.map { $0["Name"]?.string } == ["Harbour Lights"])
        #expect(org.journal.entries.filter { $0.method == "POST" && $0.status == 201 }.count == 1)
        await org.stop()
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 5
    @Test("an account whose answer is lost was created once, and the error says that nobody knows")
    func lostAnswer() async throws {
        let org = try await LocalOrg.start()
        let proxy = try FaultProxy(to: org.port, plan: FaultPlan(script: [[.droppedResponse]]))
        let client = try RestClient(
            instanceURL: proxy.origin.description, accessToken: Secret(org.issueCredential().accessToken))

        let error = await #expect(throws: RestError.self) {
            try await client.send(.create("Account", ["Name": "Harbour Lights"]))
        }

        #expect(error?.outcome == .unknown)
        #expect(org.journal.entries.filter { $0.method == "POST" && $0.status == 201 }.count == 1)
        #expect(await proxy.stop().exchanges.map(\.fault) == [.droppedResponse])
        await org.stop()
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 7
    @Test("a new account says what it is for")
    func sent() async throws {
        let transport = StubTransport()
        transport.enqueue(status: 201, #"{"id":"001bZ0000000001QAA","success":true,"errors":[]}"#)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))

        _ = try await client.send(.create("Account", ["Name": "Harbour", "Industry": "Energy"]))

        let sent = try #require(transport.requests.first)
        #expect(sent.method == .post)
        #expect(sent.url.path == "/services/data/v66.0/sobjects/Account")
        #expect(sent.fields["Authorization"] == "Bearer token")
        let body = try JSONValue(parsing: sent.body.inMemory ?? [])
        #expect(body["Industry"]?.string == "Energy")
    }
    // end

    // sample: docs/RestSDK.docc/TestingYourApp.md 8
    @Test("a user logs in at the page in the browser")
    func browserLogin() async throws {
        let org = try await LocalOrg.start()
        let server = try HTTPURL(parsing: org.instanceURL).origin
        let oauth = OAuthClient(
            login: server, clientID: LocalOrg.publicClientID, clientSecret: nil, transport: PlatformTransport.shared)
        let user = LoopbackPresenter { page in
            Task {
                let browser = FormBrowser(transport: PlatformTransport.shared)
                let login = try await browser.open(page)
                let form = try #require(login.forms.first)
                let values = ["username": org.username, "password": org.password, "action": "login"]
                let question = try await browser.submit(form, of: login, values)
                _ = try await browser.submit(#require(question.forms.first), of: question, ["action": "allow"])
            }
        }

        let credential = try await oauth.login(with: user, scopes: ["api"], deadline: .now + .seconds(60))

        #expect(credential.instance == server)
        await org.stop()
    }
    // end
}

/// The suite that the article shows; the transports' own tests run its cases.
@Suite("The article on testing a transport", .disabled("shown, not run: the tests of each transport run the cases"))
struct ConformanceSample {
    private typealias MyTransport = CurlTransport

    // sample: docs/RestSDK.docc/TestingYourApp.md 6
    @Test(arguments: TransportConformance.cases)
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = MyTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }
    // end
}
