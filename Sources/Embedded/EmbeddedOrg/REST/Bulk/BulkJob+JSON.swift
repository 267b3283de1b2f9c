// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension BulkJob {
    /// What a client of 2.0 is told; `isWhole` adds how far the job is.
    func json(_ version: APIVersion, isWhole: Bool = true) -> JSONValue {
        var members: JSONObject = [
            "id": JSONValue(id), "operation": JSONValue(operation), "object": JSONValue(object),
            "createdById": JSONValue(user), "createdDate": JSONValue(created), "systemModstamp": JSONValue(modified),
            "state": JSONValue(state.rawValue), "concurrencyMode": "Parallel",
            "contentType": "CSV",
            "apiVersion": JSONValue(floatLiteral: Double(self.version)),
            "lineEnding": JSONValue(endsInCRLF ? "CRLF" : "LF"), "columnDelimiter": JSONValue(delimiter),
        ]
        if !externalID.isEmpty { members["externalIdFieldName"] = JSONValue(externalID) }
        if !assignmentRule.isEmpty { members["assignmentRuleId"] = JSONValue(assignmentRule) }
        if kind == .ingest, state == .open {
            members["contentUrl"] = JSONValue("\(version.path.dropFirst())/jobs/ingest/\(id)/batches")
        }
        if isWhole { addProgress(to: &members) }
        return JSONValue(members)
    }

    private func addProgress(to members: inout JSONObject) {
        members["jobType"] = kind == .query ? "V2Query" : "V2Ingest"
        members["numberRecordsProcessed"] = JSONValue(processed)
        members["retries"] = 0
        members["totalProcessingTime"] = JSONValue(milliseconds)
        if kind == .query {
            members["isPkChunkingSupported"] = true
        } else {
            members["numberRecordsFailed"] = JSONValue(failed)
            members["apiActiveProcessingTime"] = JSONValue(milliseconds)
            members["apexProcessingTime"] = 0
        }
        if !error.isEmpty { members["errorMessage"] = JSONValue(error) }
    }
}
