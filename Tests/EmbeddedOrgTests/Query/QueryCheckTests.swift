// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import RestJSON
import RestTesting
import SOQLCheck
import SOQLStore
import SOQLSyntax
import Testing

@testable import EmbeddedOrg

@Suite("The query checker and the org agree")
struct QueryCheckTests {
    /// Returns the schema that the checker reads from the org's object descriptions.
    private static func schema(of schema: Schema) throws -> QuerySchema {
        let describes = DescribeResources(schema: schema)
        let texts = schema.objects.map {
            String(decoding: describes.describe($0, APIVersion(number: 66), nil), as: UTF8.self)
        }
        return try QuerySchema(json: Array("[\(texts.joined(separator: ","))]".utf8))
    }

    @Test("the object descriptions of an org are the schema of its own queries")
    func schema() throws {
        let schema = try Self.schema(of: Catalogue.standard)
        for object in Catalogue.standard.objects {
            #expect(schema.object(named: object.name)?.compact == object.description.sorted.compact)
        }
    }

    @Test(
        "the checker accepts the queries that the org runs, and rejects those that the org rejects", arguments: 0..<20)
    func agreement(seed: UInt64) throws {
        let schema = try Self.schema(of: Catalogue.standard)
        var random = RandomFieldQuery(seed: seed, schema: Catalogue.standard)
        for _ in 0..<50 {
            let soql = random.next()
            let findings = CheckedQuery(soql, schema: schema).findings.filter { $0.severity == .error }
            do throws(OrgError) {
                let options = QueryOptions(now: 1_769_698_800_000, version: 66)
                _ = try QueryCompiler(schema: Catalogue.standard).compile(soql, options: options)
                #expect(findings.isEmpty, "the org runs \(soql)")
            } catch {
                guard error.code != QueryCode.notEnabled.rawValue else { continue }
                #expect(
                    findings.contains { $0.code == error.code && error.message.contains($0.message) },
                    "\(soql): \(error.message) is not in \(findings)")
            }
        }
    }
}

/// No clause is read and then ignored: wherever a query can contain it, the clause changes the meaning or is rejected.
@Suite("Every clause has an effect")
struct ClauseCoverageTests {
    /// A query with and without each member of the tree, where `{}` is the position of the clauses from FROM on.
    private static let clauses: [(member: String, with: String, without: String)] = [
        ("select", "SELECT Id, Name FROM {object}", "SELECT Id FROM {object}"),
        ("from", "SELECT Id FROM {other}", "SELECT Id FROM {object}"),
        ("joined", "SELECT o.Id FROM {object} x, x.Owner o", "SELECT x.Id FROM {object} x"),
        ("scope", "SELECT Id FROM {object} USING SCOPE mine", "SELECT Id FROM {object}"),
        ("where", "SELECT Id FROM {object} WHERE Name = 'x'", "SELECT Id FROM {object}"),
        ("with", "SELECT Id FROM {object} WITH DATA CATEGORY A__c AT b__c", "SELECT Id FROM {object}"),
        ("groupBy", "SELECT COUNT(Id) FROM {object} GROUP BY Name", "SELECT COUNT(Id) FROM {object}"),
        (
            "grouping", "SELECT COUNT(Id) FROM {object} GROUP BY ROLLUP(Name)",
            "SELECT COUNT(Id) FROM {object} GROUP BY Name"
        ),
        (
            "having", "SELECT COUNT(Id) FROM {object} GROUP BY Name HAVING COUNT(Id) > 1",
            "SELECT COUNT(Id) FROM {object} GROUP BY Name"
        ),
        ("orderBy", "SELECT Id FROM {object} ORDER BY Name", "SELECT Id FROM {object}"),
        ("limit", "SELECT Id FROM {object} LIMIT 3", "SELECT Id FROM {object}"),
        ("offset", "SELECT Id FROM {object} OFFSET 3", "SELECT Id FROM {object}"),
        ("usage", "SELECT Id FROM {object} FOR VIEW", "SELECT Id FROM {object}"),
        ("statistics", "SELECT Id FROM {object} UPDATE VIEWSTAT", "SELECT Id FROM {object}"),
        ("apexClauses", "SELECT Id FROM {object} ALL ROWS", "SELECT Id FROM {object}"),
    ]

    /// The positions of a query: on its own, as a child query, and as a semi-join.
    private static let places: [(text: String, object: String, other: String)] = [
        ("{query}", "Account", "Contact"),
        ("SELECT Id, ({query}) FROM Account LIMIT 1", "Contacts", "Cases"),
        ("SELECT Id FROM Account WHERE Id IN ({query})", "Contact", "Case"),
    ]

    /// Returns the statements of a query and their purpose, or `nil` if it is rejected.
    private func meaning(_ soql: String) -> String? {
        let options = QueryOptions(now: 1_769_698_800_000, version: 66, userID: "005000000000001AAA")
        guard let compiled = try? QueryCompiler(schema: Catalogue.standard).compile(soql, options: options) else {
            return nil
        }
        return "\(compiled.rows()) \(compiled.shape) \(String(describing: compiled.usage))"
    }

    @Test("each member of the tree has a query here")
    func members() throws {
        let tree = Mirror(reflecting: try SOQLQuery(parsing: "SELECT Id FROM Account"))
        #expect(Set(tree.children.compactMap(\.label)) == Set(Self.clauses.map(\.member)))
    }

    @Test("a clause changes the meaning of a query, or is rejected")
    func effects() throws {
        for place in Self.places {
            var accepted = 0
            for clause in Self.clauses {
                func text(_ query: String) -> String {
                    let isJoin = place.object == "Contact"
                    let query = query.replacing("{object}", with: place.object).replacing("{other}", with: place.other)
                    // A semi-join selects a reference.
                    return place.text.replacing("{query}", with: query)
                        .replacing("(SELECT Id", with: isJoin ? "(SELECT AccountId" : "(SELECT Id")
                }
                guard let meaning = meaning(text(clause.with)) else { continue }
                accepted += 1
                #expect(meaning != self.meaning(text(clause.without)), "\(text(clause.with))")
            }
            #expect(accepted >= 2, "\(place.text)")
        }
    }
}
