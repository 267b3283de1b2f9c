// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("soql: a record for each row", .timeLimit(.minutes(2)))
struct RowVerbTests {
    @Test("rows go in calls of 200; those that are refused are told of, kept in a file, and lead to exit code 4")
    func partly() async throws {
        let session = try await OrgSession()
        let rows = (1...450).map { $0 == 250 ? ",\"a, \"\"b\"\"\"" : "row \($0),x" }
        let run = try await session.run(
            "create", "Account", "--failed", session.folder.path("failed.csv"),
            input: "Name,Description\n" + rows.joined(separator: "\n"))
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 4 && lines.count == 451 && lines[0] == "row,id,result,error")
        #expect(lines[250].hasPrefix("250,,failed,REQUIRED_FIELD_MISSING"))
        #expect(lines[450].hasPrefix("450,001") && lines[450].hasSuffix(",created,"))
        #expect(session.writes.count == 3)
        let failed = session.folder.text(of: "failed.csv") ?? ""
        #expect(failed.hasPrefix("sf__Error,Name,Description\nREQUIRED_FIELD_MISSING"))
        #expect(failed.hasSuffix(",,\"a, \"\"b\"\"\"\n") && failed.split(separator: "\n").count == 2)
        #expect(try await session.values("SELECT Name FROM Account WHERE Name LIKE 'row %'").count == 449)
        await session.org.stop()
    }

    @Test("rows of NDJSON, as a query prints them, are changed and deleted; nothing without --yes")
    func lines() async throws {
        let session = try await OrgSession()
        _ = try await session.run("create", "Account", input: "Name\nn1\nn2\nn3\n")
        let query = "SELECT Id, Name FROM Account WHERE Name LIKE 'n_' ORDER BY Name"
        let found = try await session.run("--format", "ndjson", query)
        let changed = found.output.split(separator: "\n").map { $0.dropLast() + #","NumberOfEmployees":5.0}"# }
            .joined(separator: "\n\n")
        let refused = try await session.run("update", "Account", input: changed)
        #expect(refused.status == 2 && refused.errors.contains("--yes") && session.writes.count == 1)
        let done = try await session.run("update", "Account", "--yes", "--format", "ndjson", input: changed)
        #expect(done.status == 0 && done.output.split(separator: "\n").count == 3)
        let numbers = "SELECT Name FROM Account WHERE NumberOfEmployees = 5"
        #expect(try await session.values(numbers) == ["n1", "n2", "n3"])
        let gone = try await session.run("delete", "Account", "-y", input: found.output)
        #expect(gone.status == 0 && gone.errors.contains("3 records written"))
        #expect(try await session.values(query).isEmpty)
        let again = try await session.run("delete", "Account", "-y", input: found.output)
        #expect(again.status == 1 && again.errors.contains("ENTITY_IS_DELETED"))
        await session.org.stop()
    }

    @Test("lines of NDJSON and of a list may end with CR LF")
    func windowsLines() async throws {
        let session = try await OrgSession()
        let made = try await session.run(
            "create", "Account", input: "{\"Name\":\"w1\"}\r\n{\"Name\":\"w2\"}\r\n\r\n{\"Name\":\"w3\"}\r\n")
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            try await session.values("SELECT Name FROM Account WHERE Name LIKE 'w_' ORDER BY Name") == [
                "w1", "w2", "w3",
            ])
        let wrong = try await session.run("create", "Account", input: "{\"Name\":\"w4\"}\r\n{\"Name\"}\r\n")
        #expect(wrong.status != 0 && wrong.errors.contains("line 2"), "\(wrong.errors)")
        await session.org.stop()
    }

    @Test("an empty cell changes nothing, the text of --null empties, and a record is found by its external id")
    func cells() async throws {
        let session = try await OrgSession()
        let first = "ExternalId__c,Name,Description,Parent.ExternalId__c\na,A,long,\nb,B,long,a\n"
        #expect(try await session.run("upsert", "Account", "ExternalId__c", "--yes", input: first).status == 0)
        let second = "externalid__c,name,description\na,,nil\nb,B2,\nc,C,\n"
        let run = try await session.run("upsert", "Account", "ExternalId__c", "--yes", "--null", "nil", input: second)
        #expect(
            run.output.split(separator: "\n").map { $0.split(separator: ",")[2] } == [
                "result", "updated", "updated", "created",
            ])
        let query =
            "SELECT Name, Description, Parent.Name FROM Account WHERE ExternalId__c IN ('a', 'b', 'c') ORDER BY ExternalId__c"
        let read = try await session.run(query)
        #expect(read.output == "Name,Description,Parent.Name\nA,,\nB2,long,A\nC,,\n")
        await session.org.stop()
    }

    @Test(
        "rows that cannot be right send nothing, and say where",
        arguments: [
            ("Name,Phone\na\n", "width", 1), ("Name,Phone\na,b,c\n", "width", 1),
            ("Name,Pone\na,b\n", "did you mean 'Phone'?", 1), ("", "empty", 1), ("\n \n", "empty", 1),
            ("Name\na\u{0}b\n", "NUL", 1), ("Name\n\"a\n", "unterminated", 1), ("Name,Name\na,b\n", "duplicate", 1),
            ("{\"Name\":\"a\"}\n{\"Name\":\n", "line 2", 1), ("{\"Name\":\"a\"}\n[1]\n", "must be a JSON object", 1),
            ("Name,NumberOfEmployees\na,1\nb,many\n", "row 2: NumberOfEmployees", 1),
        ])
    func bad(rows: String, message: String, status: Int32) async throws {
        let session = try await OrgSession()
        let run = try await session.run("create", "Account", input: rows)
        #expect(run.status == status && run.errors.contains(message), "\(run)")
        #expect(session.writes.isEmpty && run.output.isEmpty)
        await session.org.stop()
    }

    @Test("ids are looked at before anything is sent")
    func ids() async throws {
        let session = try await OrgSession()
        for (rows, message) in [("Id\nx\n", "row 1: 'x' is no id"), ("Name\nx\n", "the column Id is missing")] {
            let run = try await session.run("delete", "Account", "--yes", input: rows)
            #expect(run.status == 1 && run.errors.contains(message), "\(run)")
        }
        let missing = try await session.run("upsert", "Account", "Name", "--yes", input: "Name,Phone\na,1\n,2\n")
        #expect(missing.status == 1 && missing.errors.contains("row 2: Name is empty"))
        #expect(session.writes.isEmpty)
        await session.org.stop()
    }

    @Test("a table without rows is done at once; 100,001 rows are for the bulk load")
    func counts() async throws {
        let session = try await OrgSession()
        let none = try await session.run("create", "Account", input: "Name,Phone\n")
        #expect(none.status == 0 && none.errors.contains("There are no rows"))
        let many = "Name\n" + String(repeating: "a\n", count: 100_001)
        let refused = try await session.run("create", "Account", input: many)
        #expect(refused.status == 1 && refused.errors.contains("soql import"))
        #expect(session.writes.isEmpty)
        await session.org.stop()
    }

    @Test("standard input that is closed is no rows, and a failure")
    func closed() async throws {
        let session = try await OrgSession()
        let run = try await session.shell("\"$soql\" create Account <&-")
        #expect(run.status == 1 && run.errors.contains("standard input is empty") && session.writes.isEmpty)
        await session.org.stop()
    }

    @Test("a reader who leaves ends the telling and not the work")
    func readerGone() async throws {
        let session = try await OrgSession()
        try session.folder.write("Name\n" + (1...1_000).map { "gone \($0)\n" }.joined(), to: "rows.csv")
        let run = try await session.shell(
            #"{ "$soql" create Account --file "$folder/rows.csv"; echo $? > "$folder/status"; } | true"#)
        #expect(run.status == 0 && session.folder.text(of: "status") == "0\n")
        #expect(try await session.values("SELECT Name FROM Account WHERE Name LIKE 'gone %'").count == 1_000)
        await session.org.stop()
    }

    @Test("--dry-run prints the call of every 200 rows; --all-or-none undoes a call")
    func dryRun() async throws {
        let session = try await OrgSession()
        let rows = "Name\n" + (1...201).map { "dry \($0)\n" }.joined()
        let run = try await session.run("create", "Account", "--dry-run", input: rows)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.count == 4 && lines[0] == "POST /services/data/v66.0/composite/sobjects")
        #expect(try JSONValue(parsing: Array(lines[1].utf8))["records"]?.array?.count == 200)
        #expect(session.writes.isEmpty)
        let all = try await session.run("create", "Account", "--all-or-none", input: "Name,Phone\nkept,1\n,2\n")
        #expect(all.status == 1 && all.errors.contains("0 of 2 records written"))
        await session.org.stop()
    }

    @Test("a call whose answer is lost is told of as unknown, and not sent again")
    func lost() async throws {
        let session = try await OrgSession()
        session.org.faults.add(.closeAfterHandling, matching: "/composite/sobjects", method: "POST", skipping: 1)
        let rows = "Name\n" + (1...500).map { "lost \($0)\n" }.joined()
        let run = try await session.run("create", "Account", "--failed", session.folder.path("f.csv"), input: rows)
        #expect(run.status == 4 && run.errors.contains("of 200 the outcome is unknown"))
        #expect(run.output.split(separator: "\n").count { $0.contains(",unknown,") } == 200)
        #expect(try await session.values("SELECT Name FROM Account WHERE Name LIKE 'lost %'").count == 500)
        await session.org.stop()
    }

    @Test("a login that ends is told once, as one: nothing is sent behind it")
    func loginEnded() async throws {
        let session = try await OrgSession()
        session.org.faults.add(
            .status(401, code: "INVALID_SESSION_ID", message: "Session expired"), next: 9, matching: "/composite")
        let rows = "Name\n" + (1...500).map { "late \($0)\n" }.joined()
        let run = try await session.run("create", "Account", input: rows)
        #expect(run.status == 3 && session.writes.count < 3)
        await session.org.stop()
    }
}
