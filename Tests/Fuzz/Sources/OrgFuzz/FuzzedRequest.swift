// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// A request that an input stands for.
struct FuzzedRequest: Sendable {
    private static let root = "/services/data/v66.0"
    /// The resources that take a body of JSON.
    private static let resources = [
        ("POST", "/sobjects/Account"), ("PATCH", "/sobjects/Contact/003000000000001AAA"), ("POST", "/composite"),
        ("POST", "/composite/batch"), ("POST", "/composite/sobjects"), ("PATCH", "/composite/sobjects"),
        ("POST", "/composite/tree/Account"), ("POST", "/parameterizedSearch"), ("POST", "/composite/sobjects/Account"),
        ("PATCH", "/sobjects/Account/ExternalId__c/1"), ("POST", "/graphql"), ("POST", "/composite/graph"),
    ]

    var method = "GET"
    var target = "/"
    var fields = HTTPFields()
    var body: [UInt8] = []
    var isAuthorized = true

    init(_ choice: UInt8, _ bytes: ArraySlice<UInt8>) {
        switch choice % 8 {
        case 0: readWhole(bytes)
        case 1: isAuthorized = false; readWhole(bytes)
        case 2, 3:
            target = "\(Self.root)/query?q=\(PercentEncoding.queryComponent(String(decoding: bytes, as: UTF8.self)))"
        case 4:
            target = "\(Self.root)/search?q=\(PercentEncoding.queryComponent(String(decoding: bytes, as: UTF8.self)))"
        case 5 where bytes.first == UInt8(ascii: "{"):
            // A document of GraphQL as it is, without JSON around it.
            let document = JSONValue(String(decoding: bytes, as: UTF8.self))
            (method, target, body) = ("POST", Self.root + "/graphql", JSONValue(["query": document]).bytes())
            fields.append("Content-Type", "application/json")
        case 5:
            (method, target, body) = ("POST", "/services/oauth2/token", Array(bytes))
            isAuthorized = false
            fields.append("Content-Type", "application/x-www-form-urlencoded")
        default:
            let resource = Self.resources[Int(choice / 8) % Self.resources.count]
            (method, target, body) = (resource.0, Self.root + resource.1, Array(bytes))
            fields.append("Content-Type", "application/json")
        }
    }

    /// Reads a line with method and target, lines with fields, an empty line and the body.
    private mutating func readWhole(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func line() -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        let words = line()?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if words.count == 2 { (method, target) = (words[0], words[1]) }
        while let field = line(), !field.isEmpty {
            let parts = field.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { fields.append(parts[0], String(parts[1].drop { $0 == " " })) }
        }
        body = Array(rest)
    }
}
