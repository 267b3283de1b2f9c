// SPDX-License-Identifier: Apache-2.0

import RestModels
import RestSDK
import Testing

@Suite("Rows of certain queries")
struct RowReaderTests {
    private struct Row: SOQL.Row, Equatable {
        let name: String
        let size: Int?
        let parent: Parent?
        let children: [Child]

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            name = try row["Name"]
            size = try row["Size"]
            parent = try row["Parent"]
            children = try row["Children"]
        }
    }

    private struct Parent: SOQL.Row, Equatable {
        let day: SOQLDate

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) { day = try row["Day"] }
    }

    private struct Child: SOQL.Row, Equatable {
        let object: String
        let isActive: Bool

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) { (object, isActive) = (row.object, try row["Active"]) }
    }

    private func row(_ json: String) throws -> Row {
        let value = try JSONValue(parsing: Array(json.utf8))
        return try Row(row: SOQL.RowReader(try #require(value.object)))
    }

    @Test("values, a parent and children are read, and null is none of them")
    func values() throws {
        let whole = try row(
            """
            {"Name": "x", "Size": 3, "Parent": {"Day": "2026-01-31"}, "Children": {"totalSize": 1, "done": true,
             "records": [{"attributes": {"type": "Contact"}, "Active": true}]}}
            """)
        #expect(whole.name == "x" && whole.size == 3 && whole.parent?.day == SOQLDate(year: 2026, month: 1, day: 31))
        #expect(whole.children.map(\.object) == ["Contact"] && whole.children.allSatisfy(\.isActive))
        let bare = try row(#"{"Name": "x", "Size": null, "Parent": null, "Children": null}"#)
        #expect(bare.size == nil && bare.parent == nil && bare.children.isEmpty)
    }

    @Test(
        "a fault names its place",
        arguments: [
            ("{}", ".Name", "is missing"), (#"{"Name": null}"#, ".Name", "is null"),
            (#"{"Name": 5}"#, ".Name", "is no String"), (#"{"Name": "x", "Size": "3"}"#, ".Size", "is no Int"),
            (#"{"Name": "x", "Parent": 1}"#, ".Parent", "is no record"),
            (#"{"Name": "x", "Parent": {"Day": "2026-02-30"}}"#, ".Parent.Day", "is no SOQLDate"),
            (#"{"Name": "x", "Children": []}"#, ".Children", "is no list of records"),
            (
                #"{"Name": "x", "Children": {"records": [{"Active": true}, {"Active": null}]}}"#, ".Children[1].Active",
                "is null"
            ),
        ])
    func faults(json: String, path: String, reason: String) throws {
        let fault = #expect(throws: SOQL.RowReader.Fault.self) { try row(json) }
        #expect(fault?.path == path && fault?.reason == reason)
    }
}
