// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A journal whose lines are values as JSON.
struct BulkJournal<Record: Codable & Sendable>: Sendable {
    let path: String
    private let file: JournalFile

    /// Opens a journal, or begins one.
    init(path: String, title: String) throws(BulkError) {
        self.path = path
        do throws(TransportError) { file = try JournalFile(path: path, title: Array(title.utf8)) } catch {
            throw .journal(error, path)
        }
    }

    /// What was noted.
    func records() throws(BulkError) -> [Record] {
        let lines: [ArraySlice<UInt8>]
        do throws(TransportError) { lines = try file.lines() } catch { throw .journal(error, path) }
        var records: [Record] = []
        for (number, line) in lines.enumerated() {
            guard let record = try? Record(json: Array(line)) else {
                throw refusal("line \(number + 2) is not one of a journal")
            }
            records.append(record)
        }
        return records
    }

    /// Notes something, and brings it to the disk with all before it.
    func add(_ record: Record, isDurable: Bool = true) throws(BulkError) {
        guard let line = try? record.json() else { throw refusal("a line cannot be written as JSON") }
        do throws(TransportError) {
            try file.append([line])
            if isDurable { try file.sync() }
        } catch {
            throw .journal(error, path)
        }
    }

    /// Drops all records in one step.
    func clear() throws(BulkError) {
        do throws(TransportError) { try file.replace(with: []) } catch { throw .journal(error, path) }
    }

    func remove() { file.remove() }

    func close() { file.close() }

    /// The error of a journal that cannot be used.
    func refusal(_ what: String) -> BulkError { BulkError(.journal, "\(path): \(what)") }
}
