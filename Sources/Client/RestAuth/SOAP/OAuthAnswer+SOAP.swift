// SPDX-License-Identifier: Apache-2.0

import RestText
import RestTransport
import RestXML

extension OAuthAnswer {
    /// What stands in the body of a SOAP answer.
    ///
    /// A fault comes with status 500, so the body is looked at before that status; any other status that is no success
    /// is no verdict.
    ///
    /// - Parameter name: the element that belongs there.
    /// - Returns: the element.
    /// - Throws: ``OAuthError``: what a fault says; `.serverUnavailable` as ``unavailable`` says;
    ///   `.unexpectedContentType` for a page; `.invalidResponse` for anything else, such as another charset than UTF-8.
    func soapContent(_ name: String) throws(OAuthError) -> XMLElement {
        let status = response.head.status
        if status == 200 || status == 500, let content = message {
            if let fault = SOAPFault(content) { throw OAuthError(fault, from: self) }
            if status == 200, content.name == name { return content }
        }
        if let unavailable { throw unavailable }
        let type = response.head.fields["Content-Type"]?.lowercased() ?? ""
        guard status != 200 || !type.hasBytes("html") else { throw pageInPlaceOfAnswer }
        throw OAuthError(.invalidResponse, "\(endpoint) answered \(status) without the message that belongs there")
    }

    /// The body of a message; `nil` for what is none, is too long or is in another charset.
    private var message: XMLElement? {
        guard isShort, isXML else { return nil }
        return XMLElement(parsing: response.body)?.soapContent
    }

    /// Whether the answer calls itself XML, in UTF-8 if it says in which charset.
    private var isXML: Bool {
        let parts = (response.head.fields["Content-Type"] ?? "").lowercased().split(byte: ";").map { part in
            part.without(" \t\"")
        }
        let charset = parts.dropFirst().first { $0.hasBytes(prefix: "charset=") }
        return parts.first == "text/xml" && (charset == nil || charset == "charset=utf-8")
    }
}
