// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Terminals
import Testing

@Suite("soql: single records", .timeLimit(.minutes(2)))
struct RecordVerbTests {
    @Test("a record is created, read, changed and deleted; values are typed, and numbers keep every digit")
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
        #expect(changed.status == 0 && changed.errors == "Updated \(id).\n")
        let read = try await session.run("get", "Account", id, "name,NumberOfEmployees", "Id")
        #expect(read.output == "Name,NumberOfEmployees,Id\nOther,,\(id)\n")
        let gone = try await session.run("delete", "Account", id, "--yes")
        #expect(gone.status == 0)
        #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'Other'").isEmpty)
        let again = try await session.run("get", "Account", id)
        #expect(again.status == 1 && again.output.isEmpty)
        await session.org.stop()
    }

    @Test("an upsert by an external id creates a record once, and tells which it did")
    func upsert() async throws {
        let session = try await OrgSession()
        let first = try await session.run("upsert", "Account", "ExternalId__c", "k 1/2", "Name=One")
        let second = try await session.run("upsert", "Account", "externalid__c", "k 1/2", "Name=Two")
        #expect(first.status == 0 && first.errors == "Created.\n" && second.errors == "Updated.\n")
        #expect(first.output == second.output)
        let read = try await session.run("get", "Account", "k 1/2", "Name", "--external-id", "ExternalId__c")
        #expect(read.output == "Name\nTwo\n")
        await session.org.stop()
    }

    @Test(
        "a value or a name that cannot be right sends nothing",
        arguments: [
            (["create", "Account", "Nmae=x"], "did you mean 'Name'?", 1),
            (["create", "Account", "Name=x", "NumberOfEmployees=12x"], "takes a number", 1),
            (["create", "Contact", "LastName=x", "DoNotCall=maybe"], "DoNotCall", 1),
            (["create", "Account", "Name=x", "name=y"], "Name is given twice", 1),
            (["create", "Account", "Name"], "must be FIELD=VALUE", 2),
            (["create", "Account", "=x"], "names no field", 2),
            (["create", "Account", "Name:={"], "is not JSON", 2),
            (["create"], "name the object", 2),
            (["update", "Account", "001000000000001AAA"], "say what to change", 2),
            (["update", "Account", "x", "Name=y"], "id", 1),
            (["create", "Nothing", "Name=x"], "Nothing", 1),
            (["delete", "Account", "001000000000001AAA"], "--yes", 2),
            (["create", "Account", "Name=x", "--failed", "f"], "--failed is for rows", 2),
        ])
    func refusals(words: [String], message: String, status: Int32) async throws {
        let session = try await OrgSession()
        let run = try await Command(words, environment: session.environment).finish()
        #expect(run.status == status && run.errors.contains(message), "\(run)")
        #expect(session.writes.isEmpty && run.output.isEmpty)
        await session.org.stop()
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
        await session.org.stop()
    }

    @Test("a write whose answer is lost is not sent again, and its outcome is said to be unknown")
    func lost() async throws {
        let session = try await OrgSession()
        session.org.faults.add(.closeAfterHandling, matching: "/sobjects/Account", method: "POST")
        let run = try await session.run("create", "Account", "Name=once only")
        #expect(run.status == 1 && run.errors.contains("the outcome is unknown"))
        #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'once only'").count == 1)
        await session.org.stop()
    }

    @Test(
        "on a terminal a deletion asks, and names the org; no answer but yes does it",
        .enabled(if: TerminalSession.isAvailable))
    func question() async throws {
        let session = try await OrgSession()
        let id = try await session.run("create", "Account", "Name=asked").output.trimmingCharacters(in: .newlines)
        for (answer, isDone) in [("n\n", false), ("\n", false), ("\u{4}", false), ("y\n", true)] {
            let terminal = try TerminalSession(["delete", "Account", id], environment: session.environment)
            try terminal.wait(for: "delete Account \(id) at \(session.org.instanceURL)? [y/N]")
            terminal.type(answer)
            terminal.finish()
            #expect(terminal.process.terminationStatus == (isDone ? 0 : 1))
            #expect(terminal.text.contains(isDone ? "Deleted" : "nothing was done"))
            #expect(try await session.values("SELECT Name FROM Account WHERE Name = 'asked'").isEmpty == isDone)
        }
        await session.org.stop()
    }

    @Test("Control-C at the question ends the command, and nothing is done", .enabled(if: TerminalSession.isAvailable))
    func interruptedQuestion() async throws {
        let session = try await OrgSession()
        let terminal = try TerminalSession(
            ["delete", "Account", "001000000000001AAA"], environment: session.environment)
        try terminal.wait(for: "[y/N]")
        kill(terminal.process.processIdentifier, SIGINT)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130 && session.writes.isEmpty)
        await session.org.stop()
    }
}
