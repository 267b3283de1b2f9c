// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Ways of asking an org, run as a process", .timeLimit(.minutes(2)))
struct QueryWaysTests {
    private func org(_ records: Int = 0) async throws -> (org: LocalOrg, environment: [String: String]) {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: records))
        return (org, ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken])
    }

    @Test("a job of Bulk API 2.0 prints the same records as a query, parents and nulls too")
    func bulk() async throws {
        let (org, environment) = try await org(4_500)
        let query = "SELECT Id, Name, Owner.Name, ParentId, Parent.Name FROM Account ORDER BY Name"
        let plain = try await Command.run("--format", "csv", query, environment: environment)
        let before = org.journal.entries.count
        let job = try await Command.run("--bulk", "--format", "csv", query, environment: environment)
        #expect(job.status == 0, "\(job.errors)")
        #expect(job.output == plain.output)
        let asked = org.journal.entries.dropFirst(before).map(\.target)
        #expect(asked.contains { $0.contains("/jobs/query") } && !asked.contains { $0.contains("/query?") })
        let some = try await Command.run("--bulk", "--limit", "3", "--format", "json", query, environment: environment)
        #expect(try JSONValue(parsing: Array(some.output.utf8))["records"]?.array?.count == 3)
        let empty = try await Command.run(
            "--bulk", "SELECT Id FROM Account WHERE Name = 'none'", environment: environment)
        #expect(empty.status == 0 && empty.output == "Id\n")
        await org.stop()
    }

    @Test("what a job cannot do is said by the org; a wrong name is met with the nearest")
    func bulkRefusals() async throws {
        let groups = try await Command.run("--sample", "--bulk", "SELECT COUNT(Id) FROM Account")
        #expect(groups.status == 1 && groups.errors.contains("FEATURENOTENABLED"))
        let field = try await Command.run("--sample", "--bulk", "SELECT Nmae FROM Account")
        #expect(field.status == 1 && field.errors.contains("Nmae"), "\(field.errors)")
        #expect(try await Command.run("--bulk", "--tooling", "SELECT Id FROM Account").status == 2)
    }

    @Test("an interrupt ends the job at the org, too")
    func bulkInterrupt() async throws {
        let (org, environment) = try await org()
        org.faults.add(
            .body(
                #"{"id":"750000000000001AAA","operation":"query","object":"Account","state":"InProgress"}"#,
                contentType: "application/json"),
            next: 1_000, matching: "/jobs/query/", method: "GET")
        let command = try Command(["--bulk", "SELECT Id FROM Account"], environment: environment)
        while !org.journal.entries.contains(where: { $0.target.contains("/jobs/query/") }) { await Task.yield() }
        command.process.interrupt()
        let run = await command.finish()
        #expect(run.status == 130 && run.output.isEmpty, "\(run.errors)")
        #expect(org.journal.entries.contains { $0.method == "PATCH" && $0.target.contains("/jobs/query/") })
        await org.stop()
    }

    @Test("a query of very many records is met with the hint that a job is better, one that a job refuses is not")
    func hint() async throws {
        let (org, environment) = try await org(50_001)
        let query = "SELECT Id FROM Account"
        let run = try await Command.run("--batch-size", "2000", query, environment: environment)
        #expect(run.status == 0 && run.errors.contains("--bulk reads so many"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        for words in [["--limit", "10", query], ["SELECT Id, (SELECT Id FROM Contacts) FROM Account LIMIT 50001"]] {
            let other = try await Command(words, environment: environment).finish()
            #expect(other.status == 0 && !other.errors.contains("--bulk"), "\(other.errors)")
        }
        await org.stop()
    }

    @Test("the Tooling API is asked at its own address")
    func tooling() async throws {
        let (org, environment) = try await org()
        let run = try await Command.run("--tooling", "SELECT Id FROM ApexClass", environment: environment)
        #expect(run.status == 1)
        #expect(org.journal.entries.contains { $0.target.contains("/tooling/query") })
        await org.stop()
    }

    @Test("faults that pass are met as often as was said, and no more", arguments: [0, 1, 3])
    func retries(count: Int) async throws {
        let (org, environment) = try await org()
        org.faults.add(.status(503), next: 3, matching: "/query")
        let run = try await Command.run(
            "--retries", "\(count)", "SELECT COUNT() FROM Account", environment: environment)
        #expect(run.status == (count == 3 ? 0 : 1), "\(run.errors)")
        #expect(org.journal.entries.filter { $0.target.contains("/query") }.count == count + 1)
        await org.stop()
    }

    @Test("no more requests than were allowed begin within a second")
    func rate() async throws {
        let (org, environment) = try await org(1_500)
        let start = ContinuousClock.now
        let run = try await Command.run(
            "--max-rate", "2", "--batch-size", "200", "SELECT Id FROM Account", environment: environment)
        #expect(run.status == 0)
        let pages = org.journal.entries.filter { $0.target.contains("/query") }.count
        #expect(pages >= 7)
        // Of so many requests, two at a time, all but two wait for the seconds before them.
        #expect(ContinuousClock.now - start >= .seconds((pages - 1) / 2))
        await org.stop()
    }

    @Test("a request that takes too long ends with the advice to give it more")
    func timeout() async throws {
        let (org, environment) = try await org()
        org.faults.add(.delay(.seconds(30)), matching: "/query")
        let run = try await Command.run(
            "--timeout", "1", "--retries", "0", "SELECT Id FROM Account", environment: environment)
        #expect(run.status == 1 && run.errors.contains("--timeout"), "\(run.errors)")
        await org.stop()
    }

    @Test("the version of the API is that of the option, else of the variable of sf")
    func version() async throws {
        let (org, environment) = try await org()
        let variable = environment.merging(["SF_ORG_API_VERSION": "61.0"]) { $1 }
        for (words, version) in [(["--api-version", "60.0"], "v60.0"), ([], "v61.0")] {
            let run = try await Command(words + ["SELECT COUNT() FROM Account"], environment: variable).finish()
            #expect(run.status == 0, "\(run.errors)")
            #expect(org.journal.entries.last?.target.contains("/\(version)/") == true)
        }
        let wrong = environment.merging(["SF_ORG_API_VERSION": "newest"]) { $1 }
        #expect(try await Command.run("SELECT COUNT() FROM Account", environment: wrong).status == 2)
        await org.stop()
    }
}
