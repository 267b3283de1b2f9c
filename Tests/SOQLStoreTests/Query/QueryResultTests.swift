// SPDX-License-Identifier: Apache-2.0

import Foundation
import SOQLCheck
import SOQLStore
import Testing

@Suite("Records of compiled queries")
struct QueryResultTests {
    private func attributes(_ type: String, _ id: String) -> String {
        #""attributes":{"type":"\#(type)","url":"/services/data/v66.0/sobjects/\#(type)/\#(id)"}"#
    }

    @Test("Fields have the order of the select list and the names of the schema")
    func fieldsInOrder() throws {
        let records = try QueryTestDatabase().records(
            "select name, ID, annualrevenue, NumberOfEmployees, isactive, FoundedOn, CreatedDate, Industry "
                + "FROM account WHERE Id IN ('001000000000001', '001000000000003', '001000000000006') ORDER BY Id")
        let acme = attributes("Account", "001000000000001AAA")
        #expect(
            records[0] == """
                {\(acme),"Name":"Acme","Id":"001000000000001AAA","AnnualRevenue":300.0,"NumberOfEmployees":10,\
                "IsActive":true,"FoundedOn":"2026-01-29","CreatedDate":"2026-01-29T10:11:12.000+0000",\
                "Industry":"Banking"}
                """)
        let gamma = attributes("Account", "001000000000003AAA")
        #expect(
            records[1] == """
                {\(gamma),"Name":"Gamma_x","Id":"001000000000003AAA","AnnualRevenue":null,"NumberOfEmployees":null,\
                "IsActive":true,"FoundedOn":null,"CreatedDate":"2026-01-30T00:00:00.000+0000","Industry":null}
                """)
        #expect(records[2].contains(#""Name":"O'Hara \"quoted\" \\","Id":"001000000000006AAA","AnnualRevenue":0.1,"#))
    }

    @Test("Parents are objects, one for each relationship, or null")
    func parents() throws {
        let records = try QueryTestDatabase().records(
            "SELECT owner.name, Name, Owner.manager.NAME, Owner.Email, Parent.Id FROM Account "
                + "WHERE Id IN ('001000000000002', '001000000000003') ORDER BY Id")
        let manager = attributes("User", "005000000000001AAA")
        #expect(
            records == [
                """
                {\(attributes("Account", "001000000000002AAA")),"Owner":{\(attributes("User", "005000000000002AAA")),\
                "Name":"bob Stone","Manager":{\(manager),"Name":"Ann Grey"},"Email":"bob@example.com"},\
                "Name":"beta 50%","Parent":{\(attributes("Account", "001000000000001AAA")),"Id":"001000000000001AAA"}}
                """,
                """
                {\(attributes("Account", "001000000000003AAA")),"Owner":null,"Name":"Gamma_x",\
                "Parent":{\(attributes("Account", "001000000000001AAA")),"Id":"001000000000001AAA"}}
                """,
            ])
    }

    @Test("A polymorphic parent has the object that its id belongs to")
    func polymorphicParents() throws {
        let records = try QueryTestDatabase().records("SELECT Subject, Who.Name, Who.Email FROM Task ORDER BY Id")
        #expect(
            records == [
                """
                {\(attributes("Task", "00T000000000001AAA")),"Subject":"Call",\
                "Who":{\(attributes("Contact", "003000000000001AAA")),"Name":"Zimmer","Email":"z@example.com"}}
                """,
                """
                {\(attributes("Task", "00T000000000002AAA")),"Subject":"Mail",\
                "Who":{\(attributes("Lead", "00Q000000000001AAA")),"Name":"L-1","Email":"lead@example.com"}}
                """,
                #"{\#(attributes("Task", "00T000000000003AAA")),"Subject":"Think","Who":null}"#,
            ])
        let found = try QueryTestDatabase().column("SELECT Subject FROM Task WHERE Who.Name IN ('zimmer', 'l-1')")
        #expect(found == ["Call", "Mail"])
    }

    @Test("Children are a nested result, sorted and limited, or null")
    func children() throws {
        let records = try QueryTestDatabase().records(
            """
            SELECT Name, (SELECT lastname, Score, HasOptedOut, Owner.Name, CreatedDate FROM contacts
            ORDER BY LastName) FROM Account WHERE Id IN ('001000000000001', '001000000000003') ORDER BY Id
            """)
        let owner = #""Owner":{\#(attributes("User", "005000000000001AAA")),"Name":"Ann Grey"}"#
        let created = #""CreatedDate":"2026-01-29T10:11:12.000+0000""#
        #expect(
            records == [
                """
                {\(attributes("Account", "001000000000001AAA")),"Name":"Acme","Contacts":{"totalSize":2,"done":true,\
                "records":[{\(attributes("Contact", "003000000000002AAA")),"LastName":"adams","Score":2.0,\
                "HasOptedOut":false,"Owner":null,\(created)},{\(attributes("Contact", "003000000000001AAA")),\
                "LastName":"Zimmer","Score":1.5,"HasOptedOut":true,\(owner),\(created)}]}}
                """,
                #"{\#(attributes("Account", "001000000000003AAA")),"Name":"Gamma_x","Contacts":null}"#,
            ])
    }

    @Test(
        "A child query has its own conditions, order and limit",
        arguments: [
            ("(SELECT LastName FROM Contacts WHERE LastName LIKE 'z%')", "Zimmer", "adams"),
            ("(SELECT LastName FROM Contacts ORDER BY LastName DESC LIMIT 1)", "Zimmer", "adams"),
            ("(SELECT LastName FROM Account.Contacts WHERE Account.Name = 'acme' LIMIT 1)", "Zimmer", "adams"),
            ("(SELECT Contact.LastName FROM Contacts WHERE Email = null)", "adams", "Zimmer"),
            ("(SELECT c.LastName FROM Contacts c WHERE c.Owner.Name = null)", "adams", "Zimmer"),
            ("(SELECT LastName FROM Contacts ORDER BY LastName LIMIT 1 OFFSET 1)", "Zimmer", "adams"),
            ("(SELECT LastName FROM Contacts WHERE Id IN (SELECT WhoId FROM Task))", "Zimmer", "adams"),
        ])
    func childClauses(children: String, found: String, missing: String) throws {
        let soql = "SELECT Id, \(children) FROM Account WHERE Id = '001000000000001' LIMIT 1"
        let text = try #require(QueryTestDatabase().records(soql).first)
        #expect(text.contains("\"\(found)\""))
        #expect(!text.contains("\"\(missing)\""))
        #expect(!text.contains("Gone"))
        #expect(text.contains(#""totalSize":1"#))
    }

    @Test("Children can have children and polymorphic parents")
    func nestedChildren() throws {
        let database = try QueryTestDatabase()
        let text = try database.records(
            """
            SELECT (SELECT LastName, (SELECT Subject, Who.Name FROM Tasks) FROM Contacts ORDER BY Id),
            (SELECT Name FROM ChildAccounts) FROM Account WHERE Name = 'Acme' AND ParentId = null
            """)[0]
        let who = #""Who":{\#(attributes("Contact", "003000000000001AAA")),"Name":"Zimmer"}"#
        let task = "{\(attributes("Task", "00T000000000001AAA")),\"Subject\":\"Call\",\(who)}"
        #expect(
            text.contains(#""LastName":"Zimmer","Tasks":{"totalSize":1,"done":true,"records":[\#(task)]}}"#))
        #expect(text.contains(#""LastName":"adams","Tasks":null}"#))
        #expect(text.contains(#""ChildAccounts":{"totalSize":2,"#))
    }

    @Test("Children next to many fields are possible, with more members than an SQL function has arguments")
    func wideChildren() throws {
        let fields = (1...200).map { FieldSchema(name: "F\($0)", label: "F", type: .string) }
        let wide = SObjectSchema(
            name: "Wide", label: "", labelPlural: "", keyPrefix: "00W",
            fields: [
                FieldSchema(name: "Id", label: "Id", type: .id),
                FieldSchema(name: "IsDeleted", label: "", type: .boolean),
                FieldSchema(
                    name: "UpId", label: "", type: .reference, referenceTo: ["Wide"], relationshipName: "Up"),
            ] + fields, childRelationships: [ChildRelationship(name: "Downs", object: "Wide", field: "UpId")])
        let compiler = QueryCompiler(schema: Schema(objects: [wide]))
        let list = fields.map(\.name).joined(separator: ", ")
        let compiled = try compiler.compile(
            "SELECT \(list), (SELECT \(list) FROM Downs) FROM Wide WHERE UpId = null",
            options: QueryOptions(now: 0, version: 66))
        let database = try QueryTestDatabase()
        try database.execute("CREATE TABLE \"Wide\" (Id, IsDeleted, UpId, \(list))")
        let values = fields.indices.map { "'v\($0)'" }.joined(separator: ", ")
        try database.execute("INSERT INTO Wide VALUES ('00W1', 0, NULL, \(values)), ('00W2', 0, '00W1', \(values))")
        guard case .records(let shape) = compiled.shape else { return }
        var bytes: [UInt8] = []
        try database.run(compiled.rows()) { shape.append($0, to: &bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.contains(#""F200":"v199","Downs":{"totalSize":1,"done":true,"records":[{"attributes":{"type":"Wide""#))
        #expect(text.contains(#","F59":"v58","F60":"v59","F61":"v60","#))
        #expect(text.hasSuffix(#","F199":"v198","F200":"v199"}]}}"#))
    }

    @Test(
        "Order, limit and offset determine the rows",
        arguments: [
            ("ORDER BY Name", "14236"), ("ORDER BY Name DESC", "63214"), ("ORDER BY Industry, Id", "31426"),
            ("ORDER BY Industry DESC, Id", "32614"), ("ORDER BY Industry NULLS LAST, Id", "14263"),
            ("ORDER BY Industry DESC NULLS LAST, Id", "26143"), ("ORDER BY AnnualRevenue DESC NULLS LAST", "21643"),
            ("ORDER BY IsActive, CreatedDate DESC", "24631"), ("ORDER BY Owner.Name, Id", "31426"),
            ("ORDER BY Id LIMIT 2", "12"), ("ORDER BY Id LIMIT 2 OFFSET 1", "23"), ("ORDER BY Id OFFSET 3", "46"),
            ("ORDER BY Id LIMIT 0", ""), ("ORDER BY Id OFFSET 2000", ""),
            ("ORDER BY CALENDAR_YEAR(FoundedOn), Id", "36412"),
        ])
    func order(clauses: String, digits: String) throws {
        let ids = try QueryTestDatabase().column("SELECT Id FROM Account \(clauses)")
        #expect(ids.map { String($0.dropLast(3).suffix(1)) }.joined() == digits)
    }

    @Test("A caller can request fewer rows than the query")
    func callersLimit() throws {
        let database = try QueryTestDatabase()
        for (soql, most, count) in [
            ("SELECT Id FROM Account", 3, 3), ("SELECT Id FROM Account LIMIT 2", 3, 2),
            ("SELECT Id FROM Account", 100, 5), ("SELECT Industry FROM Account GROUP BY Industry", 2, 2),
        ] {
            var rows = 0
            try database.run(QueryTestDatabase.compile(soql).rows(limit: most)) { _ in rows += 1 }
            #expect(rows == count, "\(soql)")
        }
    }

    @Test("A page omits deleted rows and keeps the requested order")
    func pages() throws {
        let database = try QueryTestDatabase()
        let compiled = try QueryTestDatabase.compile("SELECT Id FROM Account WHERE Name != 'x' ORDER BY Name")
        try database.execute("DELETE FROM Account WHERE Id = '001000000000002AAA'")
        guard case .records(let shape) = compiled.shape else { return }
        var bytes: [UInt8] = []
        try database.run(compiled.page(of: [4, 2, 1, 77])) { shape.append($0, to: &bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "\"Id\":\"").dropFirst().map { $0.prefix(15).suffix(1) } == ["4", "1"])
    }

    @Test("Doubles are written as Salesforce writes them")
    func numbers() throws {
        let database = try QueryTestDatabase()
        for (value, text) in [
            ("0", "0.0"), ("-0.5", "-0.5"), ("1e15", "1000000000000000.0"), ("1e16", "1e+16"),
            ("999999999999999", "999999999999999.0"),
            ("0.30000000000000004", "0.30000000000000004"), ("1e300", "1e+300"), ("9e999", "null"), ("-3", "-3.0"),
        ] {
            try database.execute("UPDATE Account SET AnnualRevenue = \(value)")
            let record = try database.records("SELECT AnnualRevenue FROM Account LIMIT 1")[0]
            #expect(record.hasSuffix(",\"AnnualRevenue\":\(text)}"), "\(record)")
        }
    }

    @Test("row numbers are the ones that were added, consecutive or not, and a gap that is too large is refused")
    func rowNumbers() {
        let far = Int64(Int32.max)
        let lists: [[Int64]] = [
            [], [7], Array(5..<90), Array((5..<90).reversed()), [3, 4, 5, 9, 1, 1], [.max, .min, .min + 1],
            [0, far, -far], [.min, .max],
        ]
        for list in lists {
            var numbers = RowNumbers()
            let added = list.filter { numbers.append($0) }
            #expect(added == list && numbers.count == list.count)
            for start in 0...list.count { #expect(numbers[start..<list.count] == list[start...]) }
        }
        var numbers = RowNumbers()
        let added = [-1, far, 0].filter { numbers.append($0) }
        #expect(added == [-1, 0] && numbers.size == 0)
    }
}
