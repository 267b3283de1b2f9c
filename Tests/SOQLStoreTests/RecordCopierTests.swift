// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLCheck
import SOQLStore
import Testing

@Suite("Copies of records from a page")
struct RecordCopierTests {
    private static let describe = """
        {"sobjects":[{"name":"Account","label":"Account","labelPlural":"Accounts","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"Text__c","type":"string","length":8},{"name":"Area__c","type":"textarea"},
          {"name":"Date__c","type":"date"},{"name":"Stamp__c","type":"datetime"},{"name":"Time__c","type":"time"},
          {"name":"Int__c","type":"int"},{"name":"Flag__c","type":"boolean"},
          {"name":"Amount__c","type":"currency","precision":6,"scale":2},{"name":"Double__c","type":"double"},
          {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"},
          {"name":"RecordTypeId","type":"reference","referenceTo":["RecordType"],"relationshipName":"RecordType"}]}]}
        """

    /// Values in JSON, many of which are unusual or invalid for some of the types.
    private static let values = [
        "null", "true", "false", "\"\"", "\"a\"", "\"A\"", "\"ä €\"", #""a\"b\\n""#, #""\u0041""#,
        "\"longer than eight\"",
        "0", "-0", "1", "-7", "2147483647", "2147483648", "1.0", "1.5", "1e3", "1E-3", "0.10", "999.99", "9999.99",
        "10000", "123456789012345", "1234567890123456789", "0.1234567890123456789", "1e-320", "1e400", "12345.678",
        "\"2026-01-29\"", "\"2026-02-29\"", "\"2024-02-29\"", "\"0000-01-01\"",
        "\"2026-01-29T10:11:12.000+0000\"", "\"2024-02-29T10:11:12.000+0000\"", "\"2026-02-29T10:11:12.000+0000\"",
        "\"2026-13-01T10:11:12.000+0000\"", "\"2026-01-29T24:00:00.000+0000\"", "\"2026-01-29T10:60:12.000+0000\"",
        "\"2026-01-29T10:11:60.000+0000\"", "\"2026-01-29T10:11:12.123Z\"", "\"2026-01-29T10:11:12.000+0200\"",
        "\"2026-04-31T10:11:12.000+0000\"", "\"0026-01-29T10:11:12.000+0000\"", "\"2026-01-29T10:11:12.00a+0000\"",
        "\"10:11:12.000Z\"", "\"10:11:12\"", "\"001000000000001AAA\"", "\"001000000000001\"", "\"001000000000001AAB\"",
        "\"00100000000000B\"", "\"00100000000000BAAQ\"", "\"001-00000000001AAA\"", "\"012000000000000AAA\"", "[]", "{}",
    ]

    @Test("a value from the text of a page is stored like the same value in memory, or rejected like it")
    func plainForms() throws {
        var reader = DescribeReader()
        let schema = try reader.read(Array(Self.describe.utf8))
        let account = try #require(schema.object(named: "Account"))
        let store = try Store(.temporary("store"), schema: schema).records(by: "005000000000001AAA")
        let id = "001000000000001AAA"
        var stored = 0
        for field in account.fields where field.isColumn && field.name != "IsDeleted" {
            for value in Self.values {
                let text = field.name == "Id" ? "{\"Id\":\(value)}" : "{\"Id\":\"\(id)\",\"\(field.name)\":\(value)}"
                let parsed = try #require(try JSONValue(parsing: text).object)
                let inMemory = JSONObject(members: parsed.map { ($0.key, $0.value) })
                var outcomes: [String] = []
                for record in [parsed, inMemory] {
                    do throws(OrgError) {
                        let outcome = try store.database.transaction { (connection) throws(OrgError) in
                            try connection.change("DELETE FROM Account")
                            var copier = try RecordCopier(for: record, of: account, connection)
                            let (isNew, again) = (try copier.write(record), try copier.write(record))
                            let rows = try connection.fetch("SELECT \"\(field.name)\" FROM Account") { $0.value(0) }
                            return "\(String(describing: isNew)) \(String(describing: again)) \(rows)"
                        }
                        outcomes.append(outcome)
                        stored += 1
                    } catch {
                        outcomes.append("\(error)")
                    }
                }
                #expect(outcomes[0] == outcomes[1], "\(field.name): \(value)")
            }
        }
        #expect(stored > 300)
    }

    @Test("a record is written again if only the case of a text, or only the deletion, differs")
    func differences() throws {
        var reader = DescribeReader()
        let schema = try reader.read(Array(Self.describe.utf8))
        let account = try #require(schema.object(named: "Account"))
        let store = try Store(.temporary("store"), schema: schema).records(by: "005000000000001AAA")
        let page = try #require(
            try JSONValue(
                parsing: """
                    [{"Id":"001000000000001AAA","Text__c":"acme","Double__c":null},
                     {"Id":"001000000000001AAA","Text__c":"Acme","Double__c":null},
                     {"Id":"001000000000001AAA","Text__c":"Acme","Double__c":null},
                     {"Id":"001000000000001AAA","Text__c":"Acme","Double__c":1}]
                    """
            ).array)
        let isNew = try store.database.transaction { (connection) throws(OrgError) in
            var isNew: [Bool?] = []
            var copier: RecordCopier?
            for record in page.compactMap(\.object) {
                if copier == nil { copier = try RecordCopier(for: record, of: account, connection) }
                isNew.append(try copier?.write(record))
            }
            try connection.change("UPDATE Account SET \"IsDeleted\" = 1")
            if let last = page.last?.object { isNew.append(try copier?.write(last)) }
            return isNew
        }
        #expect(isNew == [true, true, false, true, true])
        #expect(try store.query("SELECT Id FROM Account WHERE Text__c = 'ACME'", version: 66).total == 1)
    }
}
