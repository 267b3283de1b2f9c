// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension BulkLoad {
    /// The result of each row, joined with the rows of the source.
    ///
    /// Each row appears once. The jobs follow the order of the rows. Within a job, rows that were written come first,
    /// then rejected rows, unprocessed rows, and rows with an unknown outcome. The org returns rows in any order and
    /// without numbers, so they are joined by their contents (see ``BulkRowResult/isOneOfEqual``).
    ///
    /// Run the load first, because rows of jobs that have not ended are left out. The memory needed is sixteen bytes
    /// for each row of one job. The org's result files are kept next to the journal.
    public var results: BulkResults { BulkResults(load: self) }

    /// Returns the outcome of each row, in the order of the rows of the source.
    ///
    /// Run the load first. Rows with equal contents get their outcomes in any order, and a row whose result the org
    /// changed is ``BulkRowResult/Outcome/unknown``. Use ``results`` for more rows than the memory can hold.
    public func outcomes() async throws(BulkError) -> [BulkRowResult.Outcome] {
        var (outcomes, results) = ([BulkRowResult.Outcome](), self.results.makeAsyncIterator())
        while let result = try await results.next() {
            guard let number = result.number else { continue }
            outcomes += Array(repeating: .unknown, count: max(0, number - outcomes.count))
            outcomes[number - 1] = result.outcome
        }
        return outcomes
    }
}

/// The results of the rows of a load.
public struct BulkResults: AsyncSequence, Sendable {
    /// The result of one row.
    public typealias Element = BulkRowResult
    /// The error of an iteration.
    public typealias Failure = BulkError

    let load: BulkLoad

    /// Starts at the first row.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: load) }

    /// The iterator of the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let load: BulkLoad
        private var plan: LoadRecord.Plan?
        private var parts: ArraySlice<LoadPart>?
        private var results: PartResults?

        init(load: BulkLoad) { self.load = load }

        /// Returns the next result, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``. The iteration is then over.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError)
            -> BulkRowResult?
        {
            do throws(BulkError) {
                while true {
                    if let result = try results?.next() { return result }
                    guard try await begin() else { return nil }
                }
            } catch {
                (parts, results) = ([], nil)
                throw error
            }
        }

        /// Starts the next job, or returns `false` after the last job.
        private mutating func begin() async throws(BulkError) -> Bool {
            results = nil
            if parts == nil {
                try load.folder.prepare()
                let journal = try WorkJournal<LoadState>(path: load.folder.journal)
                defer { journal.close() }
                (plan, parts) = journal.read { ($0.plan, $0.parts.filter(\.isOver)[...]) }
            }
            guard let plan, let part = parts?.popFirst() else { return false }
            results = try await PartResults(part, plan, load)
            return true
        }
    }
}

private struct PartResults: Sendable {
    private let part: LoadPart
    private let plan: LoadRecord.Plan
    private let rows: PartRows
    /// The files that were not read completely.
    private var files: [(kind: ResultFile.Kind, cursor: RowCursor)] = []
    private var index = RowIndex()
    /// The columns of the load that identify a row, or `nil` before the first row was read.
    private var columns: [Int]?
    private var left: RowCursor

    init(_ part: LoadPart, _ plan: LoadRecord.Plan, _ load: BulkLoad) async throws(BulkError) {
        (self.part, self.plan) = (part, plan)
        rows = try PartRows(part.cut, of: plan, source: load.sourcePath, load.folder)
        left = rows.cursor
        guard case .ended(let job, _) = part.phase else { return }
        for kind in ResultFile.Kind.allCases {
            guard let path = try await Self.file(kind, job, load) else {
                files = []
                return
            }
            do throws(TransportError) {
                let file = try FileParts(path: path)
                files.append((kind, RowCursor(file, 0..<file.state.size, plan.dialect)))
            } catch {
                throw .file(error, path)
            }
        }
    }

    /// Downloads a result file, or returns `nil` if the org no longer has the job.
    private static func file(
        _ kind: ResultFile.Kind, _ job: String, _ load: BulkLoad
    ) async throws(BulkError) -> String? {
        let path = load.folder.results(kind, of: job)
        guard (try? FileParts(path: path)) == nil else { return path }
        var request = load.calls.request("bulkResults", .get, [job, kind.resource])
        request.fields = ["Accept": "text/csv"]
        request.timeout = .seconds(3_600)
        do throws(RestError) {
            try await load.client.download(request, to: path)
            return path
        } catch {
            guard error.code == .notFound else { throw BulkError(error, job: job) }
            return nil
        }
    }

    mutating func next() throws(BulkError) -> BulkRowResult? {
        while let (kind, _) = files.first {
            guard let row = try files[0].cursor.next() else {
                files.removeFirst()
                continue
            }
            let own = try columns(in: files[0].cursor.header)
            let found = index.take(row.key(of: own))
            return result(found?.row, found?.isOneOfEqual ?? false, kind.outcome(row), row)
        }
        while let row = try left.next() {
            let number = left.count - 1
            guard let columns else { return result(number, false, .unknown, row) }
            guard index.isLeft(number) else { continue }
            return result(number, index.hasSeveral(row.key(of: columns)), .unknown, row)
        }
        return nil
    }

    private func result(
        _ row: Int?, _ isOneOfEqual: Bool, _ outcome: BulkRowResult.Outcome, _ fields: CSVRow
    ) -> BulkRowResult {
        BulkRowResult(
            number: row.map { part.cut.before + $0 + 1 }, isOneOfEqual: isOneOfEqual, jobID: part.reportedJob,
            outcome: outcome, row: fields)
    }

    /// The columns of a result file that identify a row, in the order of the load's columns.
    ///
    /// The first call makes the index.
    private mutating func columns(in header: CSVHeader?) throws(BulkError) -> [Int] {
        let names = (header?.names ?? []).map { $0.lowercased() }
        let places = plan.columns.map { names.firstIndex(of: $0.lowercased()) }
        let own = places.indices.filter { places[$0] != nil }
        if columns == nil {
            columns = own
            try makeIndex(of: own)
        }
        guard columns == own else {
            throw BulkError(.response, "the files of results have different columns", job: part.job)
        }
        return places.compactMap(\.self)
    }

    private mutating func makeIndex(of columns: [Int]) throws(BulkError) {
        var cursor = rows.cursor
        while let row = try cursor.next() { index.add(row.key(of: columns)) }
        index.finish()
    }
}

/// Finds rows by their contents, because the platform returns results in any order and without numbers.
///
/// It uses sixteen bytes for each row of one job, and identifies rows by a keyed hash of 64 bits.
struct RowIndex: Sendable {
    private struct Entry: Sendable {
        let key: UInt64
        let row: UInt32
    }

    private var entries: [Entry] = []
    /// The number of equal rows that were taken, by the index of the first one.
    private var taken: [Int: Int] = [:]
    private var isTaken: [Bool] = []

    mutating func add(_ key: UInt64) {
        entries.append(Entry(key: key, row: UInt32(truncatingIfNeeded: entries.count)))
    }

    /// Sorts the rows after all were added.
    mutating func finish() {
        entries.sort { ($0.key, $0.row) < ($1.key, $1.row) }
        isTaken = Array(repeating: false, count: entries.count)
    }

    /// Takes a row with this key that was not taken, or returns `nil` if all such rows were taken.
    ///
    /// The number of the row counts from 0.
    mutating func take(_ key: UInt64) -> (row: Int, isOneOfEqual: Bool)? {
        let first = place(of: key)
        guard first < entries.count, entries[first].key == key else { return nil }
        let isOneOfEqual = first + 1 < entries.count && entries[first + 1].key == key
        let place = first + (isOneOfEqual ? taken[first, default: 0] : 0)
        guard place < entries.count, entries[place].key == key else { return nil }
        let row = Int(entries[place].row)
        guard !isTaken[row] else { return nil }
        if isOneOfEqual { taken[first] = place - first + 1 }
        isTaken[row] = true
        return (row, isOneOfEqual)
    }

    func isLeft(_ row: Int) -> Bool { isTaken.indices.contains(row) && !isTaken[row] }

    func hasSeveral(_ key: UInt64) -> Bool {
        let first = place(of: key)
        return first + 1 < entries.count && entries[first].key == key && entries[first + 1].key == key
    }

    /// The index of the first entry whose key is not less.
    private func place(of key: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension CSVRow {
    /// A hash of the row's texts in these columns, with a different key in each process.
    func key(of columns: [Int]) -> UInt64 {
        var hasher = Hasher()
        let bytes = bytes
        for column in columns where column < count {
            let range = range(at: column)
            if isQuoted(at: column), bytes[range].contains(UInt8(ascii: "\"")) {
                var text = self[column]
                text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            } else {
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: buffer[range]))
                }
            }
            // Separates the fields, so that no byte can belong to either of two fields.
            hasher.combine(UInt8(0xFF))
        }
        return UInt64(truncatingIfNeeded: hasher.finalize())  // bounded: any bits will do
    }
}
