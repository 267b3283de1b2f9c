// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
import Synchronization

/// Stores the positions of named subscriptions in files, one for each name.
///
/// A file is replaced as a whole, so a killed process leaves the old or the new positions.
public final class FileEventPositions: EventPositionStore {
    /// The directory of the files `NAME.json` and `NAME.lock`.
    public let directory: String
    private let isDurable: Bool
    private let cache = Mutex<[String: [String: ReplayID]]>([:])

    /// The maximum size of a file in bytes.
    private static let largestFile = 4 << 20

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - directory: the directory, which is created if it is missing.
    ///   - isDurable: whether a position survives a power failure and not only the process, which takes the time of a
    ///     disk write for each event.
    public init(directory: String, isDurable: Bool = false) {
        (self.directory, self.isDurable) = (directory, isDurable)
    }

    /// Locks the name with a file.
    public func lock(_ name: String) throws(EventError) -> EventLock {
        try EventLock(file: "\(name).lock", in: directory)
    }

    /// Reads the positions of the file.
    ///
    /// - Throws: ``EventError/Code/store`` if the file exists but cannot be read.
    public func positions(of name: String) throws(EventError) -> [EventPosition] {
        let path = "\(directory)/\(name).json"
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            guard errno == ENOENT else { throw failure(path, "cannot be opened") }
            return []
        }
        defer { close(opened) }
        guard let bytes = FileBytes.read(opened, from: 0, count: Self.largestFile + 1) else {
            throw failure(path, "cannot be read")
        }
        guard bytes.count <= Self.largestFile, let object = (try? JSONValue(parsing: bytes))?.object else {
            throw EventError(.store, "\(path) has no positions; remove it to start without them")
        }
        var positions: [String: ReplayID] = [:]
        for (channel, value) in object {
            guard let id = value.string.flatMap({ ReplayID($0) }) else {
                throw EventError(.store, "\(path) has an invalid position; remove it to start without positions")
            }
            positions[channel] = id
        }
        cache.withLock { $0[name] = positions }
        return positions.map { EventPosition(channel: $0.key, replayID: $0.value) }
    }

    /// Replaces the file.
    public func save(_ position: EventPosition, of name: String) throws(EventError) {
        let path = "\(directory)/\(name).json"
        do throws(TransportError) {
            try cache.withLock { cache throws(TransportError) in
                cache[name, default: [:]][position.channel] = position.replayID
                let members = cache[name, default: [:]].sorted { $0.key < $1.key }
                let json = JSONObject(members: members.map { (key: $0.key, value: JSONValue($0.value.description)) })
                let isDurable = isDurable
                let writer = try FileWriter(path: path) { isDurable ? FileBytes.sync($0) : 0 }
                try writer.write(JSONValue(json).bytes())
                try writer.finish()
            }
        } catch {
            throw EventError(.store, "\(path): \(error.message)", underlying: error)
        }
    }

    private func failure(_ path: String, _ what: String) -> EventError {
        EventError(.store, "\(path) \(what) (\(unsafe String(cString: strerror(errno))))")
    }
}
