// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The rows of one part as they are sent, from the source file or from the part's own.
struct PartRows: Sendable {
    let path: String
    let dialect: CSVDialect
    /// What is sent before the range; empty where the file has it.
    private let header: [UInt8]
    private let file: FileParts
    private let range: Range<Int64>

    /// Finds the rows of a part.
    ///
    /// - Throws: ``BulkError/Code/file`` when they are not there, ``BulkError/Code/sourceChanged`` when the file is
    ///   another one than it was.
    init(_ part: LoadRecord.Part, of plan: LoadRecord.Plan, source: String?, _ folder: LoadFolder) throws(BulkError) {
        dialect = plan.dialect
        path = part.start == nil ? folder.rows(of: part.number) : source ?? ""
        do throws(TransportError) { file = try FileParts(path: path) } catch { throw .file(error, path) }
        guard let start = part.start, let end = part.end else {
            (header, range) = ([], 0..<file.state.size)
            guard file.state.size == part.bytes else {
                throw BulkError(.sourceChanged, "\(path): the file is not the one that the load wrote")
            }
            return
        }
        guard file.state.text == plan.source else {
            throw BulkError(.sourceChanged, "\(path): the file is not what it was when the load began")
        }
        do throws(CSVError) {
            var writer = try CSVWriter(plan.dialect, columns: plan.columns)
            header = writer.takeBytes()
        } catch {
            throw BulkError(error, row: nil)
        }
        range = start..<end
    }

    /// The rows as the body of an upload, which can be sent again.
    var body: HTTPBody {
        let part = HTTPBody.File.part(range, of: file)
        guard !header.isEmpty else { return .file(part) }
        let header = header
        return .stream(
            .restartable(length: Int64(header.count) + Int64(range.count)) {
                let source = try FileSource(part)
                let isBegun = FirstTime()
                return { isBegun.isFirst() ? header : try source.next() }
            })
    }

    /// The rows, one after another.
    var cursor: RowCursor { RowCursor(file, range, header: header, dialect) }
}

/// Whether something happens for the first time.
private final class FirstTime: Sendable {
    private let hasBeen = Mutex(false)

    func isFirst() -> Bool {
        hasBeen.withLock { hasBeen in
            defer { hasBeen = true }
            return !hasBeen
        }
    }
}
