// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestJSON

/// The splitter, fed in pieces whose sizes come from the text, accepts what the parser accepts and hands out the same.
func checkSplitter(_ bytes: [UInt8], _ parsed: Result<JSONValue, JSONError>) {
    var splitter = JSONRecordSplitter()
    var records: [JSONValue] = []
    do throws(JSONError) {
        var start = 0
        var size = 1 + Int(bytes.last ?? 0) % 37
        while start < bytes.count {
            let end = min(bytes.count, start + size)
            records += try splitter.push(Array(bytes[start..<end]))
            size = 1 + (size * 7 + Int(bytes[start])) % 61
            start = end
        }
        compare(try splitter.finish(), records, parsed)
    } catch {
        require(error.offset <= bytes.count, "offset inside the page")
        guard case .success = parsed else { return }
        require(error.reason == .unexpectedShape, "splitter refuses what the parser accepts")
    }
}

/// The page without its records, and the records, make the value that the parser gave.
private func compare(_ page: JSONValue, _ records: [JSONValue], _ parsed: Result<JSONValue, JSONError>) {
    guard case .success(let value) = parsed else { fatalError("splitter accepts what the parser refuses") }
    guard var object = page.object, object["records"]?.array != nil, !records.isEmpty else {
        return require(page == value && records.isEmpty, "a page without records is given whole")
    }
    object["records"] = JSONValue(JSONArray(records))
    require(JSONValue(object) == value, "records and page make the whole")
}
