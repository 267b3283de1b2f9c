// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
public import SOQLCheck
import Synchronization

extension ObjectDescription {
    /// A cache of the descriptions of an org's objects.
    ///
    /// A recent description is returned without a request. For an older description, the org is asked whether it has
    /// changed (`If-Modified-Since` and `If-None-Match`), which costs a call but almost no data. Callers that need the
    /// same object at the same time share one call.
    ///
    /// In a directory, the descriptions outlast the process and can be shared by several processes. Descriptions depend
    /// on the user, so use a directory for one user of one org only.
    public final class Catalog: Sendable {
        /// The location of cached descriptions.
        public enum Storage: Sendable, Hashable {
            /// In memory.
            case memory
            /// In memory, and in files of an existing directory that only this user can read.
            case folder(String)
        }

        struct Entry: Sendable {
            var description: Description
            /// The validators of the response for conditional requests.
            var entityTag: String?, lastModified: String?
            /// The time of the last check with the server, or `nil` if the entry was read from a file.
            var checked: ContinuousClock.Instant?
        }

        enum Description: Sendable {
            case object(ObjectDescription)
            case list([ObjectDescription.Summary])
        }

        private struct State {
            var entries: [Key: Entry] = [:]
            /// The calls in flight, each of which several callers can wait for.
            var flights: [Key: AwaitedValue<Result<Description, RestError>>] = [:]
        }

        private let client: RestClient
        private let maximumAge: Duration
        private let files: CatalogFiles?
        private let state = Mutex(State())

        /// Makes a catalog.
        ///
        /// - Parameters:
        ///   - client: the client that reads the descriptions.
        ///   - storage: the location of cached descriptions.
        ///   - maximumAge: the age up to which a description is returned without a check for changes.
        public init(_ client: RestClient, storage: Storage = .memory, maximumAge: Duration = .seconds(600)) {
            self.client = client
            self.maximumAge = maximumAge.bounded
            if case .folder(let folder) = storage {
                let version = "\(client.runner.builder.apiVersion)" + (client.isTooling ? ".tooling" : "")
                files = CatalogFiles(folder: folder, version: version)
            } else {
                files = nil
            }
        }

        /// Returns the description of an object.
        ///
        /// - Parameter type: the object's name.
        /// - Returns: the description.
        /// - Throws: ``RestError`` if the call fails. A directory that cannot be read or written is not an error.
        public func object(_ type: String) async throws(RestError) -> ObjectDescription {
            guard case .object(let description) = try await description(.object(type)) else {
                throw RestError(.decoding, "unexpected response to a describe")
            }
            return description
        }

        /// Returns the objects of the org with a summary of each.
        ///
        /// - Returns: the objects, in the server's order.
        /// - Throws: ``RestError`` if the call fails.
        public func objects() async throws(RestError) -> [ObjectDescription.Summary] {
            guard case .list(let list) = try await description(.list) else {
                throw RestError(.decoding, "unexpected response to a request for the list of objects")
            }
            return list
        }

        /// Marks all descriptions as outdated, so that the next reads check with the org for changes.
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

        /// Returns the call for a description that is in flight, or starts a new call.
        private func joined(_ key: Key) -> AwaitedValue<Result<Description, RestError>> {
            state.withLock { state in
                if let flight = state.flights[key] { return flight }
                let flight = AwaitedValue<Result<Description, RestError>>()
                state.flights[key] = flight
                // The call continues if one of its callers is cancelled.
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
    enum Key: Sendable, Hashable {
        case object(String)
        case list

        /// Returns a request that is conditional if there is a cached entry.
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

/// The files of a catalog, each with one response and its validators.
struct CatalogFiles: Sendable {
    let folder: String
    /// The API version, and whether the descriptions are of the Tooling API.
    let version: String

    private static let format = 1
    private static let mostBytes = 64 * 1_024 * 1_024

    /// Reads a cached entry, and returns `nil` if the file is missing or has another format.
    func read(_ key: ObjectDescription.Catalog.Key) -> ObjectDescription.Catalog.Entry? {
        guard let bytes = bytes(at: path(key)), let root = try? JSONValue(parsing: bytes),
            root["format"] == JSONValue(Self.format), root["version"]?.string == version,
            root["name"]?.string == name(key), let body = root["body"], let description = try? key.description(in: body)
        else { return nil }
        return ObjectDescription.Catalog.Entry(
            description: description, entityTag: root["entityTag"]?.headerValue,
            lastModified: root["lastModified"]?.headerValue)
    }

    /// Caches a response, which is requested again the next time if this fails.
    func write(_ key: ObjectDescription.Catalog.Key, _ entry: ObjectDescription.Catalog.Entry, _ body: [UInt8]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("format")
        writer.number(Self.format)
        let members = [
            ("version", version), ("name", name(key)), ("entityTag", entry.entityTag),
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

    /// Returns the content of a file, or `nil` if the file is too long or cannot be read.
    private func bytes(at path: String) -> [UInt8]? {
        guard let source = try? FileSource(HTTPBody.File(path: path)), source.length <= Int64(Self.mostBytes) else {
            return nil
        }
        var bytes: [UInt8] = []
        while let chunk = try? source.next() { bytes += chunk }
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
    /// A string that is valid in a header, because the file is untrusted.
    fileprivate var headerValue: String? {
        string.flatMap { text in text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil }
    }
}
