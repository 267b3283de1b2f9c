// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestXML

/// Several records that are about the same become one, which the platform's SOAP API alone can do.
extension RestRequest {
    /// Merges records of one object into one of them: what pointed to the others points to it from then on, and the
    /// others go to the bin.
    ///
    /// All of it is done or nothing. It is sent once: a second time would say of the others that they are deleted.
    ///
    /// - Parameters:
    ///   - type: the object's name; the platform merges accounts, contacts, leads and cases.
    ///   - ids: the ids of the other records, one or two.
    ///   - master: the id of the record that stays.
    ///   - fields: the fields of it to set, such as values that only the others have; `null` and the empty text empty
    ///     one. Moments end with `Z`, as an encoded `Date` does and those of an answer do not; parents stand by their
    ///     ids.
    /// - Returns: the request; ``RestClient/merge(_:ids:into:_:)`` reads its answer, which is XML.
    public static func merge(
        _ type: String, ids: [String], into master: String, _ fields: JSONObject = [:]
    ) -> RestRequest {
        let wrong = fields.first { !canSet($0.key, $0.value) }
        var request = soap("merge", wrong == nil ? arguments(type, ids, master, fields) : "")
        request = isFieldName(type) ? request : request.refused("type", "must be the name of an object")
        if let wrong {
            request = request.refused("fields", "\(wrong.key.debugDescription) must be a field with one value")
        }
        guard (1...2).contains(ids.count) else {
            return request.refused("ids", "there are \(ids.count); the server merges one or two into another record")
        }
        guard Set(([master] + ids).map { $0.prefix(15) }).count == ids.count + 1 else {
            return request.refused("ids", "each must be another record")
        }
        request = request.requiringID(master, "master")
        return ids.enumerated().reduce(request) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }

    /// The record is in the names of records of any object (`o`), and in the order of their description.
    private static func arguments(_ type: String, _ ids: [String], _ master: String, _ fields: JSONObject) -> String {
        var (empty, given) = ("", "")
        for (name, value) in fields {
            let text = value.string ?? value.numberText ?? value.bool.map { $0 ? "true" : "false" } ?? ""
            if text.isEmpty {
                empty += XMLText.element("o:fieldsToNull", name)
            } else {
                given += XMLText.element("o:\(name)", text)
            }
        }
        let record = XMLText.element("o:type", type) + empty + XMLText.element("o:Id", master) + given
        let others = ids.map { XMLText.element("recordToMergeIds", $0) }.joined()
        return "<request><masterRecord xmlns:o=\"urn:sobject.partner.soap.sforce.com\">\(record)</masterRecord>"
            + others + "</request>"
    }

    /// What tells the record apart has names of its own, which no field has: they are written in this way alone.
    private static func canSet(_ name: String, _ value: JSONValue) -> Bool {
        isFieldName(name) && !["type", "fieldsToNull"].contains(name) && name.lowercased() != "id"
            && value.array == nil && value.object == nil
    }

    /// Whether the text can stand as the name of an element of XML, as the names of all fields can.
    private static func isFieldName(_ name: String) -> Bool {
        guard let first = name.utf8.first, UInt8(ascii: "A") <= first, first != UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension RestClient {
    /// What a merge of records did.
    public struct MergeResult: Sendable, Hashable {
        /// The id of the record that stayed.
        public let id: String
        /// The ids of the records that are in the bin.
        public let mergedIDs: [String]
        /// The ids of the records that point to the one that stayed now, as far as the user sees them.
        public let movedIDs: [String]

        /// Reads a result of the SOAP API; `nil` for another one.
        init?(_ result: XMLElement) {
            guard result["success"]?.text == "true", let id = result["id"]?.text else { return nil }
            self.id = id
            mergedIDs = result.texts("mergedRecordIds")
            movedIDs = result.texts("updatedRelatedIds")
            guard ([id] + mergedIDs + movedIDs).allSatisfy(\.isRecordID) else { return nil }
        }
    }

    /// Merges records of one object into one of them: what pointed to the others points to it from then on, and the
    /// others go to the bin.
    ///
    /// - Parameters:
    ///   - type: the object's name; the platform merges accounts, contacts, leads and cases.
    ///   - ids: the ids of the other records, one or two.
    ///   - master: the id of the record that stays.
    ///   - fields: the fields of it to set, as ``RestRequest/merge(_:ids:into:_:)`` says.
    /// - Returns: what was done.
    /// - Throws: ``RestError``; ``RestError/Code/api`` with the server's faults when it refused, and nothing was done.
    public func merge(
        _ type: String, ids: [String], into master: String, _ fields: JSONObject = [:]
    ) async throws(RestError) -> MergeResult {
        let request = RestRequest.merge(type, ids: ids, into: master, fields)
        return try await content(of: request) { (response) throws(RestError) in
            let results = try response.soapResults(1, of: "merge of records")
            guard results.first?["success"]?.text != "false" else {
                let faults = results.flatMap(APIFault.faults)
                throw RestError(
                    .api, "nothing was merged" + (faults.first.map { ": \($0)" } ?? ""), faults: faults,
                    response: response.head, body: response.body, outcome: .notApplied)
            }
            guard let merged = results.first.flatMap(MergeResult.init) else {
                throw RestError(notAnAnswerTo: "merge of records", response)
            }
            return merged
        }
    }
}
