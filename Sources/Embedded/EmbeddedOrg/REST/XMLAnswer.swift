// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

/// Turns an answer in JSON into the platform's XML, for clients that ask for it.
///
/// They do so by `.xml` at the end of the path, or by an `Accept` field that names XML first.
struct XMLAnswer {
    private var text = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// The answer as the request wants it.
    static func encoded(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        guard let path = request.path, isWanted(by: request, path),
            let type = response.fields.firstIndex(where: { $0.name == "Content-Type" && $0.value.hasBytes("/json") }),
            let value = try? JSONValue(parsing: response.body)
        else { return response }
        var writer = XMLAnswer()
        writer.write(value, as: root(of: value, response.status, path))
        var response = response
        response.fields[type].value = "application/xml;charset=UTF-8"
        response.body = Array(writer.text.utf8)
        return response
    }

    private static func isWanted(by request: ServerRequest, _ path: RequestPath) -> Bool {
        guard path.segments.starts(with: ["services", "data"]) else { return false }
        let rest = path.segments.dropFirst(3)
        if rest.last?.hasBytes(suffix: ".xml") == true, RESTRouter.Call.mayNameFormat(rest) { return true }
        let first = (request.fields["Accept"] ?? "").prefix(beforeAny: ",;")
        return ["application/xml", "text/xml"].contains(first.split(byte: " ").joined().lowercased())
    }

    /// The name of the outermost element.
    private static func root(of value: JSONValue, _ status: Int, _ path: RequestPath) -> String {
        if status >= 400 { return "Errors" }
        if let type = value["attributes"]?["type"]?.string { return type }
        let name = path.segments.dropFirst(3).first.map { $0.removing(suffix: ".xml").map(String.init) ?? $0 }
        switch name {
        case nil: return path.segments.count > 2 ? "urls" : "Versions"
        case "query", "queryAll": return "QueryResult"
        case "search", "parameterizedSearch": return "SearchResults"
        case "limits": return "LimitsSnapshot"
        case "sobjects" where value["sobjects"] != nil: return "DescribeGlobal"
        case "sobjects" where value["fields"] != nil: return "DescribeSObject"
        default: return "Result"
        }
    }

    /// What the elements of an array at the top are called.
    private static let items = ["Errors": "Error", "Versions": "Version"]

    private mutating func write(_ value: JSONValue, as name: String) {
        if let array = value.array {
            text += "<\(name)>"
            for part in array { element(Self.items[name] ?? "item", part) }
            text += "</\(name)>"
        } else {
            element(name, value)
        }
    }

    private mutating func element(_ name: String, _ value: JSONValue) {
        let name = Self.name(name)
        if let array = value.array {
            for part in array { element(name, part) }
            return
        }
        guard !value.isNull else {
            text += "<\(name) xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>"
            return
        }
        text += "<\(name)"
        guard let members = value.object else {
            let content = value.string ?? value.numberText ?? (value.bool == true ? "true" : "false")
            text += ">\(Self.escaped(content))</\(name)>"
            return
        }
        for (key, value) in members["attributes"]?.object ?? [:] {
            text += " \(Self.name(key))=\"\(Self.escaped(value.string ?? value.numberText ?? ""))\""
        }
        text += ">"
        for (key, value) in members where key != "attributes" { element(key, value) }
        text += "</\(name)>"
    }

    /// A name that XML takes: letters, digits and underscores.
    private static func name(_ text: String) -> String {
        let known = String(
            decoding: text.utf8.filter { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }, as: UTF8.self)
        return known.utf8.first.map(ASCII.isDigit) ?? true ? "_" + known : known
    }

    /// Text without what XML 1.0 has no way to write.
    private static func escaped(_ text: String) -> String {
        let isClean = text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard !isClean else { return HTMLPage.escaped(text) }
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value >= 0x20 || [0x09, 0x0A, 0x0D].contains(scalar.value) ? scalar : "\u{FFFD}"
        }
        return HTMLPage.escaped(String(String.UnicodeScalarView(scalars)))
    }
}
