// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

/// The description of an object as a resource: `soql://objects/Account`.
struct ObjectResource {
    let name: String

    private static let scheme = "soql://objects/"
    /// How many objects a page of the list has.
    static let pageSize = 200

    static let template: JSONValue = [
        "uriTemplate": "soql://objects/{name}", "name": "object", "title": "An object",
        "description": "The fields, picklists and relationships of an object, by its API name.",
        "mimeType": "application/json",
    ]

    init(_ name: String) {
        self.name = name
    }

    /// `nil` for the URI of anything else.
    init?(uri: String) {
        guard let name = uri.removing(prefix: Self.scheme).map(String.init), name.isObjectName else { return nil }
        self.name = name
    }

    func json(label: String) -> JSONValue {
        [
            "uri": JSONValue(Self.scheme + name), "name": JSONValue(name), "title": JSONValue(label),
            "mimeType": "application/json",
        ]
    }

    /// Where a page of the list begins.
    static func start(at cursor: JSONValue?) throws(MCPFault) -> Int {
        guard let cursor, !cursor.isNull else { return 0 }
        // bounded: by the range
        guard let start = cursor.string.flatMap({ Int($0) }), (0...1_000_000).contains(start) else {
            throw .invalidParameters("the cursor is none of this server's")
        }
        return start
    }

    /// Since 2026-07-28 a resource that is not there is a wrong parameter.
    static func unknown(_ uri: String, _ isStateless: Bool) -> MCPFault {
        MCPFault(
            code: isStateless ? -32_602 : -32_002, message: "there is no such resource",
            data: ["uri": JSONValue(String(uri.prefix(200)))])
    }
}

extension String {
    /// Whether the text can be an object's or a field's API name.
    var isObjectName: Bool {
        let letters = utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
        }
        return !isEmpty && utf8.count <= 255 && letters
    }
}

extension ObjectDescription {
    /// The description in few words: what is usual is left out.
    var compact: JSONValue {
        guard let schema = try? QuerySchema(json: JSONValue(JSONArray([JSONValue(json)]))),
            let object = schema.objects.first
        else { return JSONValue(json) }
        return object.json
    }
}
