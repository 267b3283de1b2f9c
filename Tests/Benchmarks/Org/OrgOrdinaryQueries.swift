// SPDX-License-Identifier: Apache-2.0

/// Thirty queries that are typical of apps and users.
struct OrgOrdinaryQueries {
    private let times: [(query: String, seconds: Double)]

    init(_ reader: OrgReader) async throws {
        var times: [(query: String, seconds: Double)] = []
        for query in try await Self.queries(reader) {
            times.append((query, try await reader.time(of: query)))
        }
        self.times = times.sorted { $0.seconds > $1.seconds }
    }

    private static let bound = 0.3

    /// Prints the slowest query, and all that exceed the bound.
    func print() {
        Figure(
            name: "org.ordinary", value: times.first?.seconds ?? 0, unit: "s", relation: .atMost, bound: Self.bound,
            note: "the slowest of \(times.count) queries, the median \(rounded(times[times.count / 2].seconds)) s"
        ).print()
        for (query, seconds) in times.prefix(5) { Swift.print("  \(rounded(seconds)) s: \(query)") }
    }

    private static func queries(_ reader: OrgReader) async throws -> [String] {
        let some = "SELECT Id, Name, OwnerId FROM Account LIMIT 200 OFFSET 1000"
        let account = try await reader.value(some, "Id")
        let name = try await reader.value(some, "Name")
        let owner = try await reader.value(some, "OwnerId")
        let email = try await reader.value("SELECT Email FROM Contact LIMIT 1 OFFSET 1500", "Email")
        var ids: [String] = []
        for index in 0..<20 { ids.append("'\(try await reader.value(some, "Id", at: index * 9))'") }
        let list = ids.joined(separator: ", ")
        return [
            "SELECT Id, Name FROM Account WHERE Id = '\(account)'",
            "SELECT Id, Name, Industry FROM Account WHERE Name = '\(name)'",
            "SELECT Id, Name FROM Account WHERE Name LIKE 'Zephyr T%'",
            "SELECT Id, Name FROM Account WHERE Name LIKE '%bridge rob%' LIMIT 50",
            "SELECT Id, Name, AnnualRevenue FROM Account WHERE AnnualRevenue > 499000000",
            "SELECT Id, Name FROM Account WHERE NumberOfEmployees > 49000 ORDER BY NumberOfEmployees DESC LIMIT 10",
            "SELECT Id, Name FROM Account WHERE Industry = 'Banking' LIMIT 100",
            "SELECT Id, Name FROM Account WHERE Industry IN ('Banking', 'Finance') AND Rating = 'Hot' LIMIT 200",
            "SELECT Id, Name FROM Account WHERE BillingCity = 'Berlin' AND Type = 'Prospect' AND Rating = null LIMIT 500",
            "SELECT COUNT() FROM Account",
            "SELECT COUNT() FROM Contact",
            "SELECT COUNT() FROM Account WHERE Industry = 'Energy' AND Rating = 'Hot'",
            "SELECT COUNT() FROM Account WHERE CreatedDate >= 2026-03-01T00:00:00Z",
            "SELECT Id, Name, CreatedDate FROM Account ORDER BY CreatedDate DESC LIMIT 20",
            "SELECT Id, Name FROM Account WHERE LastModifiedDate >= 2026-05-04T18:00:00Z ORDER BY LastModifiedDate",
            "SELECT Id, Name, Owner.Name FROM Account WHERE OwnerId = '\(owner)' AND Type = 'Other' LIMIT 200",
            "SELECT Id, Name, (SELECT Id, LastName, Email FROM Contacts) FROM Account WHERE Id IN (\(list))",
            "SELECT Id, Name, (SELECT LastName FROM Contacts ORDER BY LastName LIMIT 5) FROM Account ORDER BY Name LIMIT 50",
            "SELECT Id, FirstName, LastName, Account.Name FROM Contact WHERE AccountId = '\(account)'",
            "SELECT Id, Name, Account.Name FROM Contact WHERE Email = '\(email)'",
            "SELECT Id, Name, Account.Owner.Name FROM Contact WHERE Account.Name = '\(name)'",
            "SELECT Id, Name, MailingCity FROM Contact WHERE Name LIKE 'Zoë Y%' LIMIT 100",
            "SELECT Id, Name FROM Contact WHERE LastName = 'O\\'Brien' AND MailingCity = 'Tokyo' LIMIT 100",
            "SELECT Id, Name FROM Contact ORDER BY Name LIMIT 20 OFFSET 2000",
            "SELECT Id, Name FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Email LIKE 'ada.adler12%')",
            "SELECT Id, Name FROM Account WHERE Name LIKE 'Zephyr T%' AND Id NOT IN (SELECT AccountId FROM Contact WHERE "
                + "CreatedDate >= 2026-05-04T00:00:00Z) LIMIT 100",
            "SELECT MAX(AnnualRevenue) m, AVG(NumberOfEmployees) a FROM Account WHERE Industry = 'Retail'",
            "SELECT LeadSource, COUNT(Id) n FROM Contact WHERE CreatedDate >= 2026-05-01T00:00:00Z GROUP BY LeadSource",
            "SELECT AccountId, COUNT(Id) n FROM Contact WHERE AccountId IN (\(list)) GROUP BY AccountId HAVING COUNT(Id) > 1",
            "SELECT Id, Name, SystemModstamp FROM Contact WHERE SystemModstamp > 2026-05-01T00:00:00Z "
                + "ORDER BY SystemModstamp, Id LIMIT 2000",
        ]
    }
}
