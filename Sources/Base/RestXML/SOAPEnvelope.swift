// SPDX-License-Identifier: Apache-2.0

import RestBase

/// What stands around a call of a SOAP API, its answer or a fault (SOAP 1.1 §4).
package struct SOAPEnvelope: Sendable {
    /// The names of the API.
    package let namespace: String

    /// The API that is the same for every org.
    package static let partner = SOAPEnvelope(namespace: "urn:partner.soap.sforce.com")

    package init(namespace: String) {
        self.namespace = namespace
    }

    /// The message; header and body are XML.
    package func text(header: String = "", _ body: String) -> String {
        """
        \(XMLText.declaration)<soapenv:Envelope \
        xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="\(namespace)" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\
        \(header.isEmpty ? "" : "<soapenv:Header>\(header)</soapenv:Header>")\
        <soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
        """
    }

    /// The session that a call belongs to, for the header; the id is XML.
    package static func session(_ id: String) -> String {
        "<SessionHeader><sessionId>\(id)</sessionId></SessionHeader>"
    }
}

extension XMLElement {
    /// The call, answer or fault in a SOAP message; `nil` for another document.
    package var soapContent: XMLElement? { name == "Envelope" ? self["Body"]?.children.first : nil }
}

/// What a SOAP API says of a call that it refuses (SOAP 1.1 §4.4).
package struct SOAPFault: Sendable, Hashable {
    /// The platform's name for the reason, such as `INVALID_LOGIN`.
    package let code: String
    /// The reason for people; may be empty.
    package let message: String

    /// Reads what stands in a message; `nil` when it is no fault.
    package init?(_ content: XMLElement) {
        guard content.name == "Fault" else { return nil }
        let detail = content["detail"]?.children.first
        let code = (detail?["exceptionCode"] ?? content["faultcode"])?.text.split(byte: ":").last
        guard let code, !code.isEmpty else { return nil }
        self.code = String(code)
        message = (detail?["exceptionMessage"] ?? content["faultstring"])?.text ?? ""
    }
}
