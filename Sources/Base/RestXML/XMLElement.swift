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
