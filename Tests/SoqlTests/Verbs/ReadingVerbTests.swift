// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("soql: search, describe, limits, explain and raw requests", .timeLimit(.minutes(2)))
struct ReadingVerbTests {
    @Test("plain words are searched for as they are, in the objects that are named; FIND is a statement")
    func search() async throws {
        let session = try await OrgSession()
        _ = try await session.run("create", "Account", "Name=Zyxo & Sons (2)")
        _ = try await session.run("create", "Contact", "LastName=Zyxo")
        let words = try await session.run("search", "Zyxo", "&", "Sons", "(2)", "--in", "Account,Contact")
        let lines = words.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "Type,Id,Name" && lines[1].hasSuffix(",Zyxo & Sons (2)"), "\(words)")
        let both = try await session.run("search", "Zyxo", "--in", "Account Contact", "--fields", "Id")
        #expect(both.output.split(separator: "\n").dropFirst().map { $0.prefix(7) }.sorted() == ["Account", "Contact"])
        let statement = try await session.run("search", "find {Zyxo} RETURNING Contact(LastName)")
        #expect(statement.output == "Type,LastName\nContact,Zyxo\n")
        let none = try await session.run("search", "nothinglikethis", "--in", "Account")
        #expect(none.status == 0 && none.output == "Type\n")
        for words in [["search"], ["search", "FIND {x}", "--in", "Account"]] {
            #expect(try await Command(words, environment: session.environment).finish().status == 2)
        }
        let punctuation = try await session.run("search", "&")
        #expect(punctuation.status == 1)
        await session.org.stop()
    }

    @Test("describe lists objects and fields; limits has what is left; both in every format")
    func describe() async throws {
        let session = try await OrgSession()
        let objects = try await session.run("describe")
        #expect(objects.output.contains("\nAccount,Account,001,false,true,true,true,true\n"))
        let fields = try await session.run("describe", "account", "--format", "ndjson")
        let name = try fields.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            .first { $0["name"]?.string == "Name" }
        #expect(name?["type"]?.string == "string(255)" && name?["required"]?.bool == true)
        #expect(try await session.run("describe", "Acount").status == 1)
        for words in [
            ["describe", "Acount"], ["get", "Acount", "001000000000001AAA"], ["create", "Acount", "Name=x"],
            ["delete", "Acount", "001000000000001AAA", "--yes"],
        ] {
            let run = try await Command(words, environment: session.environment).finish()
            #expect(run.status == 1 && run.errors.contains("did you mean 'Account'?"), "\(words): \(run)")
        }
        let field = try await session.run(
            "get", "Account", session.values("SELECT Id FROM Account LIMIT 1", "Id")[0], "Nme")
        #expect(field.status == 1 && field.errors.contains("did you mean 'Name'?"), "\(field)")
        let gone = try await session.run("get", "Account", "001000000000001AAA")
        #expect(gone.status == 1 && !gone.errors.contains("did you mean"), "\(gone)")
        let limits = try await session.run("limits", "--format", "csv")
        #expect(limits.output.contains("\nDailyApiRequests,15000,"))
        await session.org.stop()
    }

    @Test("explain prints the plans; a query that is wrong has its caret")
    func explain() async throws {
        let session = try await OrgSession()
        let run = try await session.run("explain", "SELECT Id FROM Account WHERE Name = 'x'")
        #expect(run.output.hasPrefix("operation,object,cost,cardinality,records,fields,notes\n"))
        #expect(run.output.contains(",Account,"))
        let wrong = try await session.run("explain", "SELECT Id FROM Account WHERE Nam = 'x'")
        #expect(wrong.status == 1 && wrong.errors.contains("^"))
        await session.org.stop()
    }

    @Test("a raw request is signed, has a body from the line, a file or standard input, and prints what comes")
    func api() async throws {
        let session = try await OrgSession()
        let limits = try await session.run("api", "get", "limits", "--include", "-H", "X-Mine: 1")
        #expect(limits.status == 0 && limits.output.hasPrefix("HTTP 200\n") && limits.output.contains("\n\n{\"Daily"))
        #expect(session.org.journal.entries.last?.field("X-Mine") == "1")
        try session.folder.write(#"{"Name":"file"}"#, to: "body.json")
        let bodies = [#"{"Name":"line"}"#, "@" + session.folder.path("body.json"), "@-"]
        for body in bodies {
            let run = try await session.run(
                "api", "POST", "/services/data/v66.0/sobjects/Account", "-d", body, input: #"{"Name":"input"}"#)
            #expect(run.status == 0 && run.output.contains(#""success":true"#))
        }
        let made = "SELECT Name FROM Account WHERE Name IN ('line', 'file', 'input') ORDER BY Name"
        #expect(try await session.values(made) == ["file", "input", "line"])
        let missing = try await session.run("api", "GET", "nothing")
        #expect(missing.status == 1 && missing.output.contains(#""errorCode":"NOT_FOUND""#))
        #expect(missing.errors.contains("NOT_FOUND"))
        let dry = try await session.run("api", "DELETE", "sobjects/Account/x", "--dry-run")
        #expect(dry.output == "DELETE /services/data/v66.0/sobjects/Account/x\n")
        for words in [["api", "GET"], ["api", "FETCH", "x"], ["api", "GET", "x", "-H", "y"]] {
            #expect(try await Command(words, environment: session.environment).finish().status == 2)
        }
        await session.org.stop()
    }

    @Test("a raw request of another server is refused, and that server sees nothing")
    func otherServer() async throws {
        let (session, other) = (try await OrgSession(), try await OrgSession())
        let before = other.org.journal.count
        let addresses = [
            other.org.instanceURL + "/services/data", "//127.0.0.1:\(other.org.port)/x",
            "http://127.0.0.1:\(session.org.port)@127.0.0.1:\(other.org.port)/x",
        ]
        for address in addresses {
            let run = try await session.run("api", "GET", address)
            #expect(run.status == 1 && run.output.isEmpty || run.output.contains("NOT_FOUND"), "\(address): \(run)")
        }
        #expect(other.org.journal.count == before)
        await session.org.stop()
        await other.org.stop()
    }
}
