// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Bulk API 1.0")
struct ClassicBulkTests {
    private static let path = "/services/async/60.0/job"

    /// A request as jsforce makes it: XML, the session in a field of its own, nothing said of what is wanted.
    private func send(
        _ client: OrgClient, _ method: String, _ rest: String = "", _ body: String? = nil,
        type: String = "application/xml; charset=utf-8", fields: [String] = [], session: String? = nil
    ) throws -> RawClient.Answer {
        let types = body == nil ? [] : ["Content-Type: \(type)"]
        return try client.send(
            method, Self.path + rest, body: body,
            fields: ["X-SFDC-SESSION: \(session ?? client.token)"] + types + fields, token: .some(nil))
    }

    /// The text of an element, or of a member where the answer is JSON, as it is to JSON and for jobs in JSON.
    private func element(_ name: String, _ answer: RawClient.Answer) -> String? {
        if answer.field("Content-Type") == "application/json;charset=UTF-8" { return answer.json[name]?.string }
        let parts = answer.text.split(separator: "<\(name)>", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[1].split(separator: "<").first.map(String.init) : nil
    }

    private func job(_ members: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <jobInfo  xmlns="http://www.force.com/2009/06/asyncapi/dataload">\(members)</jobInfo>
        """
    }

    /// Makes a job and gives its id.
    private func open(
        _ client: OrgClient, _ operation: String, _ type: String = "CSV", more: String = "", fields: [String] = []
    ) throws -> String {
        let body = job(
            "<operation>\(operation)</operation><object>Account</object>\(more)<contentType>\(type)</contentType>")
        let made = try send(client, "POST", "", body, fields: fields)
        #expect(made.status == 201 && element("state", made) == "Open", "\(made.text)")
        return try #require(element("id", made))
    }

    /// Adds a batch, waits for its end as clients do, and gives its id.
    private func add(
        _ client: OrgClient, _ id: String, _ body: String, type: String = "text/csv", until end: String = "Completed"
    ) async throws -> String {
        let made = try send(client, "POST", "/\(id)/batch", body, type: type)
        #expect(made.status == 201 && element("jobId", made) == id, "\(made.text)")
        let batch = try #require(element("id", made))
        while true {
            let state = element("state", try send(client, "GET", "/\(id)/batch/\(batch)"))
            guard state == "Queued" || state == "InProgress" else {
                #expect(state == end)
                return batch
            }
            await Task.yield()
        }
    }

    @Test("batches in CSV are written; their results, requests and numbers are told in XML")
    func csv() async throws {
        let client = try await OrgClient.start()
        let id = try open(client, "insert", more: "<concurrencyMode>Serial</concurrencyMode>")
        let text = "Name,NumberOfEmployees\nOne,5\nTwo,#N/A\n,1\n"
        let batch = try await add(client, id, text)
        let results = try send(client, "GET", "/\(id)/batch/\(batch)/result")
        #expect(results.field("Content-Type") == "text/csv;charset=UTF-8")
        #expect(results.text.hasPrefix("\"Id\",\"Success\",\"Created\",\"Error\"\n\"001"))
        #expect(results.text.contains("\"\",\"false\",\"false\",\"REQUIRED_FIELD_MISSING:"))
        #expect(try send(client, "GET", "/\(id)/batch/\(batch)/request").text == text)
        let closed = try send(client, "POST", "/\(id)", job("<state>Closed</state>"))
        #expect(element("state", closed) == "Closed" && element("numberBatchesCompleted", closed) == "1")
        #expect(element("numberRecordsProcessed", closed) == "3" && element("numberRecordsFailed", closed) == "1")
        #expect(element("concurrencyMode", closed) == "Serial" && element("apiVersion", closed) == "60.0")
        let list = try send(client, "GET", "/\(id)/batch")
        #expect(list.text.contains("<batchInfoList") && element("state", list) == "Completed")
        let late = try send(client, "POST", "/\(id)/batch", text, type: "text/csv")
        #expect(late.status == 400 && element("exceptionCode", late) == "InvalidJobState")
        await client.org.stop()
    }

    @Test("records in XML and JSON are written, with parents by their keys and nulls")
    func records() async throws {
        let client = try await OrgClient.start()
        let head = #"<sObjects xmlns="http://www.force.com/2009/06/asyncapi/dataload" xmlns:xsi="x">"#
        let upsert = try open(client, "upsert", "XML", more: "<externalIdFieldName>ExternalId__c</externalIdFieldName>")
        let xml = """
            <?xml version="1.0"?>\(head)<sObject><Name>Pa&amp;Co</Name><ExternalId__c>p</ExternalId__c></sObject>
            <sObject><Name>Child</Name><ExternalId__c>c</ExternalId__c><Site>s</Site>
            <Parent><sObject><ExternalId__c>p</ExternalId__c></sObject></Parent></sObject>
            <sObject><ExternalId__c>c</ExternalId__c><Site xsi:nil="true"/></sObject><other/></sObjects>
            """
        let batch = try await add(client, upsert, xml, type: "application/xml")
        let results = try send(client, "GET", "/\(upsert)/batch/\(batch)/result").text
        #expect(results.split(separator: "<success>true</success>").count == 4, "\(results)")
        #expect(results.contains("<statusCode>INVALID_BATCH</statusCode>"))
        let insert = try open(client, "insert", "JSON")
        let json = #"[{"Name":"J","Parent":{"ExternalId__c":"p"},"NumberOfEmployees":7},{"Nope":1},5]"#
        let second = try await add(client, insert, json, type: "application/json")
        let outcomes = try send(client, "GET", "/\(insert)/batch/\(second)/result").json
        #expect(outcomes[0]?["success"]?.bool == true && outcomes[1]?["errors"]?[0]?["statusCode"] == "INVALID_FIELD")
        #expect(outcomes[2]?["errors"]?[0]?["statusCode"] == "JSON_PARSER_ERROR")
        let rows = try client.query("SELECT Name, Site FROM Account WHERE Parent.Name = 'Pa&Co' ORDER BY Name").json
        #expect(rows["totalSize"]?.int == 2 && rows["records"]?[0]?["Site"]?.isNull == true)
        await client.org.stop()
    }

    @Test("queries give a list of results, and records in the job's type", arguments: ["CSV", "XML", "JSON"])
    func queries(type: String) async throws {
        let client = try await OrgClient.start()
        let id = try open(client, "query", type)
        let batch = try await add(client, id, "SELECT Name, Owner.Name, AnnualRevenue FROM Account WHERE Site = null")
        let list = try send(client, "GET", "/\(id)/batch/\(batch)/result")
        let result = try #require(type == "JSON" ? list.json[0]?.string : element("result", list))
        #expect(type == "JSON" || list.text.contains("<result-list xmlns="))
        let records = try send(client, "GET", "/\(id)/batch/\(batch)/result/\(result)")
        let count = try client.query("SELECT COUNT() FROM Account WHERE Site = null").json["totalSize"]?.int
        switch type {
        case "CSV":
            #expect(records.text.hasPrefix("\"Name\",\"Owner.Name\",\"AnnualRevenue\"\n"))
            #expect(records.text.split(separator: "\n").count - 1 == count)
        case "JSON":
            #expect(records.json.array?.count == count)
            #expect(records.json[0]?["Owner"]?["attributes"]?["type"] == "User")
        default:
            #expect(
                records.text.split(separator: "<records xsi:type=\"sObject\"><type>Account</type>").count - 1 == count)
            #expect(records.text.contains("<Owner xsi:type=\"sObject\"><type>User</type><Name>"))
        }
        #expect(try send(client, "GET", "/\(id)/batch/\(batch)/result/752000000000000AAA").status == 400)
        await client.org.stop()
    }

    @Test("what is aborted is not gone on with, and a query by primary keys leaves its first batch alone")
    func states() async throws {
        let client = try await OrgClient.start()
        let id = try open(client, "insert")
        _ = try await add(client, id, "Nope\nx\n", until: "Failed")
        let aborted = try send(client, "POST", "/\(id)", job("<state>Aborted</state>"))
        #expect(element("state", aborted) == "Aborted" && element("numberBatchesFailed", aborted) == "1")
        let chunked = try open(client, "query", fields: ["Sforce-Enable-PKChunking: chunkSize=1000"])
        let first = try await add(client, chunked, "SELECT Id FROM Account", until: "NotProcessed")
        let list = try send(client, "GET", "/\(chunked)/batch").text
        #expect(list.split(separator: "<batchInfo>").count == 3 && list.contains(first))
        let bad = try send(
            client, "POST", "",
            job("<operation>query</operation><object>Account</object><contentType>CSV</contentType>"),
            fields: ["Sforce-Enable-PKChunking: chunkSize=250001"])
        #expect(element("exceptionCode", bad) == "InvalidJob")
        await client.org.stop()
    }

    @Test(
        "bad jobs are refused in the words of the API, and nothing is made",
        arguments: [
            ("<operation>explode</operation><object>Account</object><contentType>CSV</contentType>", "InvalidJob"),
            ("<operation>insert</operation><object>Nothing</object><contentType>CSV</contentType>", "InvalidEntity"),
            ("<operation>insert</operation><object>Account</object><contentType>ZIP_CSV</contentType>", "InvalidJob"),
            ("<operation>upsert</operation><object>Account</object><contentType>CSV</contentType>", "InvalidJob"),
            ("<operation>insert</operation><object>", "InvalidXML"), ("&x;", "InvalidXML"), ("", "InvalidJob"),
            (String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100), "InvalidXML"),
        ])
    func refusals(members: String, code: String) async throws {
        let client = try await SharedOrg.client
        let answer = try send(client, "POST", "", job(members))
        #expect(answer.status == 400 && element("exceptionCode", answer) == code, "\(answer.text)")
    }

    @Test("sessions, addresses, methods and types that are wrong are refused, in JSON to those who speak it")
    func addresses() async throws {
        let client = try await OrgClient.start()
        let none = try send(client, "GET", "/750000000000000AAA", session: "none")
        #expect(none.status == 400 && element("exceptionCode", none) == "InvalidSessionId")
        let before = try send(client, "POST", "", "{}", type: "application/json", session: "none")
        #expect(before.status == 400 && before.json["exceptionCode"] == "InvalidSessionId")
        #expect(element("exceptionCode", try send(client, "GET", "/750000000000000AAA")) == "InvalidJob")
        #expect(try send(client, "PUT", "", "x").status == 405)
        let entity =
            "<?xml version=\"1.0\"?><!DOCTYPE jobInfo [<!ENTITY a \"b\">]><jobInfo><operation>&a;</operation></jobInfo>"
        #expect(element("exceptionCode", try send(client, "POST", "", entity)) == "InvalidXML")
        let id = try open(client, "insert")
        let empty = try send(client, "POST", "/\(id)/batch", "", type: "text/csv")
        #expect(element("exceptionCode", empty) == "InvalidBatch")
        let json = try send(client, "POST", "/\(id)/batch", "[]", type: "application/json")
        #expect(json.json["exceptionCode"] == "InvalidBatch")
        let other = try client.send(
            "POST", "/services/async/59.0/job/\(id)/batch", body: "Name\nx\n",
            fields: ["Content-Type: text/csv", "X-SFDC-Session: \(client.token)"])
        #expect(element("exceptionCode", other) == "InvalidVersion")
        let rows = "Name\n" + String(repeating: "x\n", count: 10_001)
        let long = try await add(client, id, rows, until: "Failed")
        #expect(try send(client, "GET", "/\(id)/batch/\(long)").text.contains("Maximum allowed records 10000 exceeded"))
        // API 2.0 shows the job, and does nothing with it.
        let seen = try client.get("/jobs/ingest/\(id)").json
        #expect(seen["jobType"] == "Classic")
        let changed = try client.send(
            "PATCH", "\(OrgClient.data)/jobs/ingest/\(id)", body: #"{"state":"Aborted"}"#)
        #expect(changed.status == 400 && changed.errorCode == "INVALIDJOB")
        let journal = String(describing: client.org.journal.entries)
        #expect(!journal.contains(client.token))
        await client.org.stop()
    }
}
