// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
public import SOQLCheck
import Synchronization

extension ObjectDescription {
    /// The descriptions of an org's objects, kept once they were read.
    ///
    /// A description that is kept is given without a request while it is young. After that the org is asked whether it
    /// has changed (`If-Modified-Since` and `If-None-Match`), which costs a call and hardly a byte. Callers who ask for
    /// the same object at once share one call.
    ///
    /// In a folder the descriptions outlast the process, and several processes share them. What the org tells differs
    /// from user to user, so a folder is for one user of one org.
    public final class Catalog: Sendable {
        /// Where descriptions are kept.
        public enum Storage: Sendable, Hashable {
            /// In this catalog.
            case memory
            /// In this catalog, and in files of a folder that is there; only this user may read them.
            case folder(String)
        }

        /// What is kept of one answer.
        struct Entry: Sendable {
            var description: Description
            /// What tells the server which answer this was.
            var entityTag: String?, lastModified: String?
            /// When the server said last that it holds; `nil` for one that comes out of a file.
            var checked: ContinuousClock.Instant?
        }

        /// What an answer was read as.
        enum Description: Sendable {
            case object(ObjectDescription)
            case list([ObjectDescription.Summary])
        }

        private struct State {
            var entries: [Key: Entry] = [:]
            /// The calls under way, each of which several callers may wait for.
            var flights: [Key: AwaitedValue<Result<Description, RestError>>] = [:]
        }

        private let client: RestClient
        private let maximumAge: Duration
        private let files: CatalogFiles?
        private let state = Mutex(State())

        /// Makes a catalog.
        ///
        /// - Parameters:
        ///   - client: asks for what is not kept.
        ///   - storage: where descriptions are kept.
        ///   - maximumAge: how long one is given without asking whether it has changed.
        public init(_ client: RestClient, storage: Storage = .memory, maximumAge: Duration = .seconds(600)) {
            self.client = client
            self.maximumAge = maximumAge.bounded
            if case .folder(let folder) = storage {
                files = CatalogFiles(folder: folder, version: client.runner.builder.apiVersion)
            } else {
                files = nil
            }
        }

        /// The description of an object.
        ///
        /// - Parameter type: the object's name.
        /// - Returns: the description.
        /// - Throws: ``RestError``, as the call; a folder that cannot be read or written is none.
        public func object(_ type: String) async throws(RestError) -> ObjectDescription {
            guard case .object(let description) = try await description(.object(type)) else {
                throw RestError(.decoding, "the answer is not one to a describe")
            }
            return description
        }

        /// The objects of the org, each in a few words.
        ///
        /// - Returns: the objects, in the server's order.
        /// - Throws: ``RestError``, as the call.
        public func objects() async throws(RestError) -> [ObjectDescription.Summary] {
            guard case .list(let list) = try await description(.list) else {
                throw RestError(.decoding, "the answer is not one to a list of objects")
            }
            return list
        }

        /// Asks the org again about everything, whatever its age; what has not changed is not sent again.
        public func refresh() {
            state.withLock { state in
                for key in state.entries.keys { state.entries[key]?.checked = nil }
            }
        }

        private func description(_ key: Key) async throws(RestError) -> Description {
            let now = client.clock.now
            let known = state.withLock { $0.entries[key] }
            if let known, let checked = known.checked, now - checked < maximumAge { return known.description }
            let cancelled = RestError(.cancelled, "the call was cancelled")
            return try await joined(key).value(ifCancelled: .failure(cancelled)).get()
        }

        /// The call for a description: the one under way, or a new one.
        private func joined(_ key: Key) -> AwaitedValue<Result<Description, RestError>> {
            state.withLock { state in
                if let flight = state.flights[key] { return flight }
                let flight = AwaitedValue<Result<Description, RestError>>()
                state.flights[key] = flight
                // It goes on when one of its callers gives up.
                Task(name: "describe") { [self] in
                    let outcome: Result<Description, RestError>
                    do throws(RestError) {
                        outcome = .success(try await fetched(key))
                    } catch {
                        outcome = .failure(error)
                    }
                    self.state.withLock { $0.flights[key] = nil }
                    flight.resolve(outcome)
                }
                return flight
            }
        }

        /// Asks the server, and keeps what it says.
        private func fetched(_ key: Key) async throws(RestError) -> Description {
            let known = state.withLock { $0.entries[key] } ?? files?.read(key)
            let response = try await client.send(key.request(known))
            var entry: Entry
            if response.head.status == 304, let known {
                entry = known
            } else {
                entry = Entry(
                    description: try key.description(in: response), entityTag: response.head.fields["ETag"],
                    lastModified: response.head.fields["Last-Modified"])
                files?.write(key, entry, response.body)
            }
            entry.checked = client.clock.now
            state.withLock { $0.entries[key] = entry }
            return entry.description
        }
    }
}

extension ObjectDescription.Catalog {
    /// What is described.
    enum Key: Sendable, Hashable {
        case object(String)
        case list

        /// The question, which is answered only if there is news.
        func request(_ known: Entry?) -> RestRequest {
            var request: RestRequest =
                switch self {
                case .object(let type): RestRequest.Typed.describe(type).request
                case .list: RestRequest.Typed.objects.request
                }
            guard let known else { return request }
            request.fields["If-Modified-Since"] = known.lastModified
            request.fields["If-None-Match"] = known.entityTag
            return request
        }

        func description(in response: RestResponse) throws(RestError) -> Description {
            switch self {
            case .object: .object(try ObjectDescription(response))
            case .list: .list(try [ObjectDescription.Summary](objectsIn: response))
            }
        }

        func description(in body: JSONValue) throws(RestError) -> Description {
            switch self {
            case .object: .object(try ObjectDescription(body.object ?? [:]))
            case .list: .list(try [ObjectDescription.Summary](objectsIn: body))
            }
        }
    }
}

/// The files of a catalog: one for each answer, with what tells the server which answer it was.
struct CatalogFiles: Sendable {
    let folder: String
    let version: APIVersion

    private static let format = 1
    private static let mostBytes = 64 * 1_024 * 1_024

    /// What is kept; `nil` when there is nothing, and for a file of another form, which is as good as none.
    func read(_ key: ObjectDescription.Catalog.Key) -> ObjectDescription.Catalog.Entry? {
        guard let bytes = bytes(at: path(key)), let root = try? JSONValue(parsing: bytes),
            root["format"] == JSONValue(Self.format), root["version"]?.string == version.description,
            root["name"]?.string == name(key), let body = root["body"], let description = try? key.description(in: body)
        else { return nil }
        return ObjectDescription.Catalog.Entry(
            description: description, entityTag: root["entityTag"]?.headerValue,
            lastModified: root["lastModified"]?.headerValue)
    }

    /// Keeps an answer; where that does not work, it is asked for again the next time.
    func write(_ key: ObjectDescription.Catalog.Key, _ entry: ObjectDescription.Catalog.Entry, _ body: [UInt8]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("format")
        writer.number(Self.format)
        let members = [
            ("version", version.description), ("name", name(key)), ("entityTag", entry.entityTag),
            ("lastModified", entry.lastModified),
        ]
        for case (let name, let value?) in members {
            writer.key(name)
            writer.string(value)
        }
        writer.key("body")
        writer.raw(body)
        writer.endObject()
        try? FileWriter.write(writer.bytes, to: path(key), isKept: false)
    }

    /// The content of a file, or `nil` if it cannot be read or is too long.
    private func bytes(at path: String) -> [UInt8]? {
        guard let source = try? FileSource(HTTPBody.File(path: path)), source.length <= Int64(Self.mostBytes) else {
            return nil
        }
        var bytes: [UInt8] = []
        while let piece = try? source.next() { bytes += piece }
        return Int64(bytes.count) == source.length ? bytes : nil
    }

    private func name(_ key: ObjectDescription.Catalog.Key) -> String {
        switch key {
        case .object(let type): type
        case .list: ""
        }
    }

    private func path(_ key: ObjectDescription.Catalog.Key) -> String {
        "\(folder)/\(PercentEncoding.pathSegment(name(key))).\(version).describe.json"
    }
}

extension JSONValue {
    /// A text that can stand in a header line: a file may be anybody's.
    fileprivate var headerValue: String? {
        string.flatMap { text in text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil }
    }
}
