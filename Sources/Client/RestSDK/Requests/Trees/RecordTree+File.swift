// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension RecordTree {
    /// A file of records with records below them, in the format of `sf data export tree`.
    ///
    /// ```json
    /// {"records": [{"attributes": {"type": "Account", "referenceId": "AccountRef1"}, "Name": "Acme",
    ///     "Contacts": {"records": [
    ///         {"attributes": {"type": "Contact", "referenceId": "ContactRef1"}, "LastName": "Roe"}]}}]}
    /// ```
    public struct File: Sendable, Hashable {
        /// The largest file that is read, in bytes.
        public static let maximumSize = 256 * 1_024 * 1_024

        /// The records at the top, in order.
        public var records: [RecordTree]

        /// Makes a file of records.
        public init(_ records: [RecordTree]) {
            self.records = records
        }

        /// Reads a file.
        ///
        /// - Throws: ``RestError/Code/file`` when it cannot be read, ``RestError/Code/decoding`` with the place of the
        ///   first thing that is not of the format.
        public init(contentsOf path: String) throws(RestError) {
            try self.init(parsing: try WholeFile.read(path, atMost: Self.maximumSize), named: path)
        }

        /// Reads the text of a file.
        ///
        /// - Parameters:
        ///   - bytes: the text.
        ///   - name: what errors call it.
        /// - Throws: ``RestError/Code/decoding`` with the place of the first thing that is not of the format.
        public init(parsing bytes: [UInt8], named name: String = "the file") throws(RestError) {
            let root = try JSONValue(parsingFile: bytes, named: name)
            guard let list = root["records"]?.array else {
                throw RestError(.decoding, "\(name): must be an object with a list of 'records'")
            }
            records = try RecordTree.list(list, at: "\(name): records", level: 1)
        }

        /// The text of the file, indented.
        public var text: [UInt8] {
            JSONValue(["records": JSONValue(JSONArray(records.map(\.json)))]).bytes(pretty: true) + [UInt8(ascii: "\n")]
        }

        /// Writes the file; only this user may read it.
        ///
        /// - Throws: ``RestError/Code/file``.
        public func write(to path: String) throws(RestError) {
            try WholeFile.write(text, to: path)
        }
    }
}

extension RecordTree {
    /// Files may be nested deeper than one request may, so that the error names the limit of requests.
    private static let mostLevels = 64

    fileprivate static func list(
        _ list: JSONArray, at place: String, level: Int
    ) throws(RestError) -> [RecordTree] {
        guard level <= mostLevels else { throw RestError(.decoding, "\(place): nested too deeply") }
        var records: [RecordTree] = []
        for (position, value) in list.enumerated() {
            records.append(try RecordTree(value, at: "\(place)[\(position)]", level: level))
        }
        return records
    }

    private init(_ value: JSONValue, at place: String, level: Int) throws(RestError) {
        guard let type = value["attributes"]?["type"]?.string, let members = value.object,
            let reference = value["attributes"]?["referenceId"]?.string
        else { throw RestError(.decoding, "\(place): must have 'attributes' with 'type' and 'referenceId'") }
        self.init(type, as: reference, JSONObject())
        for (name, member) in members where name != "attributes" {
            if let list = member["records"]?.array {
                let below = try Self.list(list, at: "\(place).\(name)", level: level + 1)
                children.append(Children(relationship: name, records: below))
            } else {
                fields[name] = member
            }
        }
    }
}

extension JSONValue {
    /// Reads a file of JSON.
    init(parsingFile bytes: [UInt8], named name: String) throws(RestError) {
        do throws(JSONError) {
            try self.init(parsing: bytes)
        } catch {
            throw RestError(.decoding, "\(name): is not JSON: \(error)", underlying: error)
        }
    }
}
