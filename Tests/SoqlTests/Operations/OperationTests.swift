// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import SoqlCommand

@Suite("Operations from the command line and from JSON")
struct OperationTests {
    @Test("command-line arguments and JSON members give an operation the same values")
    func fronts() throws {
        let line = try Arguments(["Account", "001", "Name,Phone", "Fax"], for: Verb.get)
        let tool = try Arguments(["object": "Account", "id": "001", "fields": ["Name", "Phone", "Fax"]], for: .get)
        for arguments in [line, tool] {
            #expect(arguments.text(.object) == "Account" && arguments.text(.id) == "001")
            #expect(arguments.record == nil)
        }
        let words = try Arguments(["Acme", "Inc;", "--in", "Account, Contact"], for: Verb.search)
        let members = try Arguments(["text": "Acme Inc", "objects": ["Account", "Contact"]], for: Operation.search)
        for arguments in [words, members] {
            #expect(try Operation.searchText(of: arguments).text == "Acme Inc")
            #expect(arguments.names(.searchIn) == ["Account", "Contact"])
        }
    }

    @Test("a JSON record is used unchanged, and null counts as no value")
    func record() throws {
        let arguments = try Arguments(
            ["object": "Account", "id": "001", "fields": ["Name": "x", "Parent": ["Key__c": 1]]], for: Operation.update)
        #expect(arguments.record?["Parent"]?["Key__c"]?.int == 1)
        let query = try Arguments(["soql": "SELECT Id FROM Account", "allRows": nil], for: Operation.query)
        #expect(!query.has(.allRows) && query.has(.soql))
        #expect(try Arguments(["allRows": true], for: Operation.query).has(.allRows))
        #expect(try !Arguments(["allRows": false], for: Operation.query).has(.allRows))
    }

    private static let rejections: [(operation: Operation, members: JSONObject, message: String)] = [
        (.get, ["object": "Account"], "'get' needs the argument 'id'"),
        (.get, ["object": "Account", "id": nil], "'get' needs the argument 'id'"),
        (.get, ["object": "Account", "id": 7], "'id' must be a string"),
        (.get, ["object": "A/B", "id": "x"], "'A/B' is not the API name of an object"),
        (.get, ["object": "A", "id": "x", "fields": ["a b"]], "'fields' must be a list of API names"),
        (.get, ["object": "A", "id": "x", "fields": ["A", 1]], "'fields' must be a list of API names"),
        (.create, ["object": "A", "fields": [:]], "'fields' must be an object of field names and values"),
        (.query, ["allRows": 1], "'allRows' must be true or false"),
        (.describe, ["objct": "A"], "'describe' has no argument 'objct'; did you mean 'object'?"),
        (.describe, ["--all-rows": true], "'describe' has no argument '--all-rows'"),
    ]

    @Test("JSON that does not fit is rejected with a message for a model")
    func refused() {
        for (operation, members, message) in Self.rejections {
            let error = #expect(throws: UsageError.self) { try Arguments(members, for: operation) }
            #expect(error?.message == message)
        }
    }

    @Test("missing and extra arguments are reported in terms of the operation's parameters")
    func words() {
        let lines: [(verb: Verb, words: [String], message: String)] = [
            (.get, [], "no object; give one, such as Account"), (.get, ["Account"], "no id; give the record's id"),
            (.describe, ["a", "b"], "unexpected argument 'b'"), (.limits, ["a"], "unexpected argument 'a'"),
            (.explain, [], "give one query, in quotes"), (.explain, ["a", "b"], "give one query, in quotes"),
            (.search, [" "], "no text to find; give words or a FIND statement"),
            (.update, ["A", "1"], "no fields to change; give FIELD=VALUE…"),
            (.delete, ["A", "1", "2"], "give one id; use 'soql import' to delete many records"),
            (.upsert, ["A", "K"], "no external id; give the value of the field"),
        ]
        for (verb, words, message) in lines {
            let error = #expect(throws: UsageError.self) { try Arguments(words, for: verb) }
            #expect(error?.message == message)
        }
    }

    @Test("the schema of a tool comes from the operation's parameters")
    func schema() throws {
        let tool = Operation.get.tool
        #expect(tool["title"]?.string == "Get" && tool["annotations"]?["readOnlyHint"]?.bool == true)
        let schema = try #require(tool["inputSchema"])
        #expect(schema["required"]?.array?.compactMap(\.string) == ["object", "id"])
        #expect(schema["properties"]?["fields"]?["items"]?["type"]?.string == "string")
        #expect(schema["properties"]?["object"]?["description"]?.string == "The object, such as Account")
        let flag = Operation.query.tool["inputSchema"]?["properties"]?["allRows"]
        #expect(flag?["type"]?.string == "boolean" && flag?["description"]?.string == "Include deleted records")
        #expect(Operation.create.tool["annotations"]?["idempotentHint"]?.bool == false)
        #expect(Operation.delete.tool["annotations"]?["destructiveHint"]?.bool == true)
    }

    @Test("the usage of a verb shows its operation's parameters")
    func operands() {
        let verbs: [(verb: Verb, operands: String)] = [
            (.describe, "[OBJECT]"), (.limits, ""), (.get, "OBJECT ID [FIELD…]"), (.create, "OBJECT FIELD=VALUE…"),
            (.update, "OBJECT ID FIELD=VALUE…"), (.upsert, "OBJECT EXTERNALFIELD VALUE FIELD=VALUE…"),
            (.delete, "OBJECT ID"), (.explain, "\"SELECT …\""),
        ]
        for (verb, operands) in verbs { #expect(verb.operands == [operands]) }
    }
}
