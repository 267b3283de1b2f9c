// SPDX-License-Identifier: Apache-2.0

import RestBase

/// An element of the XML that the SOAP and bulk APIs speak, at the org and at its clients.
///
/// Names are without their prefixes, and of attributes only `nil` counts.
package struct XMLElement: Sendable {
    package let name: String
    /// Whether it says that it has no value (`xsi:nil="true"`).
    package var isNil = false
    /// The text directly inside.
    package var text = ""
    package var children: [XMLElement] = []

    /// The first element of that name directly inside.
    package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The texts of all elements of that name directly inside.
    package func texts(_ name: String) -> [String] { children.filter { $0.name == name }.map(\.text) }
}

extension XMLElement {
    /// Reads a document; `nil` for one that is not well-formed, is deeper than 64 elements, is in another
    /// charset than UTF-8 or says so, or has a document type.
    ///
    /// Without a document type no entity can be declared that expands or refers to another file. One pass over the
    /// bytes; what a parser has to know of names and namespaces beyond that is not checked.
    package init?(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.utf8.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) })
        else { return nil }
        var scanner = XMLScanner(bytes)
        var open: [XMLElement] = []
        while let token = scanner.next() {
            switch token {
            case .open(let name, let isNil):
                guard open.count < XMLScanner.mostDepth else { return nil }
                open.append(XMLElement(name: name, isNil: isNil))
            case .text(let text):
                if open.isEmpty {
                    guard text.isBlank else { return nil }
                } else {
                    open[open.count - 1].text += text
                }
            case .close(let name):
                guard let element = open.popLast(), element.name == name else { return nil }
                guard open.isEmpty else {
                    open[open.count - 1].children.append(element)
                    continue
                }
                guard scanner.isAtEnd else { return nil }
                self = element
                return
            }
        }
        return nil
    }
}

/// XML as the SOAP and bulk APIs write it.
package enum XMLText {
    package static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// An element with a text.
    package static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    /// A text with references in the place of what means something, in XML and in HTML; what XML has no way to write
    /// (``canHold(_:)``) is left out.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayNeedCare) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // A reader takes a bare one for the end of a line (XML 1.0 2.11).
            case "\r": result += "&#13;"
            default: if canHold(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Whether a document can hold the character, be it as a reference (XML 1.0 2.2).
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// Quick to ask of each byte: the first byte of U+FFFE and U+FFFF is that of many others too.
    private static func mayNeedCare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), 0xEF:
            true
        default: false
        }
    }
}

/// What stands around a call of a SOAP API, its answer or a fault (SOAP 1.1 4).
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

/// What a SOAP API says of a call that it refuses (SOAP 1.1 4.4).
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
