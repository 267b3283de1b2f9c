// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Rows by the places of the row before")
struct JSONKeyPlanTests {
    private struct Row: Decodable, Equatable {
        var id: Int
        var name: String?
        var parent: [Row]?
    }

    /// Keeps what it is given.
    private struct Keeper: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<Keys>

        enum Keys: String, CodingKey {
            case id, name
        }

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: Keys.self)
        }
    }

    /// Records that have the same names, and one in between that has not.
    private func page(_ odd: String) -> [UInt8] {
        let plain = (0..<40).map { #"{"id":\#($0),"name":"n\#($0)"}"# }
        return Array(("[" + (plain[..<20] + [odd] + plain[20...]).joined(separator: ",") + "]").utf8)
    }

    @Test(
        "a record of another shape is read by its own names, and those behind it by theirs",
        arguments: [
            (#"{"name":"a","id":7}"#, Row(id: 7, name: "a")), (#"{"id":7}"#, Row(id: 7)),
            (#"{"id":7,"name":"a","name":"b"}"#, Row(id: 7, name: "b")), (#"{"id":1,"id":7}"#, Row(id: 7)),
            (#"{"\u0069d":7,"name":"a"}"#, Row(id: 7, name: "a")), (#"{"id":1,"\u0069d":7}"#, Row(id: 7)),
            (#"{"id" : 7 , "name" : null}"#, Row(id: 7)), (#"{"":1,"id":7}"#, Row(id: 7)),
            (#"{"id":7,"namf":"a"}"#, Row(id: 7)),
            (
                #"{"id":7,"parent":[{"id":8,"name":"p"},{"name":"q","id":9}],"name":"a"}"#,
                Row(id: 7, name: "a", parent: [Row(id: 8, name: "p"), Row(id: 9, name: "q")])
            ),
            ("{" + (0..<70).map { #""a\#($0)":0,"# }.joined() + #""id":7}"#, Row(id: 7)),
        ])
    private func readsOddRows(odd: String, row: Row) throws {
        var expected = (0..<40).map { Row(id: $0, name: "n\($0)") }
        expected.insert(row, at: 20)
        #expect(try [Row](json: page(odd)) == expected)
        let value = try JSONValue(parsing: page(odd))
        var decoder = JSONRowDecoder(options: .init())
        #expect(try (value.array ?? []).map { try decoder.decode(Row.self, from: $0) } == expected)
        var sent: [UInt8] = []
        value.appendAsSent(to: &sent)
        #expect(sent == page(odd.replacing(" ", with: "")))
    }

    @Test("a fault has the path of its own record")
    func placesFaults() throws {
        let value = try JSONValue(parsing: page(#"{"id":"seven"}"#))
        let error = #expect(throws: JSONDecodingError.self) { try value.decode([Row].self) }
        #expect(error?.path == "[20].id")
        var decoder = JSONRowDecoder(options: .init())
        let paths =
            (value.array ?? []).compactMap { record in
                do throws(JSONDecodingError) {
                    _ = try decoder.decode(Row.self, from: record)
                    return nil
                } catch {
                    return error.path
                }
            } as [String]
        #expect(paths == ["id"])
    }

    @Test("a decoder and a container that are kept read on when the call has returned")
    func readsLater() throws {
        let kept = try [Keeper](json: page("{}"))
        #expect(try kept[3].container.decode(String.self, forKey: .name) == "n3")
        #expect(try Row(from: kept[30].decoder) == Row(id: 29, name: "n29"))
        #expect(try kept[20].container.decodeIfPresent(Int.self, forKey: .id) == nil)
        #expect(try kept[4].container.decode(Int.self, forKey: .id) == 4)
    }
}
