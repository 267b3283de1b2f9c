// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Terminals
import Testing

@Suite("soql verbs for single records", .timeLimit(.minutes(2)))
struct RecordVerbTests {
    @Test("a record is created, read, updated and deleted, with typed values and exact numbers")
    func life() async throws {
        let session = try await OrgSession()
        let made = try await session.run(
            "create", "Account", "Name=Acme, Inc. = best", "annualrevenue=1234567890.12", "NumberOfEmployees:=7",
            "Description=")
        let id = made.output.trimmingCharacters(in: .newlines)
        #expect(made.status == 0 && id.count == 18 && made.errors.isEmpty)
        let body = try #require(session.writes.last).body
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"Name":"Acme, Inc. = best","AnnualRevenue":1234567890.12,"NumberOfEmployees":7,"Description":null}"#
        )
        let changed = try await session.run("update", "Account", id, "NumberOfEmployees=", "Name=Other")
        #expect(changed.status == 0 && changed.errors == "updated \(id)\n")
        let read = try await session.run("get", "Account", id, "name,NumberOfEmployees", "Id")
        #expect(read.output == "Name,NumberOfEmployees,Id\nOther,,\(id)\n")
        let gone = try await session.run("delete", "Account", id, "--yes")
        #expect(gone.status == 0)
        #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'Other'").isEmpty)
        let again = try await session.run("get", "Account", id)
        #expect(again.status == 1 && again.output.isEmpty)
    }

    @Test("an upsert by an external id creates a record once, and reports what it did")
    func upsert() async throws {
        let session = try await OrgSession()
        let first = try await session.run("upsert", "Account", "ExternalId__c", "k 1/2", "Name=One")
        let second = try await session.run("upsert", "Account", "externalid__c", "k 1/2", "Name=Two")
        #expect(first.status == 0 && first.errors == "created\n" && second.errors == "updated\n")
        #expect(first.output == second.output)
        let read = try await session.run("get", "Account", "k 1/2", "Name", "--external-id", "ExternalId__c")
        #expect(read.output == "Name\nTwo\n")
    }

    @Test("an invalid value or name is rejected before anything is sent")
    func rejections() async throws {
        let session = try await OrgSession()
        let rejections: [(words: [String], message: String, status: Int32)] = [
            (["create", "Account", "Nmae=x"], "did you mean 'Name'?", 1),
            (["create", "Account", "Name=x", "NumberOfEmployees=12x"], "takes a number", 1),
            (["create", "Contact", "LastName=x", "DoNotCall=maybe"], "DoNotCall", 1),
            (["create", "Account", "Name=x", "name=y"], "Name is given twice", 1),
            (["create", "Account", "Name"], "must be FIELD=VALUE", 2),
            (["create", "Account", "=x"], "has no field name", 2),
            (["create", "Account", "Name:={"], "is not JSON", 2),
            (["create"], "no object; give one", 2),
            (["create", "Account"], "no fields; give FIELD=VALUE", 2),
            (["update", "Account", "001000000000001AAA"], "no fields to change", 2),
            (["update", "Account", "x", "Name=y"], "id", 1),
            (["create", "Nothing", "Name=x"], "Nothing", 1),
            (["delete", "Account", "001000000000001AAA"], "--yes", 2),
            (["delete", "Account", "001000000000001AAA", "001000000000002AAA", "--yes"], "give one id", 2),
        ]
        for (words, message, status) in rejections {
            let run = try await Command(words, environment: session.environment).finish()
            #expect(run.status == status && run.errors.contains(message), "\(words): \(run)")
            #expect(session.writes.isEmpty && run.output.isEmpty)
        }
    }

    @Test("--dry-run prints the request, and writes nothing")
    func dryRun() async throws {
        let session = try await OrgSession()
        let id = "001000000000001AAA"
        let made = try await session.run("create", "Account", "Name=x", "NumberOfEmployees=3", "--dry-run")
        #expect(
            made.output == "POST /services/data/v66.0/sobjects/Account\n"
                + #"{"Name":"x","NumberOfEmployees":3}"# + "\n")
        let gone = try await session.run("delete", "Account", id, "--dry-run")
        #expect(gone.output == "DELETE /services/data/v66.0/sobjects/Account/\(id)\n" && gone.status == 0)
        #expect(session.writes.isEmpty)
    }

    @Test("a write with a lost response is not sent again, and its outcome is reported as unknown")
    func lost() async throws {
        let session = try await OrgSession()
        session.org.faults.add(.closeAfterHandling, matching: "/sobjects/Account", method: "POST")
        let run = try await session.run("create", "Account", "Name=once only")
        #expect(run.status == 1 && run.errors.contains("the outcome is unknown"))
        #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'once only'").count == 1)
    }

    @Test(
        "on a terminal a deletion asks for confirmation with the org's URL, and only yes confirms",
        .enabled(if: TerminalSession.isAvailable))
    func question() async throws {
        let session = try await OrgSession()
        let id = try await session.run("create", "Account", "Name=asked").output.trimmingCharacters(in: .newlines)
        for (response, isDone) in [("n\n", false), ("\n", false), ("\u{4}", false), ("y\n", true)] {
            let terminal = try TerminalSession(["delete", "Account", id], environment: session.environment)
            try terminal.wait(for: "delete Account \(id) at \(session.org.instanceURL)? [y/N]")
            terminal.type(response)
            terminal.finish()
            #expect(terminal.process.terminationStatus == (isDone ? 0 : 1))
            #expect(terminal.text.contains(isDone ? "deleted" : "nothing was done"))
            #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'asked'").isEmpty == isDone)
        }
    }

    @Test(
        "Control-C at the confirmation ends the command, and nothing is deleted",
        .enabled(if: TerminalSession.isAvailable))
    func interruptedQuestion() async throws {
        let session = try await OrgSession()
        let terminal = try TerminalSession(
            ["delete", "Account", "001000000000001AAA"], environment: session.environment)
        try terminal.wait(for: "[y/N]")
        kill(terminal.process.processIdentifier, SIGINT)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130 && session.writes.isEmpty)
    }
}

@Suite("soql search, describe, limits, explain and api", .timeLimit(.minutes(2)))
struct ReadingVerbTests {
    @Test("plain words are searched literally in the named objects, and FIND begins a statement")
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
    }

    @Test("describe lists objects and fields, and limits lists remaining amounts, in every format")
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
    }

    @Test("explain prints the plans, and an invalid query has a caret")
    func explain() async throws {
        let session = try await OrgSession()
        let run = try await session.run("explain", "SELECT Id FROM Account WHERE Name = 'x'")
        #expect(run.output.hasPrefix("operation,object,cost,cardinality,records,fields,notes\n"))
        #expect(run.output.contains(",Account,"))
        let wrong = try await session.run("explain", "SELECT Id FROM Account WHERE Nam = 'x'")
        #expect(wrong.status == 1 && wrong.errors.contains("^"))
    }

    @Test("a raw request is authorized, has a body from the line, a file or standard input, and prints the response")
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
    }

    @Test("a raw request to another server is rejected, and that server receives nothing")
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
    }
}
