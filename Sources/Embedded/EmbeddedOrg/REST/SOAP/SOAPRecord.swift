// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestXML

/// A record as a call of the SOAP API has it: its type, its id and its fields as texts.
struct SOAPRecord {
    let object: SObjectSchema
    let id: String
    let members: JSONObject

    init(_ element: XMLElement, _ schema: Schema) throws(OrgFault) {
        let type = element["type"]?.text ?? ""
        guard let object = schema.object(named: type) else {
            throw OrgFault(400, "INVALID_TYPE", "sObject type '\(type.prefix(100))' is not supported.")
        }
        var texts: [(name: String, text: String?)] = element.texts("fieldsToNull").map { ($0, nil) }
        for child in element.children where !["type", "Id", "fieldsToNull"].contains(child.name) {
            texts.append((child.name, child.isNil || child.text.isEmpty ? nil : child.text))
        }
        var members: [(key: String, value: JSONValue)] = []
        for (name, text) in texts {
            guard let field = object.field(named: name), let column = RecordColumn(field.name, object, schema) else {
                throw .unknownColumn(name, of: object.name)
            }
            members.append(column.member(text))
        }
        (self.object, self.members) = (object, JSONObject(members: members))
        id = element["Id"]?.text ?? ""
    }
}

/// A merge of records, one of those of a call.
struct SOAPMerge {
    let store: RecordStore

    /// The result in the order of the description.
    func result(of request: XMLElement) -> String {
        do throws(OrgFault) {
            guard request.name == "request", let master = request["masterRecord"] else {
                throw OrgFault(400, "MISSING_ARGUMENT", "masterRecord not specified")
            }
            let record = try SOAPRecord(master, store.schema)
            let merged = try store.merge(
                request.texts("recordToMergeIds"), into: record.id, with: record.members, of: record.object)
            return XMLText.element("id", merged.master)
                + merged.others.map { XMLText.element("mergedRecordIds", $0) }.joined()
                + XMLText.element("success", "true")
                + merged.moved.map { XMLText.element("updatedRelatedIds", $0) }.joined()
        } catch {
            return error.soapErrors + XMLText.element("success", "false")
        }
    }
}

extension OrgFault {
    /// The refusal as a result of the SOAP API has it.
    var soapErrors: String {
        let fields = fields.map { XMLText.element("fields", $0) }.joined()
        return "<errors>\(fields)\(XMLText.element("message", message))\(XMLText.element("statusCode", code))</errors>"
    }
}
