// SPDX-License-Identifier: Apache-2.0

import RestXML

extension RecordShape {
    /// The row as an element `<records xsi:type="sObject"><type>Account</type>…`.
    func xml(_ name: String, of row: some QueryRow) -> String {
        let type = idColumn.flatMap { column in row.withText(column) { opening(of: $0)?.type } } ?? ""
        let inside = members.map { element($0, row) }.joined()
        return "<\(name) xsi:type=\"sObject\">\(XMLText.element("type", type))\(inside)</\(name)>"
    }

    private func element(_ member: Member, _ row: some QueryRow) -> String {
        switch member.content {
        case .value(let column, let kind) where !row.isNull(column):
            var bytes: [UInt8] = []
            bytes.appendText(row, column, kind)
            return XMLText.element(member.name, String(decoding: bytes, as: UTF8.self))
        case .parent(let shape) where shape.idColumn.map { !row.isNull($0) } ?? false:
            return shape.xml(member.name, of: row)
        // Bulk queries have neither TYPEOF nor subqueries.
        case .value, .parent, .choice, .json: return "<\(member.name) xsi:nil=\"true\"/>"
        }
    }
}
