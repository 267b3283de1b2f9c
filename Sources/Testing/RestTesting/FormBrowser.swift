// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// A browser without a window for tests of login pages: it follows redirects, stores cookies and submits forms.
///
/// It runs no scripts and sends its cookies to every host, so use it only for loopback servers.
public final class FormBrowser: Sendable {
    /// A page with its forms.
    public struct Page: Sendable {
        /// The URL after all redirects.
        public let url: HTTPURL
        /// The status of the response.
        public let status: Int
        /// The HTML source.
        public let text: String

        /// The page's forms.
        public var forms: [HTMLForm] { HTMLForm.all(in: text) }
    }

    /// The error of a page that cannot be loaded.
    public struct Failure: Error {
        /// The problem.
        public let reason: String
    }

    private let transport: any HTTPTransport
    private let cookies = Mutex<[String: String]>([:])

    /// Creates a browser without cookies.
    public init(transport: any HTTPTransport) {
        self.transport = transport
    }

    /// Opens a page by its URL.
    public func open(_ url: HTTPURL) async throws -> Page {
        try await load(HTTPRequest(url: url))
    }

    /// Submits a form of a page.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - page: the page with the form.
    ///   - values: the user's input by field name, including a button's. Other fields retain their values on the page.
    /// - Returns: the resulting page.
    /// - Throws: the transport's error, or ``Failure``.
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

/// A form in the source of a simple login page, parsed without support for all of HTML.
public struct HTMLForm: Sendable, Equatable {
    /// A field with its value on the page.
    public struct Field: Sendable, Equatable {
        /// The field's name.
        public let name: String
        /// The field's value.
        public let value: String
    }

    /// The target of the form, or an empty string for the page's own URL.
    public let action: String
    /// Whether the form is sent in a request body.
    public let isPost: Bool
    /// The fields that are sent by default: all named fields except buttons and unchecked boxes.
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
