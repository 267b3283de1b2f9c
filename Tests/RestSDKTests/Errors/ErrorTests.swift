// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Simulation
import Testing

@Suite("Error bodies")
struct ErrorBodyTests {
    private let transport = StubTransport()

    private func failure(
        _ request: RestRequest = .plainLimits, status: Int, type: String?, _ body: [UInt8]
    ) async throws -> RestError {
        let client = try RestClient.of(transport, retryPolicy: .never)
        let fields: HTTPFields = type.map { ["Content-Type": $0] } ?? [:]
        transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: body)))
        return try #require(await #expect(throws: RestError.self) { try await client.send(request) })
    }

    @Test(
        "the error describes a body of any kind, keeps its bytes, and has the code of the status",
        arguments: [
            (400, "application/json", #"[{"errorCode":"A","message":"m"}]"#, RestError.Code.api, "A: m"),
            (400, "application/json", #"{"errorCode":"A","message":"m"}"#, .api, "A: m"),
            (401, nil, #"{"error":"invalid_token","error_description":"d"}"#, .unauthorized, "invalid_token: d"),
            (403, "text/plain", "Missing_OAuth_Token", .forbidden, "Missing_OAuth_Token"),
            (403, "text/plain", "Bad_OAuth_Token", .unauthorized, "Bad_OAuth_Token"),
            (420, "text/plain", "no  route\r\nto host", .api, "no route to host"),
            (414, "text/html", "<h1>Bad Message 414</h1><pre>reason</pre>", .tooLarge, "Bad Message 414"),
            (502, "text/html", "<html><head><title>Bad Gateway</title></head>", .server, "Bad Gateway"),
            (502, nil, "  <HTML>", .server, "the server responded with status 502 and a page instead of data"),
            (503, nil, "", .server, "the server responded with status 503"),
            (400, "application/json", #"{"why":"because"}"#, .api, #"{"why":"because"}"#),
            (400, "application/json", #"[{"errorCode":"#, .api, #"[{"errorCode":"#),
        ] as [(Int, String?, String, RestError.Code, String)])
    func shapes(status: Int, type: String?, body: String, code: RestError.Code, words: String) async throws {
        let error = try await failure(status: status, type: type, Array(body.utf8))
        #expect(error.code == code)
        #expect(error.message.contains(words))
        #expect(error.body == Array(body.utf8))
    }

    /// Returns an error with the code `A` and these bytes as its message.
    private static func fault(_ message: [UInt8]) -> [UInt8] {
        Array(#"[{"errorCode":"A","message":""#.utf8) + message + Array(#""}]"#.utf8)
    }

    private static let wide: [UInt8] = #"[{"errorCode":"A","message":"é"}]"#.utf16.reduce(into: [0xFF, 0xFE]) {
        $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)]
    }

    private static let labelled: [(String, [UInt8], String)] = [
        ("application/json; charset=ISO-8859-1", fault([0xE9]), "A: é"),
        ("application/json;charset=UTF-8", [0xEF, 0xBB, 0xBF] + fault([0xC3, 0xA9]), "A: é"),
        ("application/json; charset=utf-16", wide, "A: é"),
        ("application/json", fault([0xE9]), "A: \u{FFFD}"),
        ("text/plain", [0xC3, 0x28, 0x00, 0x07], "the server responded with status 400: \u{FFFD}("),
    ]

    @Test("a body is decoded in its declared charset, and invalid bytes are replaced", arguments: labelled)
    func charsets(type: String, body: [UInt8], message: String) async throws {
        #expect(try await failure(status: 400, type: type, body).message == message)
    }

    @Test("an external id that matches several records is an error with their paths")
    func several() async throws {
        let paths = (1...4).map { "/services/data/v66.0/sobjects/Account/00100000000000\($0)" }
        let body = "[" + paths.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let error = try await failure(
            .upsert("Account", externalID: "E__c", "x", [:]), status: 300, type: "application/json", Array(body.utf8))
        #expect(error.matchingRecords == paths)
        #expect(error.outcome == .notApplied)
        #expect(error.message.contains("4 records"))
        #expect(error.message.contains(paths[0]))
    }

    @Test(
        "a failed save result is an error even with a status of success, and nothing was written",
        arguments: [200, 201, 400])
    func saveResult(status: Int) async throws {
        let body =
            #"{"id":null,"success":false,"errors":[{"statusCode":"STRING_TOO_LONG","message":"m","fields":["N"]}]}"#
        let error = try await failure(
            .create("Account", [:]), status: status, type: "application/json", Array(body.utf8))
        #expect(error.code == .api)
        #expect(error.faults == [APIFault(errorCode: .stringTooLong, message: "m", fields: ["N"])])
        #expect(error.outcome == .notApplied)
    }

    @Test("a response with failed parts is a success that reports their errors")
    func parts() async throws {
        let client = try RestClient.of(transport)
        transport.enqueue(
            #"[{"id":"1","success":true,"errors":[]},{"success":false,"errors":[{"statusCode":"A","message":"m"}]}]"#)
        let response = try await client.send(RestRequest(resource: .data(["composite", "sobjects"])))
        #expect(response.faults.map(\.errorCode) == ["A"])
        let second = try #require(response.payload[1])
        #expect(APIFault.faults(in: second).count == 1)
    }

    @Test("the description contains the error, the call and the advice")
    func description() async throws {
        let message = #"[{"errorCode":"MALFORMED_QUERY","message":"ERROR at Row:1:Column:8\nunexpected token"}]"#
        let error = try await failure(.query("SELECT FROM A"), status: 400, type: nil, Array(message.utf8))
        for words in [
            "api: MALFORMED_QUERY", "unexpected token", "query (GET /services/data/v66.0/query)", "status 400",
        ] {
            #expect(error.description.contains(words))
        }
        #expect(error.advice == "Fix the query at row 1, column 8.")
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test("every code has advice")
    func advice() {
        for code in RestError.Code.all { #expect(!RestError(code, "").advice.isEmpty) }
        #expect(RestError(RestError.Code(rawValue: "of-tomorrow"), "").advice == "Look at RestError.underlying.")
    }
}

@Suite("API errors of the server")
struct APIFaultTests {
    @Test("the position in a malformed query is read from the message")
    func position() {
        let message = "\nSELECT Id FORM Account\n          ^\nERROR at Row:1:Column:11\nunexpected token: 'FORM'"
        #expect(
            APIFault(errorCode: .malformedQuery, message: message).position == APIFault.Position(row: 1, column: 11))
        #expect(APIFault(errorCode: .malformedQuery, message: "unexpected token").position == nil)
    }

    @Test(
        "an impossible position is ignored",
        arguments: [
            "99999999999999999999:Column:1", "-9223372036854775808:Column:1", "9223372036854775807:Column:1",
            "0:Column:1", "-1:Column:1", "+1:Column:1", "1:Column:0", "1:Column:-1", "1:Column:1000001",
            "1000001:Column:1", "1:Column:99999999999999999999", "1:Column:", ":Column:1",
            String(repeating: "0", count: 30) + "1:Column:1", "١:Column:1",
        ])
    func noPosition(place: String) {
        #expect(APIFault(errorCode: .malformedQuery, message: "ERROR at Row:\(place)").position == nil)
    }

    @Test("the largest possible position is read")
    func lastPosition() {
        let fault = APIFault(errorCode: .malformedQuery, message: "ERROR at Row:1000000:Column:1000000:x")
        #expect(fault.position == APIFault.Position(row: 1_000_000, column: 1_000_000))
    }

    @Test("error codes are an open set, and an unknown code works like a known one")
    func codes() {
        #expect(APIFault.Code.invalidSessionID == "INVALID_SESSION_ID")
        #expect(APIFault(errorCode: "OF_TOMORROW", message: "m").description == "OF_TOMORROW: m")
    }

    @Test(
        "errors are found in every shape that Salesforce uses",
        arguments: [
            (#"[{"errorCode":"A","message":"m","fields":["F"]},{"errorCode":"B","message":"n"}]"#, ["A: m", "B: n"]),
            (#"{"errorCode":"A","message":"m"}"#, ["A: m"]),
            (#"{"error":"invalid_grant","error_description":"expired"}"#, ["invalid_grant: expired"]),
            (#"{"id":null,"success":false,"errors":[{"statusCode":"A","message":"m","fields":[]}]}"#, ["A: m"]),
            (
                #"[{"id":"1","success":true,"errors":[]},{"success":false,"errors":[{"statusCode":"A","message":"m"}]}]"#,
                ["A: m"]
            ),
            (
                #"{"hasErrors":true,"results":[{"referenceId":"r2","errors":[{"statusCode":"A","message":"m"}]}]}"#,
                ["r2: A: m"]
            ),
            (
                #"{"hasErrors":true,"results":[{"statusCode":200,"result":{"Id":"1"}},{"statusCode":400,"result":[{"errorCode":"A","message":"m"}]}]}"#,
                ["A: m"]
            ),
            (
                #"{"compositeResponse":[{"body":{"id":"1"},"httpStatusCode":201,"referenceId":"a"},{"body":[{"errorCode":"A","message":"m"}],"httpStatusCode":400,"referenceId":"b"}]}"#,
                ["b: A: m"]
            ),
            (#"{"totalSize":0,"done":true,"records":[]}"#, []), ("[]", []), ("7", []), ("{}", []),
            (String(repeating: #"{"body":"#, count: 200) + "1" + String(repeating: "}", count: 200), []),
        ])
    func shapes(body: String, faults: [String]) throws {
        #expect(try APIFault.faults(in: JSONValue(parsing: body)).map(\.description) == faults)
    }
}

@Suite("Advice of errors")
struct AdviceTests {
    private static let again = ["Try again", "try again", "Wait", "wait"]

    @Test("the advice never says to repeat a write that may have been applied", arguments: RestError.Code.all)
    func unknown(code: RestError.Code) {
        let faults: [APIFault] = [
            APIFault(errorCode: .unableToLockRow, message: "m"),
            APIFault(errorCode: .requestLimitExceeded, message: "m"),
        ]
        for outcome in [RestError.WriteOutcome.unknown, .applied] {
            for faults in [[], [faults[0]], [faults[1]]] {
                let advice = RestError(code, "", faults: faults, outcome: outcome).advice
                #expect(advice.hasPrefix(outcome == .applied ? "Do not send it again" : "Check whether"))
                #expect(!Self.again.contains { advice.contains($0) }, "\(advice)")
            }
        }
    }

    @Test("other problems are mentioned in addition")
    func besides() {
        #expect(
            RestError(.decoding, "", outcome: .applied).advice
                == "Do not send it again. The write was applied. "
                + "Compare your type with the body of the response in RestError.body.")
        #expect(RestError(.tls, "", outcome: .unknown).advice.hasSuffix("and the trusted CAs of this machine."))
        let pins = RestError(.tls, "SSL: public key does not match pinned public key").advice
        #expect(pins == "Compare the pins with the server's public key. If the server has a new key, pin its digest.")
        #expect(RestError(.timedOut, "", outcome: .unknown).advice.hasSuffix("before you send it again."))
    }

    @Test("a read, or a write that was not applied, can be sent again")
    func safe() {
        for outcome in [nil, RestError.WriteOutcome.notApplied] {
            #expect(RestError(.server, "", outcome: outcome).advice == "Try again later.")
        }
    }

    @Test("an error is 'not connected' only if no byte of the attempt was sent", arguments: [true, false])
    func notConnected(mayHaveReachedServer: Bool) async throws {
        let transport = StubTransport()
        transport.enqueue(
            .failure(TransportError(.notConnected, "no way", mayHaveReachedServer: mayHaveReachedServer)))
        let client = try RestClient.of(transport, retryPolicy: .never)
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == (mayHaveReachedServer ? .transport : .notConnected))
        #expect(error?.outcome == (mayHaveReachedServer ? .unknown : .notApplied))
    }
}

@Suite("System error numbers in errors", .timeLimit(.minutes(1)))
struct SystemErrorTests {
    private static let configuration = RestClient.Configuration(timeout: .seconds(20), retryPolicy: .never)

    private func closedOrigin() async throws -> Origin {
        let server = try ScriptServer([])
        let origin = server.url().origin
        await server.stop()
        return origin
    }

    @Test("a refused connection has the numbers of libcurl and of the system, and both are in the description")
    func refused() async throws {
        let client = try RestClient(
            instanceURL: "\(await closedOrigin())", accessToken: "t", configuration: Self.configuration)
        let error = await expectFailure(.notConnected) { try await client.send(.plainLimits) }
        #expect(
            error?.systemErrors == [
                TransportError.SystemError(.curl, 7), TransportError.SystemError(.errno, Int(ECONNREFUSED)),
            ])
        #expect(error?.systemErrors.last?.reason == "Connection refused")
        #expect(error?.description.contains("(libcurl 7, errno \(ECONNREFUSED): Connection refused)") == true)
    }

    @Test("a login that cannot connect has the same numbers")
    func login() async throws {
        let client = try RestClient(
            loginURL: "\(await closedOrigin())", clientID: "c", clientSecret: nil, configuration: Self.configuration)
        let error = await expectFailure(.notConnected) { try await client.send(.plainLimits) }
        #expect(error?.systemErrors.last == TransportError.SystemError(.errno, Int(ECONNREFUSED)))
        #expect(error?.description.contains("Connection refused") == true)
    }

    @Test("a reset connection has the number of the reset, and a missing file has the number of the file error")
    func others() async throws {
        let server = try ScriptServer([.readRequest, .reset])
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t", configuration: Self.configuration)
        let reset = await expectFailure(.transport) { try await client.send(.plainLimits) }
        #expect(
            reset?.systemErrors == [
                TransportError.SystemError(.curl, 56), TransportError.SystemError(.errno, Int(ECONNRESET)),
            ])
        let upload = RestRequest(method: .put, resource: .data(["x"]), body: .file(path: "/nowhere/to/be/found"))
        let missing = await #expect(throws: RestError.self) { try await client.send(upload) }
        #expect(missing?.systemErrors == [TransportError.SystemError(.errno, Int(ENOENT))])
        #expect(missing?.outcome == .notApplied)
    }

    @Test("an error that did not come from a transport has no system error number")
    func none() {
        #expect(RestError(.api, "x").systemErrors.isEmpty)
        #expect(TransportError.SystemError(.curl, 7).reason == nil)
        #expect(TransportError.SystemError(.errno, .max).reason == nil)
    }
}

@Suite("Error codes")
struct ErrorCodeTests {
    @Test("the codes that need a new login are known")
    func logins() {
        #expect(RestError.Code.all.filter(\.needsLogin) == [.unauthorized, .refreshFailed, .noAccount, .loggedOut])
    }
}

extension RestError.Code {
    static let all: [RestError.Code] = [
        .cancelled, .timedOut, .notConnected, .transport, .tls, .unauthorized, .refreshFailed, .noAccount, .forbidden,
        .notFound, .rateLimited, .api, .server, .redirected, .decoding, .invalidRequest, .file, .tooLarge, .shutDown,
        .loggedOut, .circuitOpen, .proxyUnauthorized, .changesForgotten, .bodySource,
    ]
}
