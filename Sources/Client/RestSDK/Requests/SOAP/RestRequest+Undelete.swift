// SPDX-License-Identifier: Apache-2.0

import RestXML

/// What the platform's SOAP API alone can do with records that were deleted.
extension RestRequest {
    /// Takes records out of the bin, with those that went along with them.
    ///
    /// It is sent once: a second time would say of each record that it is not in the bin.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``maximumRecords``.
    /// - Returns: the request; ``RestClient/undelete(ids:)`` reads its answer, which is XML.
    public static func undelete(ids: [String]) -> RestRequest { bin("undelete", ids) }

    /// Removes records from the bin for good.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``maximumRecords``.
    /// - Returns: the request; ``RestClient/emptyBin(ids:)`` reads its answer, which is XML.
    public static func emptyBin(ids: [String]) -> RestRequest { bin("emptyRecycleBin", ids) }

    private static func bin(_ call: String, _ ids: [String]) -> RestRequest {
        let request = soap(call, ids.map { XMLText.element("ids", $0) }.joined())
        guard (1...maximumRecords).contains(ids.count) else {
            return request.refused("ids", "there are \(ids.count); the server accepts 1 to \(maximumRecords)")
        }
        return ids.enumerated().reduce(request) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }
}

extension RestClient {
    /// Takes records out of the bin, with those that went along with them.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``RestRequest/maximumRecords``.
    /// - Returns: what became of each, in their order.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func undelete(ids: [String]) async throws(RestError) -> [SaveResult] {
        try await results(of: .undelete(ids: ids), ids.count)
    }

    /// Removes records from the bin for good.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``RestRequest/maximumRecords``.
    /// - Returns: what became of each, in their order.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func emptyBin(ids: [String]) async throws(RestError) -> [SaveResult] {
        try await results(of: .emptyBin(ids: ids), ids.count)
    }

    private func results(of request: RestRequest, _ count: Int) async throws(RestError) -> [SaveResult] {
        try await content(of: request) { (response) throws(RestError) in
            let what = "call about \(count) records of the bin"
            let results = try response.soapResults(count, of: what).compactMap { SaveResult($0) }
            guard results.count == count else { throw RestError(notAnAnswerTo: what, response) }
            return results
        }
    }
}

extension SaveResult {
    /// Reads a result of the SOAP API; `nil` when it is none.
    fileprivate init?(_ result: XMLElement) {
        guard let text = result["success"]?.text, text == "true" || text == "false" else { return nil }
        guard text == "false" || result["id"]?.text.isRecordID == true else { return nil }
        let id = text == "true" ? result["id"]?.text : nil
        self.init(id: id, isSuccess: text == "true", faults: APIFault.faults(in: result))
    }
}
