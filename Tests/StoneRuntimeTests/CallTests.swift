// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import Testing

@testable import StoneRuntime

@Suite("Route calls")
struct CallTests {
    private let transport = StubTransport()
    private let create = Route<RPC, Note, Note, Change>(
        RouteInfo("notes", "folders/create", version: 2), .type, .type, .type)
    private let list = Route<RPC, Void, Page, Mark>(
        RouteInfo("notes", "list", scope: "notes.read", isRead: true), .void, .type, .type)
    private let ping = Route<RPC, Void, Void, Never>(RouteInfo("notes", "ping", auth: ["noauth"]), .void, .void)

    private func client() throws -> StoneClient {
        let hosts = ["api", "content"].map { host in
            (
                RestRequest.Service.service(host),
                RestRequest.Service.Address(
                    origin: Origin(scheme: .https, host: "\(host).example.com"), basePath: "/2")
            )
        }
        let client = try RestClient(
            instanceURL: "https://example.com", accessToken: "t",
            configuration: RestClient.Configuration(
                services: Dictionary(uniqueKeysWithValues: hosts), retryPolicy: .never, transport: transport))
        return StoneClient(client)
    }

    private func body(_ number: Int) -> String {
        String(decoding: transport.requests[number].body.inMemory ?? [], as: UTF8.self)
    }

    @Test("A call posts its argument to the route's path and decodes the result")
    func value() async throws {
        transport.enqueue(#"{"id":"b"}"#)
        let call = try client().call(create, Note(id: "a"))
        #expect(transport.requests.isEmpty)
        #expect(try await call.value == Note(id: "b"))
        let sent = try #require(transport.requests.first)
        #expect("\(sent.method) \(sent.url)" == "POST https://api.example.com/2/notes/folders/create_v2")
        #expect(sent.fields["Content-Type"] == "application/json")
        #expect(sent.fields["Authorization"] == "Bearer t")
        #expect(body(0) == #"{"id":"a","tags":[],"next":[]}"#)
    }

    @Test("A missing argument is null, a missing result is null or empty, and noauth sends no token")
    func void() async throws {
        for response in ["null", ""] { transport.enqueue(response) }
        try await client().call(ping, ()).value
        try await client().call(ping, ()).value
        #expect(body(0) == "null")
        #expect(transport.requests[1].fields["Authorization"] == nil)
    }

    @Test("A route's own error is typed, and handlers find its inner errors")
    func failure() async throws {
        let client = try client()
        transport.enqueue(status: 409, #"{"error":{".tag":"nested","nested":"bad"},"error_summary":"nested/bad/.."}"#)
        let seen = Heard<Mark>()
        client.client.onError(of: Mark.self) { mark, _ in
            seen.add(mark)
            return .propagate
        }
        do throws(CallError<Change>) {
            _ = try await client.call(create, Note(id: "a")).value
            Issue.record("the call succeeded")
        } catch {
            guard case .route(let change, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(change == .nested(.bad))
        }
        #expect(seen.values == [.bad])
    }

    @Test("A route's error comes with the other fields of the response and its whole body")
    func failureInWords() async throws {
        let text = """
            {"error_summary":"deleted/..","error":{".tag":"deleted","more":1},"user_message":{"locale":"en","text":"Gone."}}
            """
        transport.enqueue(status: 409, fields: ["X-Dropbox-Request-Id": "r-7"], text)
        transport.enqueue(status: 409, #"{"error":{".tag":"deleted"},"error_summary":7,"user_message":["x"]}"#)
        transport.enqueue(status: 409, #"{"error":{".tag":"deleted"},"user_message":"Gone."}"#)
        let client = try client()
        var found: [(Change, RestError)] = []
        for _ in 0..<3 {
            do throws(CallError<Change>) {
                _ = try await client.call(create, Note(id: "a")).value
            } catch {
                if case .route(let change, let rest) = error { found.append((change, rest)) }
                if found.count == 1 { #expect("\(error)".hasSuffix("[request r-7]")) }
            }
        }
        #expect(found.map(\.0) == [.deleted, .deleted, .deleted])
        let (first, odd, bare) = (found[0].1, found[1].1, found[2].1)
        #expect(first.status == 409 && first.body == Array(text.utf8))
        #expect(first.errorSummary == "deleted/..")
        #expect(first.userMessage?.text == "Gone." && first.userMessage?.locale == "en")
        #expect(odd.errorSummary == nil && odd.userMessage == nil)
        #expect(bare.userMessage?.text == "Gone." && bare.userMessage?.locale == "")
    }

    @Test("The error of a download route also comes with its response")
    func failureOfContent() async throws {
        let down = Route<Download, Note, Note, Change>(
            RouteInfo("notes", "download", host: "content"), .type, .type, .type)
        let text = #"{"error_summary":"deleted/","error":{".tag":"deleted"}}"#
        for _ in 0..<2 { transport.enqueue(status: 409, text) }
        let call = try client().call(down, Note(id: "a"))
        let failures = [
            await #expect(throws: CallError<Change>.self) { try await call.value },
            await #expect(throws: CallError<Change>.self) { try await call.stream() },
        ]
        for failure in failures {
            guard case .route(.deleted, let rest)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(rest.errorSummary == "deleted/" && rest.body == Array(text.utf8))
        }
    }

    @Test(
        "A response that is not an error of the route is a RestError with the body",
        arguments: [
            (409, "oops", "api"), (409, #"{"error":7}"#, "api"),
            (409, #"{"error":{".tag":7}}"#, "api"),
            (409, #"{"error":{".tag":"nested","nested":{".tag":"worse"}}}"#, "api"),
            (409, #"{"error":{".tag":"nested","nested":"\ud800"}}"#, "api"),
            (409, String(repeating: #"{"error":"#, count: 7_000), "api"), (400, "bad input", "api"),
            (429, "<html>", "rateLimited"),
            (500, "", "server"), (200, #"{"id":7}"#, "decoding"), (200, "{", "decoding"), (200, "", "decoding"),
        ])
    func others(status: Int, text: String, code: String) async throws {
        transport.enqueue(status: status, text)
        let client = try client()
        do throws(CallError<Change>) {
            _ = try await client.call(create, Note(id: "a")).value
            Issue.record("the call succeeded")
        } catch {
            guard case .rest(let error) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.code.rawValue == code)
            #expect(error.body == Array(text.utf8))
            if text == #"{"id":7}"# { #expect(error.message.contains("at id")) }
        }
    }

    @Test(
        "A response that does not fit the spec is an error with the path and the raw body",
        arguments: [
            (#"{"entries":[{".tag":"added","id":"a","next":[{"id":1}]}]}"#, "entries[0].next[0].id"),
            (#"{"entries":[{".tag":7}]}"#, "entries[0]..tag"), (#"{"entries":[{}]}"#, "entries[0]..tag"),
            (#"{"entries":[{".tag":"renamed"}]}"#, "entries[0].renamed"),
            (#"{"entries":[{"id":"a","next":[{"id":null}],".tag":"added"}]}"#, "entries[0].next[0].id"),
            (#"{"entries":[{".tag":"added","id":"a","sizes":[18446744073709551616]}]}"#, "entries[0].sizes[0]"),
            (#"{"entries":[{".tag":"added","id":"a","content":"*"}]}"#, "entries[0].content"),
            (#"{"entries":[{".tag":"added","id":"a","changed":"1999-02-29T00:00:00Z"}]}"#, "entries[0].changed"),
            (#"{"entries":[],"cursor":"\ud800","has_more":false}"#, "$"),
            (String(repeating: #"{"entries":["#, count: 100_000), "$"),
        ])
    func misfits(text: String, path: String) async throws {
        transport.enqueue(text)
        let client = try client()
        let failure = await #expect(throws: CallError<Mark>.self) { try await client.call(list, ()).value }
        guard case .rest(let error)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .decoding && error.status == 200)
        #expect(error.body == Array(text.utf8.prefix(RestError.maximumBodySize)))
        #expect((error.underlying as? JSONDecodingError)?.path == path)
    }

    @Test("An argument that cannot be encoded is rejected before anything is sent")
    func unwritable() async throws {
        let route = Route<RPC, Numbers, Void, Never>(RouteInfo("notes", "count"), .type, .void)
        var numbers = Numbers()
        numbers.weight = .nan
        let client = try client()
        do throws(CallError<Never>) {
            try await client.call(route, numbers).value
            Issue.record("the call succeeded")
        } catch {
            guard case .rest(let error) = error else { return }
            #expect(error.code == .invalidRequest)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("Content is uploaded as the body, and downloaded with a result in the header")
    func content() async throws {
        let up = Route<Upload, Note, Note, Change>(RouteInfo("notes", "upload", host: "content"), .type, .type, .type)
        let down = Route<Download, Note, Note, Change>(
            RouteInfo("notes", "download", host: "content"), .type, .type, .type)
        transport.enqueue(#"{"id":"b"}"#)
        transport.enqueue(fields: ["dropbox-api-result": #"{"id":"c"}"#], "bytes")
        transport.enqueue("bytes")
        let client = try client()
        #expect(try await client.call(up, Note(id: "é"), body: .bytes([1, 2])).value.id == "b")
        #expect(transport.requests[0].fields["Dropbox-API-Arg"] == #"{"id":"\u00e9","tags":[],"next":[]}"#)
        #expect(transport.requests[0].fields["Content-Type"] == "application/octet-stream")
        #expect(body(0) == "\u{1}\u{2}")
        let got = try await client.call(down, Note(id: "a")).value
        #expect(got.value.id == "c" && got.bytes == Array("bytes".utf8))
        #expect(transport.requests[1].fields["Content-Type"] == nil)
        await #expect(throws: CallError<Change>.self) { try await client.call(down, Note(id: "a")).value }
    }

    @Test(
        "Content without a valid result header is an error that names the reason",
        arguments: [
            (nil, "no field"), ("", "not JSON"), ("{", "not JSON"), (#"{"id":7}"#, "at id"), ("null", "null"),
            (String(repeating: "[", count: 5_000), "not JSON"),
        ])
    func contentWithoutResult(field: String?, reason: String) async throws {
        let down = Route<Download, Note, Note, Change>(RouteInfo("notes", "download"), .type, .type, .type)
        let fields: HTTPFields = field.map { ["Dropbox-API-Result": $0] } ?? [:]
        for _ in 0..<3 { transport.enqueue(fields: fields, "bytes") }
        let call = try client().call(down, Note(id: "a"))
        let folder = try TemporaryDirectory()
        try folder.write("mine", to: "kept.txt")
        let failures = [
            await #expect(throws: CallError<Change>.self) { try await call.value },
            await #expect(throws: CallError<Change>.self) { try await call.stream() },
            await #expect(throws: CallError<Change>.self) { try await call.save(to: folder.path("kept.txt")) },
        ]
        #expect(folder.names == ["kept.txt"] && folder.text(of: "kept.txt") == "mine")
        for failure in failures {
            guard case .rest(let error)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(error.code == .decoding && error.status == 200)
            #expect(error.message.contains("Dropbox-API-Result") && error.message.contains(reason))
        }
    }

    @Test("Saved content replaces an existing file, and leaves nothing else")
    func saved() async throws {
        let down = Route<Download, Note, Note, Change>(RouteInfo("notes", "download"), .type, .type, .type)
        transport.enqueue(fields: ["Dropbox-API-Result": #"{"id":"c"}"#], "bytes")
        let folder = try TemporaryDirectory()
        try folder.write("old", to: "a.txt")
        #expect(try await client().call(down, Note(id: "a")).save(to: folder.path("a.txt")).id == "c")
        #expect(folder.names == ["a.txt"] && folder.text(of: "a.txt") == "bytes")
    }

    @Test("A closure gets the result once")
    func closure() async throws {
        transport.enqueue(#"{"entries":[],"cursor":"","has_more":false}"#)
        let seen = Heard<String>()
        let task = try client().call(list, ()).response { result in
            if case .success(let page) = result { seen.add(page.cursor) }
        }
        _ = try await task.value
        #expect(seen.values == [""])
    }

    @Test("A call by the app uses the app's authorization, or fails without one")
    func app() async throws {
        let route = Route<RPC, Void, Void, Never>(RouteInfo("check", "app", auth: ["app"]), .void, .void)
        transport.enqueue("null")
        var client = try client()
        await #expect(throws: CallError<Never>.self) { try await client.call(route, ()).value }
        client.settings.appAuthorization = "Basic a2V5OnNlY3JldA=="
        try await client.call(route, ()).value
        #expect(transport.requests.map { $0.fields["Authorization"] } == ["Basic a2V5OnNlY3JldA=="])
    }
}
