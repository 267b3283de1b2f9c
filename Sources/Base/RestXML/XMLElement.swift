// SPDX-License-Identifier: Apache-2.0

import RestBase

/// An element of the XML in the SOAP and bulk APIs, with names without prefixes, and only the attribute `nil`.
package struct XMLElement: Sendable {
    package let name: String
    /// Whether the element has no value (`xsi:nil="true"`).
    package var isNil = false
    /// The text directly inside the element.
    package var text = ""
    package var children: [XMLElement] = []

    /// The first direct child with this name.
    package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    package func texts(_ name: String) -> [String] { children.filter { $0.name == name }.map(\.text) }
}

extension XMLElement {
    /// Parses a document in one pass, or returns `nil` if it is invalid.
    ///
    /// It is invalid if it is not well-formed, is nested deeper than 64 elements, has another encoding than UTF-8 or
    /// declares one, or has a document type. Without a document type, there can be no entities that expand or refer to
    /// other files. Further rules about names and namespaces are not checked.
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

/// XML in the form of the SOAP and bulk APIs.
package enum XMLText {
    package static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    package static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    /// The text with special characters of XML and HTML escaped, and without characters that XML cannot represent
    /// (``canHold(_:)``).
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
            // A parser would treat a plain carriage return as the end of a line (XML 1.0, section 2.11).
            case "\r": result += "&#13;"
            default: if canHold(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Whether a document can contain the character, possibly as a reference (XML 1.0, section 2.2).
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// A quick check of each byte, which is also true for other characters with the same first byte as U+FFFE and
    /// U+FFFF.
    private static func mayNeedCare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), 0xEF:
            true
        default: false
        }
    }
}

/// The envelope of a call of a SOAP API, of its response or of a fault (SOAP 1.1, section 4).
package struct SOAPEnvelope: Sendable {
    package let namespace: String

    /// The partner API, which is the same for every org.
    package static let partner = SOAPEnvelope(namespace: "urn:partner.soap.sforce.com")

    package init(namespace: String) {
        self.namespace = namespace
    }

    /// The complete message, where `header` and `body` are XML.
    package func text(header: String = "", _ body: String) -> String {
        """
        \(XMLText.declaration)<soapenv:Envelope \
        xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="\(namespace)" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\
        \(header.isEmpty ? "" : "<soapenv:Header>\(header)</soapenv:Header>")\
        <soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
        """
    }

    /// The header with the session of a call, where the id is XML.
    package static func session(_ id: String) -> String {
        "<SessionHeader><sessionId>\(id)</sessionId></SessionHeader>"
    }
}

extension XMLElement {
    /// The call, response or fault in a SOAP message, or `nil` for another document.
    package var soapContent: XMLElement? { name == "Envelope" ? self["Body"]?.children.first : nil }
}

/// The error in the response of a SOAP API (SOAP 1.1, section 4.4).
package struct SOAPFault: Sendable, Hashable {
    /// The Salesforce code of the error, such as `INVALID_LOGIN`.
    package let code: String
    /// The description of the error, which may be empty.
    package let message: String

    /// Reads the content of a message, or returns `nil` if it is not a fault.
    package init?(_ content: XMLElement) {
        guard content.name == "Fault" else { return nil }
        let detail = content["detail"]?.children.first
        let code = (detail?["exceptionCode"] ?? content["faultcode"])?.text.split(byte: ":").last
        guard let code, !code.isEmpty else { return nil }
        self.code = String(code)
        message = (detail?["exceptionMessage"] ?? content["faultstring"])?.text ?? ""
    }
}
