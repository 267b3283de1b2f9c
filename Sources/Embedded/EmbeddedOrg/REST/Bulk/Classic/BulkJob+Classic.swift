// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension BulkJob {
    /// A job of 1.0 with the numbers of its batches.
    func jobInfo(_ batches: [BulkJob], _ format: ClassicFormat) -> JSONValue {
        func count(_ states: State...) -> JSONValue { JSONValue(batches.count { states.contains($0.state) }) }
        let time = JSONValue(batches.reduce(0) { $0 + $1.milliseconds })
        return [
            "id": JSONValue(id), "operation": JSONValue(operation), "object": JSONValue(object),
            "createdById": JSONValue(user), "createdDate": format.time(created),
            "systemModstamp": format.time(modified), "state": JSONValue(state.rawValue),
            "externalIdFieldName": externalID.isEmpty ? .null : JSONValue(externalID),
            "assignmentRuleId": assignmentRule.isEmpty ? .null : JSONValue(assignmentRule),
            "concurrencyMode": isSerial ? "Serial" : "Parallel", "contentType": JSONValue(contentType.rawValue),
            "numberBatchesQueued": count(.uploaded), "numberBatchesInProgress": count(.inProgress),
            "numberBatchesCompleted": count(.complete), "numberBatchesFailed": count(.failed),
            "numberBatchesTotal": JSONValue(batches.count),
            "numberRecordsProcessed": JSONValue(batches.reduce(0) { $0 + $1.processed }), "numberRetries": 0,
            "apiVersion": JSONValue(floatLiteral: Double(version)),
            "numberRecordsFailed": JSONValue(batches.reduce(0) { $0 + $1.failed }), "totalProcessingTime": time,
            "apiActiveProcessingTime": time, "apexProcessingTime": 0,
        ]
    }

    func batchInfo(_ format: ClassicFormat) -> JSONValue {
        [
            "id": JSONValue(id), "jobId": JSONValue(RecordID.make(prefix: Self.prefix, number: parent)),
            "state": JSONValue(ClassicRules.states[state] ?? ""),
            "stateMessage": error.isEmpty ? .null : JSONValue(error),
            "createdDate": format.time(created), "systemModstamp": format.time(modified),
            "numberRecordsProcessed": JSONValue(processed), "numberRecordsFailed": JSONValue(failed),
            "totalProcessingTime": JSONValue(milliseconds), "apiActiveProcessingTime": JSONValue(milliseconds),
            "apexProcessingTime": 0,
        ]
    }
}
