// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("Scripts and parameters, run as processes", .timeLimit(.minutes(2)))
struct ScriptCommandTests {
    private let script = """
        -- the first; one
        SELECT COUNT() FROM Account;
        /* the second
           is wrong */ SELECT Id,
            Nmae FROM Account WHERE Name = 'a;b';
        SELECT COUNT() FROM Contact
        """

    @Test("an error stops a script, and its position is reported with file, line and column")
    func stop() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("script.soql")
        for end in ["\n", "\r\n"] {
            let text = "\u{FEFF}" + script.split(separator: "\n").joined(separator: end)
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = try await Command.run("--sample", "--file", file)
            #expect(run.status == 1)
            #expect(run.output.split(separator: "\n").count == 2)
            #expect(run.errors.contains("\(file):5:5:\n      Nmae FROM Account"), "\(run.errors)")
            #expect(run.errors.contains("      ^\n"))
        }
    }

    @Test("a script can continue after an error, and the exit code shows a partial success")
    func goOn() async throws {
        let run = try await Command.run("--sample", "--on-error", "continue", input: script)
        #expect(run.status == 4)
        #expect(run.output.split(separator: "\n").count == 4)
        #expect(run.errors.contains("standard input:5:5:"))
        #expect(run.errors.hasSuffix("soql: 1 of 3 queries failed\n"))
        let none = try await Command.run("--sample", "--on-error=continue", "SELECT x FROM Account; SELECT y FROM Nope")
        #expect(none.status == 1 && none.output.isEmpty)
    }

    @Test("a file gets the results of a script that continues, and is not created if the script stops")
    func file() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("results.csv")
        let stopped = try await Command.run("--sample", "--output", file, input: script)
        #expect(stopped.status == 1 && !FileManager.default.fileExists(atPath: file))
        let whole = try await Command.run("--sample", "--on-error", "continue", "-o", file, input: script)
        #expect(whole.status == 4 && whole.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 4)
    }

    @Test("nothing of an invalid script is sent")
    func checkedFirst() async throws {
        let session = try await OrgSession()
        let texts = [
            "SELECT Id FROM Account; SELECT Id FROM Account WHERE Name = 'x",
            "SELECT Id FROM Account; SELECT Id FROM Account WHERE Name = :n",
            "SELECT Id FROM Account /* open", ";;", "-- nothing",
        ]
        for text in texts {
            let run = try await session.run("--on-error", "continue", input: text)
            #expect(run.status == 2 && run.output.isEmpty, "\(text): \(run.errors)")
        }
        let unused = try await session.run("--param", "n=1", "SELECT Id FROM Account")
        #expect(unused.status == 2)
        #expect(session.org.journal.entries.isEmpty)
    }

    @Test("a rejected login ends a script at once, regardless of the option")
    func refused() async throws {
        let session = try await OrgSession()
        let environment = session.environment
        session.org.faults.expireAccessTokens()
        let run = try await Command.run("--on-error", "continue", environment: environment, input: script)
        #expect(run.status == 3 && run.output.isEmpty)
        #expect(session.org.journal.entries.filter { $0.target.contains("/query") }.count == 1)
        #expect(run.errors.contains("soql login"))
    }

    @Test("values are bound, cannot change the query, and arrive at the org unchanged")
    func bound() async throws {
        let session = try await OrgSession()
        let hostile = #"x' OR Name LIKE '%"; DROP \ -- /* :n ;"#
        let run = try await session.run(
            "SELECT COUNT() FROM Account WHERE Name = :n AND NumberOfEmployees > :k AND Industry IN :i",
            "--param", "n=\(hostile)", "--param", "k:number=-1", "--param", "i:list=Banking,D'Arcy")
        #expect(run.status == 0 && run.output == "COUNT()\n0\n", "\(run.errors)")
        let target = try #require(session.org.journal.entries.last?.target.removingPercentEncoding)
        #expect(target.contains(#"Name = 'x\' OR Name LIKE \'%"; DROP \\ -- /* :n ;' AND"#), "\(target)")
        #expect(target.contains(#"> -1 AND Industry IN ('Banking','D\'Arcy')"#))
    }

    @Test("the caret of an error after a long value is in the query as it was written")
    func caret() async throws {
        let run = try await Command.run(
            "--sample", "SELECT Id FROM Account WHERE Name = :n AND Nmae = 'x'",
            "--param", "n=\(String(repeating: "long ", count: 30))")
        let lines = run.errors.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasPrefix("  SELECT") })
        #expect(lines[place] == "  SELECT Id FROM Account WHERE Name = :n AND Nmae = 'x'")
        #expect(lines[place + 1] == "  " + String(repeating: " ", count: 43) + "^", "\(run.errors)")
    }

    @Test("an unknown name gets a suggestion from the org's names")
    func didYouMean() async throws {
        let cases = [
            ("SELECT Nmae FROM Account", "'Name'"), ("SELECT Id FROM Acount", "'Account'"),
            ("SELECT Ownr.Name FROM Account", "'Owner'"), ("SELECT Owner.Nmae FROM Account", "'Name'"),
            ("SELECT Id, (SELECT Id FROM Contact) FROM Account", "'Contacts'"),
        ]
        for (query, name) in cases {
            let run = try await Command.run("--sample", query)
            let lines = run.errors.split(separator: "\n")
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(lines.first?.hasPrefix("soql: INVALID_") == true)
            #expect(lines.last?.contains("did you mean \(name)?") == true, "\(run.errors)")
        }
        let far = try await Command.run("--sample", "SELECT Qwertzuiop FROM Account")
        #expect(!far.errors.contains("did you mean"))
    }

    @Test("if the org rejects the request for suggestions, the first error is still complete")
    func silentOrg() async throws {
        let session = try await OrgSession()
        session.org.faults.add(.status(500), matching: "/describe")
        let run = try await session.run("SELECT Nmae FROM Account")
        #expect(run.status == 1 && run.errors.contains("INVALID_FIELD") && run.errors.contains("^"))
        #expect(!run.errors.contains("did you mean"))
        #expect(session.org.journal.entries.filter { $0.target.contains("/describe") }.count == 1)
    }
}

@Suite("Query options, run as processes", .timeLimit(.minutes(2)))
struct QueryWaysTests {
    @Test("a query prints the same by pages and by a job, in every format")
    func ways() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 600))
        let fields = "Id, Name, IsDeleted, AnnualRevenue, CreatedDate, Owner.Name, Parent.Name"
        let query = "SELECT \(fields) FROM Account ORDER BY Id"
        for format in ["csv", "ndjson", "json", "table"] {
            let pages = try await session.run("--no-bulk", "--format", format, query)
            let job = try await session.run("--bulk", "--format", format, query)
            #expect(job.status == 0 && job.errors == pages.errors, "\(job.errors)")
            // A job does not know the ids of parents.
            func plain(_ text: String) -> String {
                text.replacing(#/,?"url":"[^"]*\/(User|Account)\/[^"]*"/#, with: "")
            }
            #expect(plain(job.output) == plain(pages.output) && !job.output.isEmpty)
        }
        #expect(session.org.journal.entries.contains { $0.target.contains("/jobs/query/") })
        let refused = try await session.run("--bulk", "SELECT COUNT() FROM Account")
        #expect(refused.status == 1 && !refused.errors.isEmpty)
        for words in [["--no-bulk"], ["--tooling"], ["--limit", "1"]] {
            let run = try await Command(["--bulk"] + words + [query], environment: session.environment).finish()
            #expect(run.status == 2 && run.errors.contains("--bulk"), "\(run.errors)")
        }
    }

    @Test("a large result is read by a job if the limits of the org allow it, and --verbose shows the choice")
    func limits() async throws {
        let pages = [
            #"{"totalSize":50001,"done":false,"nextRecordsUrl":"/services/data/v66.0/query/x-1","records":[{"Id":"1"}]}"#,
            #"{"DailyBulkV2QueryJobs":{"Max":10,"Remaining":0}}"#,
            #"{"totalSize":50001,"done":true,"records":[{"Id":"2"}]}"#,
        ]
        for words in [[], ["--verbose"], ["--verbose", "--quiet"]] {
            let server = try ScriptServer(
                pages.flatMap { [.readRequest, .respond(fields: [("Content-Type", "application/json")], $0)] })
            let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
            let run = try await Command(
                words + ["--format", "csv", "SELECT Id FROM Account"], environment: environment
            ).finish()
            #expect(run.output == "Id\n1\n2\n" && run.status == 4, "\(run)")
            #expect(run.errors.contains("DailyBulkV2QueryJobs does not suffice") == (words == ["--verbose"]), "\(run)")
        }
    }

    @Test("the Tooling API is called at its own path")
    func tooling() async throws {
        let session = try await OrgSession()
        let run = try await session.run("--tooling", "SELECT Id FROM ApexClass")
        #expect(run.status == 1)
        #expect(session.org.journal.entries.contains { $0.target.contains("/tooling/query") })
    }

    @Test("transient errors are retried the given number of times", arguments: [0, 1, 3])
    func retries(count: Int) async throws {
        let session = try await OrgSession()
        session.org.faults.add(.status(503), next: 3, matching: "/query")
        let run = try await session.run("--retries", "\(count)", "SELECT COUNT() FROM Account")
        #expect(run.status == (count == 3 ? 0 : 1), "\(run.errors)")
        #expect(session.org.journal.entries.filter { $0.target.contains("/query") }.count == count + 1)
    }

    @Test("the request rate stays below the limit")
    func rate() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 1_500))
        let start = ContinuousClock.now
        let run = try await session.run("--max-rate", "2", "--batch-size", "200", "SELECT Id FROM Account")
        #expect(run.status == 0)
        let pages = session.org.journal.entries.filter { $0.target.contains("/query") }.count
        #expect(pages >= 7)
        // At two requests per second, each further pair waits for another second.
        #expect(ContinuousClock.now - start >= .seconds((pages - 1) / 2))
    }

    @Test("a timeout has the advice to increase it")
    func timeout() async throws {
        let session = try await OrgSession()
        session.org.faults.add(.delay(.seconds(30)), matching: "/query")
        let run = try await session.run("--timeout", "1", "--retries", "0", "SELECT Id FROM Account")
        #expect(run.status == 1 && run.errors.contains("--timeout"), "\(run.errors)")
    }

    @Test("the API version comes from the option, or from the variable of the Salesforce CLI")
    func version() async throws {
        let session = try await OrgSession()
        let variable = session.environment.merging(["SF_ORG_API_VERSION": "61.0"]) { $1 }
        for (words, version) in [(["--api-version", "60.0"], "v60.0"), ([], "v61.0")] {
            let run = try await Command(words + ["SELECT COUNT() FROM Account"], environment: variable).finish()
            #expect(run.status == 0, "\(run.errors)")
            #expect(session.org.journal.entries.last?.target.contains("/\(version)/") == true)
        }
        let wrong = session.environment.merging(["SF_ORG_API_VERSION": "newest"]) { $1 }
        #expect(try await Command.run("SELECT COUNT() FROM Account", environment: wrong).status == 2)
    }
}
