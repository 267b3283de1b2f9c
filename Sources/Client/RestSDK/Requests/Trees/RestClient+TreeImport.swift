// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

extension RecordTree {
    /// What became of files of records.
    public struct Import: Sendable {
        /// The ids of the records that were created, by their references.
        public let ids: [String: String]
        /// Why not all of them were; `nil` when all were.
        ///
        /// The records of the call that failed are not among the ``ids``; its ``RestError/outcome`` says what is known
        /// of them. Those behind it were never sent.
        public let failure: RestError?

        /// The ids of all records, by their references.
        ///
        /// - Throws: the ``failure``.
        public func get() throws(RestError) -> [String: String] {
            if let failure { throw failure }
            return ids
        }
    }
}

extension RestClient {
    /// Creates the records of a file of any length, in calls of as many as the server takes, each all or none.
    ///
    /// - Returns: the ids of what was created, and why not all of it was.
    /// - Throws: ``RestError/Code/invalidRequest`` before anything is sent.
    public func importTree(_ file: RecordTree.File) async throws(RestError) -> RecordTree.Import {
        try await importTrees(RecordTree.Plan([.init("", resolvesReferences: false, files: [file])]))
    }

    /// Creates the records of a plan, step by step, in calls of as many as the server takes, each all or none.
    ///
    /// In steps that resolve references, a text that is `@` and the reference of a record which was created before
    /// becomes that record's id.
    ///
    /// - Returns: the ids of what was created, and why not all of it was.
    /// - Throws: ``RestError/Code/invalidRequest`` before anything is sent.
    public func importTrees(_ plan: RecordTree.Plan) async throws(RestError) -> RecordTree.Import {
        let calls = try plan.calls
        for call in calls { try runner.builder.validate(.createTree(call.records)) }
        return await imported(calls)
    }

    private func imported(_ calls: [(records: [RecordTree], step: RecordTree.Plan.Step)]) async -> RecordTree.Import {
        var (ids, known) = ([String: String](), [String: String]())
        for (records, step) in calls {
            do throws(RestError) {
                let made = try await createTree(
                    step.resolvesReferences ? records.map { $0.resolved(known) } : records)
                ids.merge(made) { first, _ in first }
                if step.savesReferences { known.merge(made) { first, _ in first } }
            } catch {
                return RecordTree.Import(ids: ids, failure: error)
            }
        }
        return RecordTree.Import(ids: ids, failure: nil)
    }
}

extension RecordTree.Plan {
    /// The records of each call that a plan takes, in order.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` for a reference that is used twice.
    package var calls: [(records: [RecordTree], step: Step)] {
        get throws(RestError) {
            var calls: [(records: [RecordTree], step: Step)] = []
            var references: Set<String> = []
            for step in steps {
                for file in step.files {
                    for reference in file.records.flatMap({ $0.all() }).map(\.record.reference) {
                        guard references.insert(reference).inserted else {
                            throw .invalidRequest("references", "'\(reference)' is used twice", isWrite: true)
                        }
                    }
                    for records in file.records.runs { calls.append((records, step)) }
                }
            }
            return calls
        }
    }
}

extension [RecordTree] {
    /// The records in runs that one request takes: of one type at the top, with those below them.
    fileprivate var runs: [[RecordTree]] {
        var runs: [[RecordTree]] = []
        var (count, types) = (0, Set<String>())
        for record in self {
            let all = record.all().map(\.record)
            let both = types.union(all.map(\.type))
            let fits =
                runs.last?.first?.type == record.type && count + all.count <= RecordTree.maximumRecords
                && both.count <= RecordTree.maximumTypes
            if fits { runs[runs.count - 1].append(record) } else { runs.append([record]) }
            (count, types) = fits ? (count + all.count, both) : (all.count, Set(all.map(\.type)))
        }
        return runs
    }
}

extension RecordTree {
    /// The record with ids in place of the references to records that are known.
    fileprivate func resolved(_ ids: [String: String]) -> RecordTree {
        var copy = self
        for (name, value) in fields {
            guard let known = value.string?.removing(prefix: "@"), let id = ids[String(known)] else { continue }
            copy.fields[name] = JSONValue(id)
        }
        copy.children = children.map {
            Children(relationship: $0.relationship, records: $0.records.map { $0.resolved(ids) })
        }
        return copy
    }
}
