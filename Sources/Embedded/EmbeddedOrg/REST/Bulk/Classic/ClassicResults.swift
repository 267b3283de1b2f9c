// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestXML

/// What came of a batch: of a query the ids of its results, else one line for each record.
struct ClassicResults {
    let store: BulkJobStore
    let batch: BulkJob
    let format: ClassicFormat

    private var namespace: String { "xmlns=\"\(ClassicRules.namespace)\"" }
    private var resultID: String { RecordID.make(prefix: ClassicRules.resultPrefix, number: batch.number) }

    func answer() throws(OrgFault) -> ServerResponse {
        try check()
        guard batch.isQuery else { return try outcomes() }
        guard format == .xml else { return .json(value: [JSONValue(resultID)]) }
        return ClassicFormat.xml(
            200, "<result-list \(namespace)>" + XMLText.element("result", resultID) + "</result-list>")
    }

    private func check() throws(OrgFault) {
        guard batch.state == .complete else {
            let name = ClassicRules.states[batch.state] ?? ""
            throw OrgFault(400, "INVALIDBATCH", "Batch not completed: it is \(name)")
        }
    }

    /// Joins what is made of each row.
    private func joined(
        _ begin: String, _ end: String, separator: String = "", _ text: (RowReader) -> String
    ) throws(OrgFault) -> ServerResponse {
        let spool = Spool()
        spool.append(begin.utf8)
        var isFirst = true
        try BulkResults(store: store, job: batch).each { row in
            spool.append(((isFirst ? "" : separator) + text(row)).utf8)
            isFirst = false
        }
        spool.append(end.utf8)
        let head = ServerResponse(
            status: 200, fields: [("Content-Type", "\(batch.contentType.mediaType);charset=UTF-8")])
        guard let response = spool.fill(head) else { throw .storage }
        return response
    }

    private func outcomes() throws(OrgFault) -> ServerResponse {
        switch batch.contentType {
        case .csv:
            return try joined(batch.line(["Id", "Success", "Created", "Error"]), "") { row in
                let isGood = row.isNull(2)
                return batch.line([
                    isGood ? row.text(0) : "", isGood ? "true" : "false", row.integer(1) == 1 ? "true" : "false",
                    row.text(2),
                ])
            }
        case .json:
            return try joined("[", "]", separator: ",") { String(decoding: outcome($0).bytes(), as: UTF8.self) }
        case .xml:
            return try joined("\(XMLText.declaration)<results \(namespace)>", "</results>") { row in
                XMLText.elements("result", outcome(row))
            }
        }
    }

    private func outcome(_ row: RowReader) -> JSONValue {
        let isGood = row.isNull(2)
        return [
            "success": JSONValue(isGood), "created": JSONValue(row.integer(1) == 1),
            "id": isGood ? JSONValue(row.text(0)) : .null,
            "errors": isGood ? [] : [error(row.text(2))],
        ]
    }

    /// A text `CODE:message:fields --` taken apart.
    private func error(_ text: String) -> JSONValue {
        let (code, rest) = (text.removing(suffix: " --") ?? text[...]).cut(byte: ":") ?? (text[...], "")
        let (message, names) = rest.cut(lastByte: ":") ?? (rest, "")
        let fields = names.split(byte: ",").map { JSONValue(String($0)) }
        return [
            "statusCode": JSONValue(String(code)), "message": JSONValue(String(message)),
            "fields": JSONValue(JSONArray(fields)),
        ]
    }

    /// The records of a query.
    func records(_ id: String) throws(OrgFault) -> ServerResponse {
        try check()
        guard batch.isQuery, RecordID.normalized(id) == resultID else {
            throw OrgFault(400, "INVALIDBATCH", "Invalid result id: \(id.prefix(40))")
        }
        switch batch.contentType {
        case .csv: return try joined(batch.header, "") { $0.text(3) }
        case .json: return try joined("[", "]", separator: ",") { $0.text(3) }
        case .xml:
            let begin = "<queryResult \(namespace) xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
            return try joined(XMLText.declaration + begin, "</queryResult>") { $0.text(3) }
        }
    }
}
