// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Downloads the next pages of a result in parallel while a page is read, from API version 58 on.
///
/// The list of pages is only a hint: a page is used if the page before it names its locator. If a download fails, or
/// the org has no list, the page is read as it arrives. At most three pages are on the disk.
final class ResultAhead: Sendable {
    typealias Page = (head: HTTPResponse.Head, bytes: FileSource)

    private static let firstVersion = APIVersion(58)
    private static let pagesAhead = 3
    /// The maximum number of lists of up to five pages each.
    private static let mostLists = 20_000

    private struct State {
        /// The locators of the pages that the org has listed so far, in order.
        var locators: [String] = []
        var list: Task<Void, Never>?
        var downloads: [String: Task<HTTPResponse.Head?, Never>] = [:]
    }

    private let calls: JobCalls
    private let folder = FileManager.default.temporaryDirectory.path + "/pages-" + UUID().uuidString
    private let state = Mutex(State())

    /// Begins to list the pages, or returns `nil` for a version without lists.
    init?(_ job: BulkJob, _ calls: JobCalls) {
        guard let version = job.version, version >= Self.firstVersion, version == calls.client.apiVersion else {
            return nil
        }
        self.calls = calls
        let list = Task { [weak self] in
            var next: RestRequest? = calls.request("bulkPages", .get, [job.id, "resultPages"])
            for _ in 0..<Self.mostLists {
                guard let request = next, let list = try? await calls.client.send(request).payload.dictionary,
                    let self
                else { return }
                next = self.add(list)
            }
        }
        state.withLock { $0.list = list }
    }

    deinit {
        state.withLock { state in
            state.list?.cancel()
            for task in state.downloads.values { task.cancel() }
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Adds a list of pages, and returns the request for the next list.
    private func add(_ list: JSONObject) -> RestRequest? {
        let urls = (list["resultPages"]?.array ?? []).compactMap { $0["resultUrl"]?.string }
        let locators = urls.compactMap { url -> String? in
            let items = url.cut(byte: "?")?.after.split(byte: "&") ?? []
            return items.lazy.compactMap { $0.removing(prefix: "locator=") }.first.map(String.init)
        }
        state.withLock { $0.locators += locators }
        guard list["done"]?.bool == false else { return nil }
        // The documentation has both spellings.
        let path = list["nextRecordsUrl"]?.string ?? list["nextRecordUrl"]?.string
        return path.map { RestRequest(name: "bulkPages", resource: .serverPath($0)) }
    }

    /// Returns the downloaded page at a locator, or `nil` to read it from the org, and downloads the pages after it.
    func page(at locator: String, _ request: (String) -> RestRequest) async -> Page? {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let found = state.withLock { state -> (download: Task<HTTPResponse.Head?, Never>?, path: String)? in
            guard let place = state.locators.firstIndex(of: locator) else { return nil }
            for next in (place + 1)..<min(place + 1 + Self.pagesAhead, state.locators.count) {
                let (request, path) = (request(state.locators[next]), "\(folder)/\(next).csv")
                guard state.downloads[state.locators[next]] == nil else { continue }
                state.downloads[state.locators[next]] = Task { [client = calls.client] in
                    do throws(RestError) { return try await client.download(request, to: path) } catch { return nil }
                }
            }
            return (state.downloads.removeValue(forKey: locator), "\(folder)/\(place).csv")
        }
        guard let found, let download = found.download else { return nil }
        let head = await withTaskCancellationHandler {
            await download.value
        } onCancel: {
            download.cancel()
        }
        // The open file can be read without a name.
        let bytes = try? FileSource(HTTPBody.File(path: found.path))
        try? FileManager.default.removeItem(atPath: found.path)
        guard let head, let bytes else { return nil }
        return (head, bytes)
    }
}
