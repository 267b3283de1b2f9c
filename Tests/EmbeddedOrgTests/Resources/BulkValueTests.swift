// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

/// What bulk jobs write and read is decided by the types of fields, never by what a text looks like.
@Suite("Values of bulk jobs")
struct BulkValueTests {
    private static let jobs = "\(OrgClient.data)/jobs"

    /// Runs a query job and gives its results.
    private func export(_ client: OrgClient, _ query: String, version: Int = 66) throws -> RawClient.Answer {
        let path = "/services/data/v\(version).0/jobs/query"
        let body = JSONValue(["operation": "query", "query": JSONValue(query)]).description
        let id = try #require(try client.send("POST", path, body: body).json["id"]?.string)
        client.org.finishJobs()
        return try client.send("GET", "\(path)/\(id)/results")
    }

    /// Runs an ingest job and gives the path of the job.
    private func load(
        _ client: OrgClient, _ members: String, _ csv: String, version: Int = 66
    ) throws -> String {
        let path = "/services/data/v\(version).0/jobs/ingest"
        let id = try #require(try client.send("POST", path, body: "{\(members)}").json["id"]?.string)
        let job = "\(path)/\(id)"
        #expect(try client.send("PUT", job + "/batches", body: csv, fields: ["Content-Type: text/csv"]).status == 201)
        #expect(try client.send("PATCH", job, body: #"{"state":"UploadComplete"}"#).status == 200)
        client.org.finishJobs()
        return job
    }

    /// Texts that look like values of other types.
    private static let texts = [
        "abcdefghijklmnopqrstuvw+0000", "2026-01-29T10:11:12.000+0000", "true", "300.0", "null", "#N/A", "a \"b\", c",
    ]

    @Test("texts come out as they are, whatever they look like")
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
        await client.org.stop()
    }

    @Test("a job rejects what it would ignore")
    func ignored() async throws {
        let client = try await SharedOrg.client
        let query = #"{"operation":"query","query":"SELECT Id FROM Account FOR VIEW"}"#
        #expect(try client.send("POST", "\(Self.jobs)/query", body: query).errorCode == "FEATURENOTENABLED")
    }

    /// An object whose external ids are numbers, and one that refers to it.
    private static let schema = """
        {"sobjects":[
        {"name":"Part__c","fields":[{"name":"Name","type":"string","nameField":true},
         {"name":"Num__c","type":"double","precision":18,"scale":2,"externalId":true,"unique":true},
         {"name":"Count__c","type":"int","externalId":true}]},
        {"name":"Use__c","fields":[{"name":"Name","type":"string","nameField":true},
         {"name":"Part__c","type":"reference","referenceTo":["Part__c"],"relationshipName":"Part__r"}]}]}
        """

    private func parts() async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        configuration.schema = try OrgSchema(describe: Array(Self.schema.utf8))
        return try await OrgClient.start(configuration)
    }

    @Test("external ids that are numbers name records in paths")
    func numbersInPaths() async throws {
        let client = try await parts()
        let path = "\(OrgClient.data)/sobjects/Part__c"
        #expect(try client.send("PATCH", path + "/Num__c/5", body: #"{"Name":"five"}"#).status == 201)
        #expect(try client.send("PATCH", path + "/Num__c/5.0", body: #"{"Count__c":7}"#).status == 200)
        #expect(try client.send("GET", path + "/Num__c/5").json["Num__c"]?.double == 5)
        #expect(try client.send("GET", path + "/Count__c/7").json["Name"]?.string == "five")
        for text in ["x", "%22five%22", "true", "[5]", "5%2C6"] {
            let answer = try client.send("GET", "\(path)/Num__c/\(text)")
            #expect(answer.status == 400 && answer.errorCode == "JSON_PARSER_ERROR")
        }
        #expect(try client.send("DELETE", path + "/Num__c/5").status == 204)
        #expect(try client.send("GET", path + "/Num__c/5").status == 404)
        await client.org.stop()
    }

    @Test("external ids that are numbers name records and parents in the rows of jobs")
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
        await client.org.stop()
    }

    @Test("the version decides about the order of columns and about the ids of failed rows")
    func versions() async throws {
        let client = try await OrgClient.start()
        let query = "SELECT Name, Id, Owner.Name FROM Account LIMIT 1"
        #expect(try export(client, query, version: 50).text.hasPrefix("\"Name\",\"Id\",\"Owner.Name\"\n\"Alder"))
        #expect(try export(client, query, version: 49).text.hasPrefix("\"Id\",\"Name\",\"Owner.Name\"\n\"001"))
        for (version, header) in [(52, "\"sf__Error\",Name\n"), (53, "\"sf__Id\",\"sf__Error\",Name\n")] {
            let job = try load(client, #""object":"Account","operation":"insert""#, "Name\n\"\"\n", version: version)
            #expect(try client.send("GET", job + "/failedResults").text.hasPrefix(header))
        }
        await client.org.stop()
    }
}
