// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A record as a model is given it: without the addresses of the API, and not larger than an answer.
struct FittingValue {
    let value: JSONValue
    /// In bytes.
    let size: Int
    private(set) var isCut = false

    /// The lengths that texts are cut to, one after the other, until the value fits.
    private static let lengths = [20_000, 2_000, 200]

    init(_ record: JSONValue, maxBytes: Int) {
        let plain = Self.plain(record, longest: .max)
        let size = plain.bytes().count
        guard size > maxBytes else {
            (value, self.size) = (plain, size)
            return
        }
        isCut = true
        for length in Self.lengths {
            let short = Self.plain(record, longest: length)
            let size = short.bytes().count
            if size <= maxBytes {
                (value, self.size) = (short, size)
                return
            }
        }
        let id = record["Id"] ?? .null
        value = ["Id": id, "note": JSONValue("the record has \(size) bytes, more than an answer may have")]
        self.size = value.bytes().count
    }

    private static func plain(_ value: JSONValue, longest: Int) -> JSONValue {
        if let object = value.object {
            return JSONValue(
                JSONObject(
                    members: object.filter { $0.key != "attributes" && $0.key != "nextRecordsUrl" }.map {
                        ($0.key, plain($0.value, longest: longest))
                    }))
        }
        if let array = value.array { return JSONValue(JSONArray(array.map { plain($0, longest: longest) })) }
        guard let text = value.string, text.utf8.count > longest else { return value }
        return JSONValue("\(text.prefix(longest))… (\(text.count) characters)")
    }
}

extension JSONValue {
    /// The JSON schema of a text.
    static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": JSONValue(description)]
    }

    /// The JSON schema of a list of names.
    static func names(_ description: String) -> JSONValue {
        ["type": "array", "items": ["type": "string"], "description": JSONValue(description)]
    }
}
