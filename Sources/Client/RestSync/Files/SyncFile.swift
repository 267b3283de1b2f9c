// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestModels
import RestSQLite
import RestTransport
import SOQLStore

/// The content of a record's file in a copy, which can be read without a network and in parts.
public struct SyncFile: Sendable {
    let store: SyncStore
    let content: Int64
    /// The size in bytes.
    public let size: Int

    /// The maximum number of bytes in memory at a time.
    static let step = ContentStore.chunk

    /// Returns a range of the bytes, or fewer at the end of the file.
    ///
    /// - Throws: ``SyncError/Code/notFound`` if the copy no longer has the content.
    public func bytes(_ range: Range<Int>) throws(SyncError) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        let bytes = try store.read { (connection) throws(OrgError) in
            try ContentStore.bytes(of: content, range, connection)
        }
        guard bytes.count == range.count else {
            throw SyncError(.notFound, "the copy no longer has this version of the file; request it again")
        }
        return bytes
    }

    /// Writes the content to a file outside of the copy, which appears when it is complete.
    ///
    /// - Parameter path: the destination path. An existing file is replaced.
    /// - Throws: ``SyncError/Code/store`` if the file cannot be written.
    public func save(to path: String) throws(SyncError) {
        let writer = try Self.accessing(path) { () throws(TransportError) in try FileWriter(path: path) }
        for start in stride(from: 0, to: size, by: Self.step) {
            let part = try bytes(start..<min(start + Self.step, size))
            try Self.accessing(path) { () throws(TransportError) in try writer.write(part) }
        }
        try Self.accessing(path) { () throws(TransportError) in try writer.finish() }
    }

    /// Reports an error with a file outside of the copy.
    static func accessing<Result>(
        _ path: String, _ body: () throws(TransportError) -> Result
    ) throws(SyncError) -> Result {
        do throws(TransportError) { return try body() } catch {
            throw SyncError(.store, "\(path): \(error.message)", underlying: error)
        }
    }
}

extension SyncEdit {
    /// Creates a record with a file, such as a ContentVersion or an Attachment.
    ///
    /// The file is copied, so it can be changed or removed after the edit. The next sync sends it.
    ///
    /// ```swift
    /// try store.edit {
    ///     try $0.create("ContentVersion", ["Title": "Report", "PathOnClient": "report.pdf"], file: "/tmp/report.pdf")
    /// }
    /// ```
    /// - Parameters:
    ///   - type: the object's name.
    ///   - fields: the other fields.
    ///   - path: the path of the file.
    /// - Returns: the temporary id of the record.
    /// - Throws: ``SyncError/Code/invalid`` if the object has no files, and ``SyncError/Code/store`` if the file cannot
    ///   be read or changes meanwhile.
    @discardableResult
    public func create(_ type: String, _ fields: JSONObject, file path: String) throws(SyncError) -> String {
        let object = try store.object(type)
        guard let field = object.fileField else {
            throw SyncError(.invalid, "\(object.name) has no field for a file; use ContentVersion or Attachment")
        }
        let parts = try SyncFile.accessing(path) { () throws(TransportError) in try FileParts(path: path) }
        var fields = fields
        fields[field.name] = ""
        let id = try create(type, fields)
        var file = try SyncError.wrapping { () throws(OrgError) in try StoredFile.find(id, connection) }
        let size = Int(clamping: parts.state.size)
        for start in stride(from: 0, to: size, by: SyncFile.step) {
            let count = min(SyncFile.step, size - start)
            let bytes = try SyncFile.accessing(path) { () throws(TransportError) in
                try parts.read(from: Int64(start), count: count)
            }
            try SyncError.wrapping { () throws(OrgError) in
                try file?.append(bytes, isLast: start + count == size, connection)
            }
        }
        return id
    }
}
