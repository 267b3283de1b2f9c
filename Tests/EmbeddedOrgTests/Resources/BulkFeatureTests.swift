// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Bulk API 2.0: lists, pages, parents")
struct BulkFeatureTests {
    private static let ingest = "\(OrgClient.data)/jobs/ingest"
    private static let query = "\(OrgClient.data)/jobs/query"

    private func make(_ client: OrgClient, _ body: String) throws -> String {
        try #require(try client.send("POST", Self.ingest, body: body).json["id"]?.string)
    }

    private func run(_ client: OrgClient, _ body: String, _ csv: String) async throws -> JSONValue {
        try await client.ended(try client.load(body, csv))
    }

    private func failures(_ client: OrgClient, _ job: JSONValue) throws -> String {
        try client.send("GET", "\(Self.ingest)/\(job["id"]?.string ?? "")/FAILEDRESULTS").text
    }

    @Test("a long upload is written through a file to the database, and unprocessed records are returned unchanged")
    func long() async throws {
        let client = try await OrgClient.start()
        let id = try make(client, #"{"object":"Account","operation":"insert"}"#)
        let path = "\(Self.ingest)/\(id)"
        let csv = "Name\n" + (0..<150_000).map { "account number \($0)\n" }.joined()
        #expect(csv.utf8.count > 3 << 20)
        #expect(try client.send("PUT", path + "/batches/", body: csv, fields: ["Content-Type: text/csv"]).status == 201)
        let again = try client.send("PUT", path + "/batches", body: "Name\nx\n", fields: ["Content-Type: text/csv"])
        #expect(again.status == 400 && again.errorCode == "CLIENTINPUTERROR")
        #expect(try client.send("GET", path + "/unprocessedrecords").errorCode == "JOB_NOT_COMPLETE")
        #expect(try client.send("PATCH", path, body: #"{"state":"Aborted"}"#).json["state"]?.string == "Aborted")
        #expect(try client.send("GET", path + "/unprocessedRecords/").text == csv)
        #expect(try client.send("PUT", path + "/batches", body: "x", fields: ["Content-Type: text/csv"]).status == 400)
        let large = try client.send(
            "PUT", path + "/batches",
            fields: ["Content-Type: text/csv", "Content-Length: 112500001", "Expect: 100-continue"])
        #expect(large.status == 413)
    }

    @Test("parents are found by external ids, with the object's name if a field refers to several objects")
    func parents() async throws {
        let client = try await OrgClient.start()
        let email = try client.query("SELECT Email FROM User LIMIT 1").json["records"]?[0]?["Email"]?.string
        let first = try await run(
            client, #"{"object":"Contact","operation":"insert"}"#,
            "LastName,ExternalId__c,Owner.Email\nBoss,boss,\(try #require(email))\nOther,other,nobody@example.com\n")
        #expect(first["numberRecordsFailed"]?.int == 1)
        #expect(try failures(client, first).contains("INVALID_FIELD:Foreign key external ID: nobody@example.com"))
        let second = try await run(
            client, #"{"object":"Contact","operation":"upsert","externalIdFieldName":"externalid__c"}"#,
            "LastName,ExternalId__c,ReportsTo.ExternalId__c\nHelp,help,boss\n")
        #expect(second["numberRecordsFailed"]?.int == 0 && second["externalIdFieldName"]?.string == "ExternalId__c")
        let third = try await run(
            client, #"{"object":"Contact","operation":"upsert","externalIdFieldName":"ExternalId__c"}"#,
            "ExternalId__c,ReportsTo.ExternalId__c\nhelp,#N/A\n")
        #expect(third["numberRecordsFailed"]?.int == 0)
        let left = try client.query("SELECT COUNT() FROM Contact WHERE ExternalId__c = 'help' AND ReportsToId = null")
        #expect(left.json["totalSize"]?.int == 1)
        let task = try await run(
            client, #"{"object":"Task","operation":"insert"}"#, "Subject,Contact:Who.ExternalId__c\nCall,boss\n")
        #expect(task["numberRecordsFailed"]?.int == 0)
        #expect(try client.query("SELECT Id FROM Task WHERE Who.Name = 'Boss'").json["totalSize"]?.int == 1)
        for header in ["Who.ExternalId__c", "Account:Who.ExternalId__c", "Contact:Who.LastName", "Who.X.Y", "Who:Id"] {
            let job = try await run(
                client, #"{"object":"Task","operation":"insert"}"#, "Subject,\(header)\nCall,boss\n")
            #expect(job["errorMessage"]?.string == "InvalidBatch : Field name not found : \(header)")
        }
        let contact = try await run(
            client, #"{"object":"Contact","operation":"insert"}"#, "LastName,Contact:ReportsTo.Id\nx,\n")
        #expect(contact["state"]?.string == "Failed")
    }

    @Test("values are parsed from CSV, and a row with another number of columns fails on its own")
    func values() async throws {
        let client = try await OrgClient.start()
        let csv = """
            Subject,StartDateTime,EndDateTime,IsAllDayEvent
            a,2026-01-02T03:04:05+01:00,2026-01-02T03:30:00Z,TRUE
            b,2026-01-02T03:04:05.120Z,2026-01-02T03:30:00Z,0
            c,2026-01-02T03:04:05Z
            d,2026-02-30T00:00:00Z,2026-01-02T03:30:00Z,1

            """
        let job = try await run(client, #"{"object":"Event","operation":"insert"}"#, csv)
        #expect(job["numberRecordsProcessed"]?.int == 4 && job["numberRecordsFailed"]?.int == 2, "\(job)")
        let rows = try client.query(
            "SELECT StartDateTime, IsAllDayEvent FROM Event WHERE Subject IN ('a', 'b') ORDER BY Subject")
        #expect(rows.json["records"]?[0]?["StartDateTime"]?.string == "2026-01-02T02:04:05.000+0000")
        #expect(rows.json["records"]?[0]?["IsAllDayEvent"]?.bool == true)
        #expect(rows.json["records"]?[1]?["IsAllDayEvent"]?.bool == false)
        let failed = try failures(client, job)
        #expect(failed.contains("The line has 2 fields and the header 4"), "\(failed)")
    }

    @Test("the pages of a result are listed in advance, and each can be requested independently")
    func pages() async throws {
        var configuration = LocalOrgConfiguration(records: 100)
        configuration.bulkPageSize = 13
        let client = try await OrgClient.start(configuration)
        let body = #"{"operation":"query","query":"SELECT Id FROM Account"}"#
        let id = try #require(try client.send("POST", Self.query, body: body).json["id"]?.string)
        let early = try client.send("GET", "\(Self.query)/\(id)/resultPages")
        #expect(early.status == 412 || early.status == 200)
        let job = try await client.ended("\(Self.query)/\(id)")
        #expect(job["isPkChunkingSupported"]?.bool == true)
        var (urls, next) = ([String](), "\(Self.query)/\(id)/resultPages")
        while !next.isEmpty {
            let list = try client.send("GET", next).json
            urls += list["resultPages"]?.array?.compactMap { $0["resultUrl"]?.string } ?? []
            next = list["nextRecordsUrl"]?.string ?? ""
            #expect(list["done"]?.bool == next.isEmpty)
        }
        #expect(urls.count == 13)
        var ids: Set<Substring> = []
        for url in urls.reversed() {
            let page = try client.send("GET", url)
            let lines = page.text.split(separator: "\n")
            #expect(page.field("Sforce-NumberOfRecords") == "\(lines.count - 1)" && lines.first == "\"Id\"")
            ids.formUnion(lines.dropFirst())
        }
        #expect(ids.count == 160)
        let few = try client.send("GET", "\(Self.query)/\(id)/results?maxRecords=5")
        #expect(few.field("Sforce-NumberOfRecords") == "5")
        for locator in ["x", "MTAwMDAw", "LTE", "%00"] {
            let bad = try client.send("GET", "\(Self.query)/\(id)/results?locator=\(locator)")
            #expect(bad.status == 400 && bad.errorCode == "INVALID_QUERY_LOCATOR")
        }
        let other = try client.send("GET", "/services/data/v58.0/jobs/query/\(id)/results")
        #expect(other.status == 409 && other.errorCode == "INVALIDVERSION")
        #expect(try client.send("GET", "/services/data/v57.0/jobs/query/\(id)/resultPages").status == 404)
    }

    @Test("long lists of jobs have a locator, and query jobs are not among ingest jobs")
    func lists() async throws {
        let client = try await OrgClient.start()
        for _ in 0..<1_003 { _ = try make(client, #"{"object":"Account","operation":"insert"}"#) }
        let first = try client.send("GET", Self.ingest).json
        #expect(first["records"]?.array?.count == 1_000 && first["done"]?.bool == false)
        let second = try client.send("GET", first["nextRecordsUrl"]?.string ?? "").json
        #expect(second["records"]?.array?.count == 3 && second["done"]?.bool == true)
        #expect(second["nextRecordsUrl"]?.isNull == true)
        let ingest = try client.send("GET", "\(Self.ingest)?jobType=V2Ingest").json
        #expect(ingest["records"]?.array?.count == 1_000)
        #expect(try client.send("GET", "\(Self.ingest)?queryLocator=x").status == 400)
        #expect(try client.send("GET", Self.query).json["records"]?.array?.isEmpty == true)
    }
}

/// The types of fields, and never the form of a string, determine the values that bulk jobs write and read.
@Suite("Values of bulk jobs")
struct BulkValueTests {
    private static let jobs = "\(OrgClient.data)/jobs"

    private func export(_ client: OrgClient, _ query: String, version: Int = 66) throws -> RawClient.Response {
        let path = "/services/data/v\(version).0/jobs/query"
        let body = JSONValue(["operation": "query", "query": JSONValue(query)]).description
        let id = try #require(try client.send("POST", path, body: body).json["id"]?.string)
        client.org.finishJobs()
        return try client.send("GET", "\(path)/\(id)/results")
    }

    private func load(_ client: OrgClient, _ members: String, _ csv: String, version: Int = 66) throws -> String {
        let job = try client.load("{\(members)}", csv, version: version)
        client.org.finishJobs()
        return job
    }

    private static let texts = [
        "abcdefghijklmnopqrstuvw+0000", "2026-01-29T10:11:12.000+0000", "true", "300.0", "null", "#N/A", "a \"b\", c",
    ]

    @Test("strings are exported unchanged, whatever they look like")
    func texts() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"Parent"}"#)
        for text in Self.texts {
            let body = JSONValue(["LastName": JSONValue(text), "AccountId": JSONValue(account), "FirstName": "Looks"])
            _ = try client.create("Contact", body.description)
        }
        let query = "SELECT LastName, Account.Name, CreatedDate FROM Contact WHERE FirstName = 'Looks' ORDER BY Id"
        let lines = try export(client, query).text.split(separator: "\n").dropFirst()
        let records = try #require(try client.query(query).json["records"]?.array)
        #expect(lines.count == Self.texts.count)
        for (line, record) in zip(lines, records) {
            let created = try #require(record["CreatedDate"]?.string)
            let name = try #require(record["LastName"]?.string).replacing("\"", with: "\"\"")
            #expect(line == "\"\(name)\",\"Parent\",\"\(created.dropLast(5))Z\"")
        }
    }

    @Test("a job rejects options that it would ignore")
    func ignored() async throws {
        let client = try await SharedOrg.client
        let query = #"{"operation":"query","query":"SELECT Id FROM Account FOR VIEW"}"#
        #expect(try client.send("POST", "\(Self.jobs)/query", body: query).errorCode == "FEATURENOTENABLED")
    }

    /// An object whose external ids are numbers, and an object that refers to it.
    private static let schema = """
        {"sobjects":[
        {"name":"Part__c","fields":[{"name":"Name","type":"string","nameField":true},
         {"name":"Num__c","type":"double","precision":18,"scale":2,"externalId":true,"unique":true},
         {"name":"Count__c","type":"int","externalId":true}]},
        {"name":"Use__c","fields":[{"name":"Name","type":"string","nameField":true},
         {"name":"Part__c","type":"reference","referenceTo":["Part__c"],"relationshipName":"Part__r"}]}]}
        """

    private func parts() async throws -> OrgClient {
        return try await OrgClient.start { $0.schema = try OrgSchema(describe: Array(Self.schema.utf8)) }
    }

    @Test("numeric external ids identify records in paths")
    func numbersInPaths() async throws {
        let client = try await parts()
        let path = "\(OrgClient.data)/sobjects/Part__c"
        #expect(try client.send("PATCH", path + "/Num__c/5", body: #"{"Name":"five"}"#).status == 201)
        #expect(try client.send("PATCH", path + "/Num__c/5.0", body: #"{"Count__c":7}"#).status == 200)
        #expect(try client.send("GET", path + "/Num__c/5").json["Num__c"]?.double == 5)
        #expect(try client.send("GET", path + "/Count__c/7").json["Name"]?.string == "five")
        for text in ["x", "%22five%22", "true", "[5]", "5%2C6"] {
            let response = try client.send("GET", "\(path)/Num__c/\(text)")
            #expect(response.status == 400 && response.errorCode == "JSON_PARSER_ERROR")
        }
        #expect(try client.send("DELETE", path + "/Num__c/5").status == 204)
        #expect(try client.send("GET", path + "/Num__c/5").status == 404)
    }

    @Test("numeric external ids identify records and parents in the rows of jobs")
    func numbersInRows() async throws {
        let client = try await parts()
        let upsert = #""object":"Part__c","operation":"upsert","externalIdFieldName":"Num__c""#
        _ = try load(client, upsert, "Num__c,Name\n5,five\n6.5,six\n")
        let again = try load(client, upsert, "Name,Num__c\nFIVE,5.0\n,x\n")
        #expect(try client.send("GET", again + "/successfulResults").text.contains("\"false\",FIVE,5.0\n"))
        #expect(try client.send("GET", again + "/failedResults").text.contains("JSON_PARSER_ERROR"))
        let names = try client.query("SELECT Name FROM Part__c ORDER BY Num__c").json["records"]
        #expect(names?[0]?["Name"]?.string == "FIVE" && names?[1]?["Name"]?.string == "six")
        let uses = try load(client, #""object":"Use__c","operation":"insert""#, "Name,Part__r.Num__c\na,5\nb,6.5\n")
        #expect(try client.send("GET", uses).json["numberRecordsFailed"]?.int == 0)
        let found = try client.query("SELECT COUNT() FROM Use__c WHERE Part__r.Name = 'six'")
        #expect(found.json["totalSize"]?.int == 1)
    }

    @Test("the API version determines the order of columns and the ids of failed rows")
    func versions() async throws {
        let client = try await OrgClient.start()
        let query = "SELECT Name, Id, Owner.Name FROM Account LIMIT 1"
        #expect(try export(client, query, version: 50).text.hasPrefix("\"Name\",\"Id\",\"Owner.Name\"\n\"Alder"))
        #expect(try export(client, query, version: 49).text.hasPrefix("\"Id\",\"Name\",\"Owner.Name\"\n\"001"))
        for (version, header) in [(52, "\"sf__Error\",Name\n"), (53, "\"sf__Id\",\"sf__Error\",Name\n")] {
            let job = try load(client, #""object":"Account","operation":"insert""#, "Name\n\"\"\n", version: version)
            #expect(try client.send("GET", job + "/failedResults").text.hasPrefix(header))
        }
    }
}
