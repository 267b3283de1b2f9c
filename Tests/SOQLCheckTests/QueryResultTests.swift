// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSyntax
import Testing

@Suite("Result types of queries")
struct QueryResultTests {
    /// Returns a shape on one line: fields by name, functions by kind, and `?` if a value can be null.
    private func shown(_ shape: RowShape) -> String {
        shape.members.map { member in
            let value =
                switch member.value {
                case .field(let origin): origin.name
                case .value(let type): "\(type.kind)"
                case .parent(let parent): "\(parent.object ?? "-"){\(shown(parent))}"
                case .children(let child): "[\(child.object ?? "-"){\(shown(child))}]"
                case .variants(let variants):
                    variants.branches.map { "\($0.object){\(shown($0.shape))}" }.joined(separator: "|")
                        + "|{\(shown(variants.otherwise))}"
                }
            return "\(member.key)=\(value)\(member.isNillable ? "?" : "")"
        }.joined(separator: " ")
    }

    private func result(_ soql: String) throws -> String {
        switch try SmallSchema.checked(soql).result() {
        case .count: "count"
        case .rows(let shape): shown(shape)
        }
    }

    @Test(
        "the members of records and groups are determined",
        arguments: [
            ("SELECT id, name, a.site FROM Account a", "Id=Account.Id Name=Account.Name Site=Account.Site?"),
            ("SELECT COUNT() FROM Account", "count"),
            (
                "SELECT Id, owner.email, Owner.Manager.Email, OwnerId FROM Account",
                "Id=Account.Id Owner=User{Email=User.Email? Manager=User{Email=User.Email?}?}? OwnerId=Account.OwnerId"
            ),
            ("SELECT What.Name, What.Id FROM Event", "What=-{Name=text? Id=id}?"),
            (
                "SELECT Id, (SELECT LastName, Account.Name FROM Contacts) FROM Account",
                "Id=Account.Id Contacts=[Contact{LastName=Contact.LastName Account=Account{Name=Account.Name}?}]"
            ),
            (
                "SELECT toLabel(Industry), FORMAT(Revenue) shown, convertCurrency(Revenue) FROM Account",
                "Industry=text? shown=text? Revenue=Account.Revenue?"
            ),
            (
                "SELECT COUNT(Id), MAX(Founded) latest, AVG(Size), SUM(Revenue) FROM Account",
                "expr0=integer latest=Account.Founded? expr1=real? expr2=Account.Revenue?"
            ),
            (
                "SELECT owner.email, CALENDAR_YEAR(Founded), COUNT(Id) n FROM Account "
                    + "GROUP BY Owner.Email, CALENDAR_YEAR(Founded)", "Email=User.Email? expr0=integer? n=integer"
            ),
            (
                "SELECT Active, GROUPING(Active) whole, COUNT(Id) FROM Account GROUP BY ROLLUP(Active)",
                "Active=Account.Active? whole=integer expr0=integer"
            ),
            (
                "SELECT TYPEOF What WHEN Account THEN Name, Owner.Email WHEN Contact THEN LastName ELSE Id, Name END "
                    + "FROM Event",
                "What=Account{Name=Account.Name Owner=User{Email=User.Email?}?}|Contact{LastName=Contact.LastName}"
                    + "|{Id=id Name=text?}?"
            ),
            (
                "SELECT FIELDS(CUSTOM), DISTANCE(Place__c, GEOLOCATION(1, 2), 'km') FROM Account LIMIT 1",
                "Place__c=Account.Place__c? Tier__c=Account.Tier__c? expr0=real?"
            ), ("SELECT Shape FROM Account", "Shape=Account.Shape?"),
            (
                "SELECT Account.Name, COUNT(Id) FROM Contact GROUP BY Account.Name",
                "Name=Account.Name? expr0=integer"
            ),
        ])
    func shapes(soql: String, expected: String) throws {
        #expect(try result(soql) == expected)
    }

    @Test(
        "types that the schema does not determine are rejected at their position",
        arguments: [
            ("SELECT Id, Who.Name FROM Event WHERE Id = :x", 12, 8),
            ("SELECT Id, (SELECT Id FROM Tasks) FROM Account", 28, 5),
            ("SELECT TYPEOF What WHEN Case THEN Id END FROM Event", 35, 2),
        ])
    func unknown(soql: String, column: Int, length: Int) throws {
        let checked = try SmallSchema.checked(soql)
        let error = #expect(throws: FindingList.self) { try checked.result() }
        let finding = try #require(error?.findings.first)
        #expect(error?.findings.count == 1 && finding.rule == .unknownType)
        #expect(finding.position.column == column && finding.length == length)
    }
}
