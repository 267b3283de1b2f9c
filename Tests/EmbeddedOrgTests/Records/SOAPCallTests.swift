// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("SOAP calls")
struct SOAPCallTests {
    private func call(
        _ client: OrgClient, _ body: String, to place: String = "u/60.0", session: String? = nil,
        envelope: String = "Envelope"
    ) throws -> RawClient.Response {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <s:\(envelope) xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com">
            <s:Header><CallOptions><client>x</client></CallOptions>
            <SessionHeader><sessionId>\(session ?? client.token)</sessionId></SessionHeader></s:Header>
            <s:Body>\(body)</s:Body></s:\(envelope)>
            """
        return try client.send(
            "POST", "/services/Soap/\(place)", body: text, fields: ["Content-Type: text/xml", "SOAPAction: \"\""],
            token: .some(nil))
    }

    private func texts(_ name: String, _ response: RawClient.Response) -> [String] {
        response.text.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { $0 != "<" })
        }
    }

    @Test(
        "every other request results in a SOAP fault",
        arguments: [
            ("<query><queryString>x</queryString></query>", "INVALID_OPERATION"), ("<login/>", "INVALID_OPERATION"),
            ("<getUserInfo/>", "INVALID_OPERATION"), ("", "INVALID_OPERATION"),
        ])
    func faults(body: String, code: String) async throws {
        let client = try await SharedOrg.client
        func fault(_ response: RawClient.Response) -> String {
            #expect(response.status == 500 && response.field("Content-Type") == "text/xml;charset=UTF-8")
            #expect(response.text.contains("<soapenv:Fault") && texts("faultcode", response).count == 1)
            return texts("sf:exceptionCode", response).first ?? ""
        }
        let undelete = "<undelete><ids>x</ids></undelete>"
        #expect(fault(try call(client, body)) == code)
        #expect(fault(try call(client, undelete, envelope: "Other")) == "INVALID_OPERATION")
        #expect(fault(try call(client, undelete, to: "u/69.0")) == "UNSUPPORTED_API_VERSION")
        #expect(fault(try call(client, undelete, session: "none")) == "INVALID_SESSION_ID")
        #expect(fault(try client.send("GET", "/services/Soap/u/60.0", token: .some(nil))) == "INVALID_OPERATION")
        for place in ["x/60.0", "m/60.0", "c/60.0"] { #expect(try call(client, undelete, to: place).status == 404) }
    }

    @Test("deleted records are restored or purged, each with its own result")
    func undelete() async throws {
        let client = try await OrgClient.start()
        let ids = try (0..<2).map { try client.create("Account", #"{"Name":"Soap \#($0)"}"#) }
        for id in ids { try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)") }
        func count() throws -> Int? {
            let query = "SELECT COUNT() FROM Account WHERE Name LIKE 'Soap%'"
            return try client.query(query, resource: "queryAll").json["totalSize"]?.int
        }
        let restored = try call(client, "<undelete><ids>\(ids[0])</ids><ids>\(ids[0])</ids><ids>x</ids></undelete>")
        #expect(texts("success", restored) == ["true", "false", "false"])
        #expect(texts("statusCode", restored).last == "MALFORMED_ID")
        #expect(try client.get("/sobjects/Account/\(ids[0])").status == 200)
        #expect(try count() == 2)
        let purged = try call(client, "<emptyRecycleBin><ids>\(ids[1])</ids></emptyRecycleBin>")
        #expect(texts("success", purged) == ["true"])
        #expect(try count() == 1)
        // A number is never used twice, although the row no longer exists.
        #expect(try client.create("Account", #"{"Name":"Next"}"#) != ids[1])
    }

    private func merge(_ master: String, _ others: [String], _ fields: String = "", type: String = "Account") -> String
    {
        let ids = others.map { "<recordToMergeIds>\($0)</recordToMergeIds>" }.joined()
        return "<request><masterRecord xmlns:o=\"urn:sobject.partner.soap.sforce.com\"><o:type>\(type)</o:type>"
            + "<o:Id>\(master)</o:Id>\(fields)</masterRecord>\(ids)</request>"
    }

    @Test("the merges of one call are independent, and a rejected one does not prevent the others")
    func merges() async throws {
        let client = try await OrgClient.start()
        let ids = try (0..<4).map { try client.create("Account", #"{"Name":"Soap \#($0)"}"#) }
        let description = String(repeating: "&lt;", count: 30_000)
        let merged = try call(
            client,
            "<merge>"
                + merge(ids[0], [ids[1]], "<o:Type xsi:nil=\"true\"/><o:Description>\(description)</o:Description>")
                + merge(ids[0], [ids[1]]) + merge(ids[0], []) + merge(ids[0], [ids[2], ids[2]])
                + merge(ids[2], ["x"]) + merge("", [ids[2]]) + merge(ids[2], [ids[3]], type: "Nothing")
                + merge(ids[2], [ids[3]], "<o:NumberOfEmployees>x</o:NumberOfEmployees>") + "<request/>"
                + merge(
                    String(ids[2].prefix(15)), [String(ids[3].prefix(15))], "<o:fieldsToNull>Phone</o:fieldsToNull>")
                + "</merge>")
        #expect(merged.status == 200)
        let successes = texts("success", merged)
        #expect(successes.map { $0 == "true" } == [true] + Array(repeating: false, count: 8) + [true])
        #expect(
            texts("statusCode", merged) == [
                "ENTITY_IS_DELETED", "MISSING_ARGUMENT", "MERGE_FAILED", "MALFORMED_ID", "MALFORMED_ID", "INVALID_TYPE",
                "JSON_PARSER_ERROR", "MISSING_ARGUMENT",
            ])
        #expect(texts("mergedRecordIds", merged) == [ids[1], ids[3]])
        let record = try client.get("/sobjects/Account/\(ids[0])").json
        #expect(record["Description"]?.string?.utf8.count == 30_000)
        for body in ["<merge/>", "<merge>" + String(repeating: "<request/>", count: 201) + "</merge>"] {
            #expect(texts("sf:exceptionCode", try call(client, body)) == ["EXCEEDED_ID_LIMIT"])
        }
        let deleted = try client.query(
            "SELECT Id, MasterRecord.Name FROM Account WHERE MasterRecordId != null", resource: "queryAll")
        #expect(deleted.json["totalSize"] == 2)
    }

    @Test(
        "An invalid XML document is rejected in linear time",
        arguments: [
            "<a b='1' c=\"&lt;\"/>", "<a b=1/>", "<a b='<'/>", "<a", "<a></b>", "<!DOCTYPE a><a/>", "<a>&a;</a>",
            "<a>&#0;</a>", "<a>&#xFFFFFFFFFF;</a>", "<!-- x", "<a><![CDATA[x</a>", "<a>\u{1}</a>", "text",
            String(repeating: "<a>", count: 3_000), String(repeating: "<![CDATA[", count: 1_500),
            String(repeating: "<!--", count: 3_000), String(repeating: "&", count: 12_000),
        ])
    func hostile(text: String) async throws {
        let client = try await SharedOrg.client
        let response = try client.send(
            "POST", "/services/Soap/u/60.0", body: text, fields: ["Content-Type: text/xml"], token: .some(nil))
        #expect(response.status == 500 && texts("sf:exceptionCode", response) == ["INVALID_OPERATION"])
    }
}
