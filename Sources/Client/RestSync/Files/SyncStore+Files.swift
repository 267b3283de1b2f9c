// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestSDK
import RestSQLite
import RestTransport
import SOQLStore
import Synchronization

extension SyncStore {
    /// Returns the file of a record, from the copy or, if that does not have it, from the org.
    ///
    /// A download is stored in the copy as it arrives. An interrupted one continues where it ended, also in another
    /// process, if the server supports ranges. Callers that request the same file share a download.
    ///
    /// - Parameters:
    ///   - type: the object's name, such as `ContentVersion` or `Attachment`.
    ///   - id: the id of the record, which may be temporary.
    ///   - client: the client of the org, or `nil` to get what the copy has, even if the record has changed since.
    /// - Returns: the file.
    /// - Throws: ``SyncError/Code/notFound`` if the copy does not have the record, or not the file and there is no
    ///   client. ``SyncError/Code/request`` if the download failed.
    @concurrent
    public func file(of type: String, id: String, with client: RestClient? = nil) async throws(SyncError) -> SyncFile {
        let object = try object(type)
        guard object.fileField != nil else { throw SyncError(.invalid, "\(object.name) has no field for a file") }
        let (record, version, known) = try find(id, object)
        if let known, known.isComplete, known.isLocal || client == nil || known.version == version {
            return SyncFile(store: self, content: known.content, size: known.received)
        }
        guard let client else {
            throw SyncError(.notFound, "the copy does not have the file of \(record); request it with a client")
        }
        try await share(record, object, version, client)
        let found = try read { (connection) throws(OrgError) in try StoredFile.find(record, connection) }
        guard let found, found.isComplete else {
            throw SyncError(.notFound, "the copy no longer has the file of \(record); request it again")
        }
        return SyncFile(store: self, content: found.content, size: found.received)
    }

    /// Removes the content of a record's file from the copy, which can be downloaded again.
    ///
    /// A file that the org does not have stays.
    public func removeFile(of type: String, id: String) throws(SyncError) {
        let (record, _, known) = try find(id, try object(type))
        guard known?.isLocal == false else { return }
        try write { (connection) throws(OrgError) in try StoredFile.remove(record, connection) }
    }

    private func find(
        _ id: String, _ object: SObjectSchema
    ) throws(SyncError) -> (record: String, version: String, known: StoredFile?) {
        try read { (connection) throws(OrgError) in
            let record = try Outbox(connection: connection).current(RecordID.normalized(id) ?? id)
            guard let fields = try records.fields(of: record, object, connection), fields["IsDeleted"]?.bool != true
            else { throw .notFound }
            return (record, object.fileVersion(of: fields), try StoredFile.find(record, connection))
        }
    }

    /// Downloads a file in a task that all its callers wait for.
    func share(
        _ record: String, _ object: SObjectSchema, _ version: String, _ client: RestClient
    ) async throws(SyncError) {
        let task = downloads.withLock { downloads in
            if let known = downloads[record] { return known }
            let task = Task(name: "download \(record)") { () -> SyncError? in
                defer { self.downloads.withLock { _ = $0.removeValue(forKey: record) } }
                do throws(SyncError) {
                    var download = FileDownload(SyncRun(self, client), record, object, version)
                    try await download.run()
                    return nil
                } catch {
                    return error
                }
            }
            downloads[record] = task
            return task
        }
        if let error = await task.value { throw error }
    }
}

/// The download of one file, which continues what the copy already has.
struct FileDownload {
    private var run: SyncRun
    private let record: String
    private let object: SObjectSchema
    private let version: String

    init(_ run: SyncRun, _ record: String, _ object: SObjectSchema, _ version: String) {
        (self.run, self.record, self.object, self.version) = (run, record, object, version)
    }

    /// The time of a download, in which a slow network can transmit the largest files.
    static let timeout = Duration.seconds(3_600)

    mutating func run() async throws(SyncError) {
        try await run.identify()
        var failure: RestError?
        // A file that changes while it is downloaded starts again.
        for _ in 0..<3 {
            do throws(RestError) { return try await attempt() } catch {
                guard [.rangeNotSatisfiable, .decoding].contains(error.code), !(error.underlying is SyncError) else {
                    throw (error.underlying as? SyncError) ?? SyncError(error)
                }
                failure = error
                try run.store.write { (connection) throws(OrgError) in try StoredFile.remove(record, connection) }
            }
        }
        throw SyncError(failure ?? RestError(.decoding, "the file changes while it is read"))
    }

    private mutating func attempt() async throws(RestError) {
        let known = try run.inStore { () throws(SyncError) in
            try run.store.read { (connection) throws(OrgError) in try StoredFile.find(record, connection) }
        }
        let partial = known.flatMap { $0.version == version && !$0.isLocal && $0.received > 0 ? $0 : nil }
        let request = RestRequest.blob(object.name, id: record, field: object.fileField?.name ?? "")
        let response = try await run.client.stream(
            request.timeout(Self.timeout), range: partial.map { .from(Int64($0.received)) })
        let tag = response.head.fields["ETag"]
        let isPart = response.head.status == 206
        let length = isPart ? response.place.total : response.head.plainContentLength
        var file: StoredFile
        if let partial {
            guard partial.tag == tag, length == nil || partial.size == nil || length == partial.size.map(Int64.init)
            else { throw RestError(.decoding, "the file has changed since its first part was read") }
            file = partial
        } else {
            file = try inTransaction { (connection) throws(OrgError) in
                try StoredFile.begin(
                    record, object.name, version: version, size: length.map { Int(clamping: $0) }, tag: tag, connection)
            }
        }
        var buffer: [UInt8] = []
        for try await chunk in response {
            buffer += chunk
            guard buffer.count >= SyncFile.step else { continue }
            let whole = buffer.count - buffer.count % ContentStore.chunk
            try store(Array(buffer[..<whole]), &file, isLast: false)
            buffer.removeFirst(whole)
        }
        guard file.size.map({ $0 == file.received + buffer.count }) ?? true else {
            throw RestError(.decoding, "the file has another size than the server reported")
        }
        try store(buffer, &file, isLast: true)
    }

    private func store(_ bytes: [UInt8], _ file: inout StoredFile, isLast: Bool) throws(RestError) {
        file = try inTransaction { [file] (connection) throws(OrgError) in
            guard var current = try StoredFile.find(record, connection), current == file else {
                throw OrgError("NOT_FOUND", "the copy no longer has the file of \(record); request it again")
            }
            try current.append(bytes, isLast: isLast, connection)
            return current
        }
    }

    private func inTransaction<Value: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Value
    ) throws(RestError) -> Value {
        try run.inStore { () throws(SyncError) in try run.store.write(body) }
    }
}

extension SyncRun {
    /// Downloads the files of parts that select them, and removes the files of records that left the copy.
    ///
    /// A file that the server does not give is reported and requested again by the next sync.
    mutating func pullFiles(_ parts: [StoredPart]) async throws(SyncError) {
        try store.write { (connection) throws(OrgError) in try StoredFile.sweep(store.schema, connection) }
        for part in parts {
            guard let field = part.object.fileField, part.part.fields.contains(field.name) else { continue }
            let wanted = try store.read { (connection) throws(OrgError) in
                var wanted: [(record: String, version: String)] = []
                let members = try connection.fetch(
                    "SELECT \"Record\" FROM \"sync.Member\" WHERE \"Part\" = ?1", [.integer(part.number)]
                ) { $0.text(0) }
                for record in members {
                    guard let fields = try store.records.fields(of: record, part.object, connection) else { continue }
                    let version = part.object.fileVersion(of: fields)
                    let known = try StoredFile.find(record, connection)
                    if known?.isComplete == true, known?.version == version { continue }
                    wanted.append((record, version))
                }
                return wanted
            }
            for (record, version) in wanted {
                report.requests += 1
                do throws(SyncError) {
                    try await store.share(record, part.object, version, client)
                    report.files += 1
                } catch {
                    guard let rest = error.rest, [.notFound, .forbidden, .api].contains(rest.code) else { throw error }
                    report.missingFiles.append(record)
                }
            }
        }
    }
}

extension SyncRun {
    /// Creates a record together with its file, which is read from the copy while it is sent.
    mutating func create(
        _ change: PendingChange, _ file: StoredFile, _ stale: inout StaleRecords
    ) async throws(SyncError) {
        let object = try store.object(change.object)
        let content = SyncFile(store: store, content: file.content, size: file.received)
        let source = RestRequest.FormSource(length: Int64(file.received)) { position in
            let start = Int(clamping: position)
            return try content.bytes(start..<start + ContentStore.chunk)
        }
        let name = change.fields["PathOnClient"]?.string ?? change.fields["Name"]?.string ?? "file"
        let request = RestRequest.create(
            object.name, change.fields, with: .source(object.fileField?.name ?? "", source, fileName: name))
        do throws(RestError) {
            let response = try await send(request.timeout(FileDownload.timeout))
            guard let id = response.payload["id"]?.string else {
                throw RestError(.decoding, "the response has no id of the new record", outcome: .unknown)
            }
            let created = RecordID.normalized(id) ?? id
            try inStore { () throws(SyncError) in try store.adopt([(change, created)]) }
            stale[object.name, default: []].insert(created)
            report.created += 1
        } catch {
            guard error.outcome == .notApplied, !error.faults.isEmpty else { try give(back: [change], after: error) }
            try reject(change, error.faults)
        }
    }

    /// Whether the server's file is the one that the copy was sending.
    func isSent(_ change: PendingChange, as id: String, _ object: SObjectSchema) async throws(SyncError) -> Bool {
        let file = try store.read { (connection) throws(OrgError) in
            try StoredFile.find(change.record, connection)
        }
        guard let file, file.isLocal, let field = object.fileField else { return true }
        let content = SyncFile(store: store, content: file.content, size: file.received)
        do throws(RestError) {
            var position = 0
            let response = try await client.stream(.blob(object.name, id: id, field: field.name))
            for try await chunk in response {
                let known = try inStore { () throws(SyncError) in
                    try content.bytes(position..<position + chunk.count)
                }
                guard known == chunk else { return false }
                position += chunk.count
            }
            return position == file.received
        } catch {
            if error.code == .notFound { return false }
            throw (error.underlying as? SyncError) ?? SyncError(error)
        }
    }
}
