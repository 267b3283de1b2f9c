// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// A browser without windows that logs in at real login pages: it follows redirects, keeps cookies and sends forms.
///
/// It runs no scripts and sends its cookies to every host, so it is for tests on loopback.
public final class FormBrowser: Sendable {
    /// A page with its forms.
    public struct Page: Sendable {
        /// Where it is, after all redirects.
        public let url: HTTPURL
        /// The status it came with.
        public let status: Int
        /// Its source.
        public let text: String

        /// The page's forms.
        public var forms: [HTMLForm] { HTMLForm.all(in: text) }
    }

    /// A page that cannot be loaded.
    public struct Failure: Error {
        /// What went wrong.
        public let reason: String
    }

    private let transport: any HTTPTransport
    private let cookies = Mutex<[String: String]>([:])

    /// Makes a browser without cookies.
    public init(transport: any HTTPTransport) {
        self.transport = transport
    }

    /// Opens a page, as typing its address does.
    public func open(_ url: HTTPURL) async throws -> Page {
        try await load(HTTPRequest(url: url))
    }

    /// Sends a form of a page.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - page: the page that has it.
    ///   - values: what the user types or presses, by the names of the fields; the others keep what the page has.
    /// - Returns: the page that follows.
    /// - Throws: an error of the transport, or a page that cannot be loaded.
    public func submit(_ form: HTMLForm, of page: Page, _ values: [String: String] = [:]) async throws -> Page {
        let target = form.action.isEmpty ? page.url : try page.url.resolving(form.action)
        var fields = form.fields.filter { values[$0.name] == nil }.map { ($0.name, $0.value) }
        fields += values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let text = PercentEncoding.form(fields)
        guard form.isPost else {
            return try await open(HTTPURL(origin: target.origin, path: target.path, query: text))
        }
        return try await load(
            HTTPRequest(
                method: .post, url: target,
                fields: [
                    "Content-Type": "application/x-www-form-urlencoded", "Referer": page.url.description,
                    "Origin": page.url.origin.description,
                ], body: .bytes(Array(text.utf8))))
    }

    private func load(_ first: HTTPRequest) async throws -> Page {
        var request = first
        for _ in 0..<10 {
            request.fields["Cookie"] = cookieField
            let response = try await transport.send(request, deadline: .now + .seconds(20))
            keepCookies(of: response.head)
            guard (300...399).contains(response.head.status), let location = response.head.fields["Location"] else {
                return Page(
                    url: request.url, status: response.head.status, text: String(decoding: response.body, as: UTF8.self)
                )
            }
            request = HTTPRequest(url: try request.url.resolving(location))
        }
        throw Failure(reason: "too many redirects from \(first.url.path)")
    }

    private var cookieField: String? {
        let pairs = cookies.withLock { cookies in cookies.map { "\($0.key)=\($0.value)" }.sorted() }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    private func keepCookies(of head: HTTPResponse.Head) {
        for field in head.fields.values(of: "Set-Cookie") {
            let pair = field.prefix(before: ";").split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            cookies.withLock { $0[String(pair[0])] = String(pair[1]) }
        }
    }
}

/// A form in the source of a page; it is for plain login pages, not for every page of the web.
public struct HTMLForm: Sendable, Equatable {
    /// A field with the value that it has on the page.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String
    }

    /// Where it is sent; empty for the page's own address.
    public let action: String
    /// Whether it is sent in a body.
    public let isPost: Bool
    /// What is sent of it by default: all named fields except buttons and unticked boxes.
    public let fields: [Field]

    /// The forms of a page.
    public static func all(in source: String) -> [HTMLForm] {
        var forms: [HTMLForm] = []
        var rest = source[...]
        while let start = rest.firstRange(bytes: "<form") {
            let body = rest[start.upperBound...]
            let end = body.firstRange(bytes: "</form")?.lowerBound ?? body.endIndex
            let content = body[..<end]
            let attributes = attributes(of: content.prefix(before: ">"))
            forms.append(
                HTMLForm(
                    action: attributes["action"] ?? "", isPost: attributes["method"]?.lowercased() == "post",
                    fields: fields(in: content)))
            rest = body[end...]
        }
        return forms
    }

    private static func fields(in content: Substring) -> [Field] {
        var fields: [Field] = []
        var rest = content
        while let start = rest.firstRange(bytes: "<input") {
            rest = rest[start.upperBound...]
            let attributes = attributes(of: rest.prefix(before: ">"))
            let type = attributes["type"]?.lowercased() ?? "text"
            let isSent = !["submit", "button", "image", "reset"].contains(type)
            let isTicked = !["checkbox", "radio"].contains(type) || attributes["checked"] != nil
            guard let name = attributes["name"], isSent, isTicked else { continue }
            fields.append(Field(name: name, value: attributes["value"] ?? ""))
        }
        return fields
    }

    /// The attributes of a tag, by their names in lower case.
    private static func attributes(of tag: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        let blanks = " \t\n\r\u{0C}"
        var rest = tag.drop(anyOf: blanks + "/")
        while !rest.isEmpty {
            let name = rest.prefix(beforeAny: blanks + "=/")
            rest = rest[name.endIndex...]
            var value = Substring()
            if let assigned = rest.removing(prefix: "=") {
                if let quote = ["\"", "'"].first(where: { assigned.hasBytes(prefix: $0) }) {
                    value = assigned[assigned.utf8.index(after: assigned.startIndex)...].prefix(beforeAny: quote)
                    rest = rest[value.endIndex...]
                    rest = rest.removing(prefix: quote) ?? rest
                } else {
                    value = assigned.prefix(beforeAny: blanks)
                    rest = rest[value.endIndex...]
                }
            }
            if !name.isEmpty { attributes[name.lowercased()] = unescaped(value) }
            rest = rest.drop(anyOf: blanks + "/")
        }
        return attributes
    }

    private static func unescaped(_ text: Substring) -> String {
        let entities = [
            ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ]
        return entities.reduce(String(text)) { $0.replacing(bytes: $1.0, with: $1.1) }
    }
}
