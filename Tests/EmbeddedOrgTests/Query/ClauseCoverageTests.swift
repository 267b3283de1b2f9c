// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax
import Testing

@testable import EmbeddedOrg

/// No clause is read and then ignored: wherever a query can have it, it changes the query's meaning or is rejected.
@Suite("Every clause counts")
struct ClauseCoverageTests {
    /// A query for each member of the tree, beside one without it; `{}` is where the clauses of FROM and later go.
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

    /// Where a query can be: on its own, as children, and as a semi-join.
    private static let places: [(text: String, object: String, other: String)] = [
        ("{query}", "Account", "Contact"),
        ("SELECT Id, ({query}) FROM Account LIMIT 1", "Contacts", "Cases"),
        ("SELECT Id FROM Account WHERE Id IN ({query})", "Contact", "Case"),
    ]

    /// What a query does: its statements and what they are for; `nil` when it is rejected.
    private func meaning(_ soql: String) -> String? {
        let options = QueryOptions(
            now: QueryTestDatabase.now, version: 66, userID: "005000000000001AAA")
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

    @Test("a clause changes what is asked, or is rejected")
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
