// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import RestTransport
import RestXML
import Testing

@testable import RestSDK

@Suite("The bin, by SOAP")
struct UndeleteTests {
    private static let id = "001000000000001AAA"

    private static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
        xmlns="urn:partner.soap.sforce.com"><soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
        """
    }

    private static func fault(_ code: String) -> String {
        envelope(
            """
            <soapenv:Fault><faultcode>sf:\(code)</faultcode><faultstring>\(code): it &amp; that</faultstring></soapenv:Fault>
            """)
    }

    @Test("the token is in the body, with what XML has for its own written as text, and so is each id")
    func body() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.envelope(
                "<undeleteResponse><result><id>\(Self.id)</id><success>true</success></result></undeleteResponse>"))
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "a<&b",
            configuration: RestClient.Configuration(transport: stub))
        let results = try await client.undelete(ids: [Self.id])
        #expect(results.map(\.id) == [Self.id])
        let request = try #require(stub.requests.first)
        #expect(request.url.path == "/services/Soap/u/66.0" && request.fields["SOAPAction"] == "\"\"")
        guard case .bytes(let bytes) = request.body, let root = XMLElement(parsing: bytes) else {
            Issue.record("the body is no XML")
            return
        }
        #expect(root["Header"]?["SessionHeader"]?["sessionId"]?.text == "a<&b")
        #expect(root["Body"]?["undelete"]?.children.map(\.text) == [Self.id])
    }

    @Test("a deleted record comes back, once; what the bin is emptied of does not; an ended session is renewed")
    func atTheOrg() async throws {
        try await withClient { client, org in
            let ids = try await client.create((0..<2).map { RecordDraft("Account", ["Name": "Bin \($0)"]) }).get()
            _ = try await client.delete(ids: ids).get()
            org.faults.expireAccessTokens()
            let back = try await client.undelete(ids: [ids[0]])
            #expect(back.map(\.id) == [ids[0]])
            let record = try await client.send(.retrieve("Account", id: ids[0], fields: ["Name"]))
            #expect(record.payload["Name"] == "Bin 0")
            let emptied = try await client.emptyBin(ids: [ids[1]])
            #expect(emptied.map(\.isSuccess) == [true])
            let late = try await client.undelete(ids: ids)
            #expect(late.map(\.isSuccess) == [false, false])
            #expect(late.allSatisfy { !$0.faults.isEmpty })
        }
    }

    @Test("each record has its own result; one that is refused says why")
    func results() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.envelope(
                """
                <emptyRecycleBinResponse><result><errors><message>not there</message><statusCode>UNDELETE_FAILED</statusCode></errors>\
                <id>\(Self.id)</id><success>false</success></result></emptyRecycleBinResponse>
                """))
        let results = try await RestClient.of(stub).emptyBin(ids: [Self.id])
        #expect(results.map(\.isSuccess) == [false])
        #expect(
            results[0].faults.map(\.errorCode) == ["UNDELETE_FAILED"] && results[0].faults[0].message == "not there")
    }

    @Test("faults are the errors that they say, whatever the status is")
    func faults() async throws {
        let codes: [(String, RestError.Code, RestError.WriteOutcome)] = [
            ("INVALID_SESSION_ID", .unauthorized, .notApplied), ("REQUEST_LIMIT_EXCEEDED", .rateLimited, .notApplied),
            ("INVALID_OPERATION", .api, .notApplied), ("SERVER_UNAVAILABLE", .server, .unknown),
        ]
        for (name, code, outcome) in codes {
            let stub = StubTransport()
            stub.enqueue(status: 500, fields: ["Content-Type": "text/xml"], Self.fault(name))
            let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).undelete(ids: [Self.id]) }
            #expect(error?.code == code && error?.outcome == outcome, "\(name): \(String(describing: error))")
            #expect(error?.faults.first?.errorCode.rawValue == name)
            #expect(stub.requests.count == 1)
        }
    }

    @Test(
        "an answer of another shape is no success",
        arguments: [
            "", "x", "<a/>", "<a><b></a></b>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&unknown;</a>",
            "<a>&#xFFFFFFFF;</a>",
            envelope("<undeleteResponse/>"),
            envelope("<undeleteResponse><result><success>yes</success></result></undeleteResponse>"),
            envelope("<undeleteResponse><result><success>true</success><id>x</id></result></undeleteResponse>"),
            String(repeating: "<a>", count: 100_000),
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).undelete(ids: [Self.id]) }
        #expect(error?.code == .decoding)
    }

    @Test("wrong ids are refused before anything is sent")
    func refused() async throws {
        let stub = StubTransport()
        for ids in [[], ["x"], Array(repeating: Self.id, count: 201)] {
            let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).undelete(ids: ids) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("what is well-formed is read: prefixes, attributes, entities, sections of text, comments")
    func xml() throws {
        let text =
            "<?xml version='1.0'?><!-- a > b --><x:a b='>' c=\"/\"><d>1 &lt; 2 &#65;&#x42;</d><e/><![CDATA[<&>]]></x:a>"
        let node = try #require(XMLElement(parsing: Array(text.utf8)))
        #expect(node.name == "a" && node["d"]?.text == "1 < 2 AB" && node["e"]?.text == "" && node.text == "<&>")
    }
}
