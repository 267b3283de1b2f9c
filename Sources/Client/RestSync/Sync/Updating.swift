// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestSQLite
import SOQLStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SyncRun {
    /// The number of requests with updates that are sent at the same time.
    private static let concurrentRequests = 4
    /// The number of applied changes from which they are removed in one transaction.
    private static let appliedTogether = 200

    /// Changes that are sent in one request.
    private struct Sending {
        let changes: [PendingChange]
        let requests: [RestRequest]
        let response: Ahead<Composite.Response>
    }

    /// Sends updates, several requests at a time.
    mutating func update(_ changes: [PendingChange], _ stale: inout StaleRecords) async throws(SyncError) {
        var sending: [Sending] = []
        var problem: SyncError?
        var lists = changes.slices(of: Composite.maximumParts)[...]
        // After an error, the requests in flight are awaited, and the other changes are open again.
        while !lists.isEmpty || !sending.isEmpty {
            if let list = lists.first, problem == nil, sending.count < Self.concurrentRequests {
                sending.append(try begin(list))
                lists.removeFirst()
            } else if sending.isEmpty {
                // If this fails, the next sync finds out that they were not sent.
                try? store.reopen(Array(lists.joined()))
                lists = []
            } else {
                do throws(SyncError) { try await finish(sending.removeFirst(), &stale) } catch {
                    problem = problem ?? error
                }
            }
        }
        // If this fails as well, the next sync finds the values on the server.
        do throws(SyncError) { try finishApplied(&stale) } catch { problem = problem ?? error }
        if let problem { throw problem }
    }

    /// Sends updates that the server rejects if the records have changed since they were read.
    private mutating func begin(_ changes: [PendingChange]) throws(SyncError) -> Sending {
        let known = try store.read { (connection) throws(OrgError) in
            try changes.map { change throws(OrgError) in
                try connection.fetch(
                    "SELECT \"LastModifiedDate\" FROM \"\(change.object)\" WHERE \"Id\" = ?1", [.text(change.record)]
                ) { $0.text(0) }.first
            }
        }
        var (composite, requests) = (Composite(), [RestRequest]())
        for (change, known) in zip(changes, known) {
            var request = RestRequest.update(change.object, id: change.record, change.fields)
            if let known, let time = JSONTimestamp(known) {
                request = request.ifUnmodifiedSince(Date(timeIntervalSince1970: time.secondsSince1970))
            }
            composite.add(request, as: "r\(requests.count)")
            requests.append(request)
        }
        report.requests += 1
        return Sending(
            changes: changes, requests: requests,
            response: Ahead { [client, composite] () async throws(RestError) in try await client.send(composite) })
    }

    private mutating func finish(_ sending: Sending, _ stale: inout StaleRecords) async throws(SyncError) {
        switch await sending.response.result {
        case .success(let response):
            note(response.response)
            let results = zip(sending.changes, response.parts)
            applied += results.filter { $0.1.failure == nil }.map(\.0)
            if applied.count >= Self.appliedTogether { try finishApplied(&stale) }
            for (change, part) in results {
                if let failure = part.failure { try await finish(change, failure, &stale) }
            }
        case .failure(let error) where error.code == .invalidRequest:
            // A string that looks like a reference of a composite request, so each change is sent on its own.
            for (change, request) in zip(sending.changes, sending.requests) {
                let failure: RestError?
                do throws(RestError) {
                    _ = try await send(request)
                    failure = nil
                } catch {
                    guard error.response != nil else { try give(back: [change], after: error) }
                    failure = error
                }
                if let failure { try await finish(change, failure, &stale) } else { applied.append(change) }
            }
        case .failure(let error): try give(back: sending.changes, after: error)
        }
    }

    /// Removes the applied changes, whose values the next sync would find on the server otherwise.
    private mutating func finishApplied(_ stale: inout StaleRecords) throws(SyncError) {
        let changes = applied
        applied = []
        try store.applied(changes)
        for change in changes { stale[change.object, default: []].insert(change.record) }
        report.updated += changes.count
    }

    /// Handles the error of an update.
    private mutating func finish(
        _ change: PendingChange, _ failure: RestError, _ stale: inout StaleRecords
    ) async throws(SyncError) {
        let codes = failure.faults.map(\.errorCode)
        if failure.status == 412 {
            try store.reopen([change])
            stale[change.object, default: []].insert(change.record)
        } else if failure.code == .notFound || codes.contains(.entityIsDeleted) || codes.contains(.notFound) {
            // The error can also be about a record that the change refers to.
            let object = try store.object(change.object)
            let states: [String: SyncConflict.Reason?]
            do throws(RestError) { states = try await self.states(of: [change.record], object) } catch {
                throw SyncError(error)
            }
            if let state = states[change.record], state == nil { return try reject(change, failure.faults) }
            try store.reopen([change])
            try await lose([change.record], of: object)
        } else if failure.code == .api || failure.status.map({ (400..<500).contains($0) && $0 != 429 }) ?? false {
            try reject(change, failure.faults)
        } else {
            try store.reopen([change])
        }
    }
}
