// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting

/// Dropbox as a script of answers with content, and a folder for what is downloaded.
struct ContentStub {
    let stub = Stub()
    let folder: TemporaryFolder
    static let content = "some content"

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a file at Dropbox is, by the content hash of a text.
    static func file(_ rev: String = "0123456789", size: Int = 12, of text: String = content) -> String {
        """
        {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"\(rev)","size":\(size),"content_hash":"\(ContentHash(of: Array(text.utf8)).text ?? "")"}
        """
    }

    /// An answer of status 200, or the part of 12 bytes that begins at a place.
    func answer(_ body: String, from start: Int? = nil, rev: String = "0123456789", fields: HTTPFields = [:]) {
        var fields = fields
        fields["Dropbox-API-Result"] = fields["Dropbox-API-Result"] ?? Self.file(rev)
        if let start { fields["Content-Range"] = fields["Content-Range"] ?? "bytes \(start)-11/12" }
        stub.transport.enqueue(status: start == nil ? 200 : 206, fields: fields, body)
    }

    /// Options that wait for nothing.
    static func options(attempts: Int = 1) -> DownloadOptions {
        var options = DownloadOptions()
        options.retryPolicy.maximumAttempts = attempts
        options.retryPolicy.transientScale = .zero
        return options
    }

    func download(
        _ options: DownloadOptions = options(), to name: String = "a"
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        stub.user.download("/a", to: folder.path(name), options)
    }

    /// How a transfer fails.
    static func failure<Output, Failure>(of transfer: Transfer<Output, Failure>) async throws -> CallError<Failure> {
        do throws(CallError<Failure>) {
            _ = try await transfer.value
        } catch {
            return error
        }
        throw Succeeded()
    }

    struct Succeeded: Error {}

    /// The ranges that were asked for.
    var ranges: [String?] { stub.transport.requests.map { $0.fields["Range"] } }
}
