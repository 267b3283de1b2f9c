// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
import Synchronization

/// Reads a value of a JSON document as a type of a spec.
///
/// A struct finds its fields once with ``fields(_:)``, and reads each field from its slot. A union reads its tag with
/// ``union(_:)``. Values of another kind are rejected and never converted.
public final class StoneReader {
    /// The maximum depth of nested structs, unions and lists.
    public static let maximumDepth = 200

    let frames: JSONFrames
    let document: JSONDocument
    var place: Int
    private var depth = 0
    let names = NamesCache()

    init(_ frames: JSONFrames, at place: Int) {
        self.frames = frames
        document = frames.document
        self.place = place
    }

    package static func reading<Value>(
        _ document: JSONDocument, at root: Int, _ read: (StoneReader) throws(StoneFailure) -> Value
    ) throws(JSONDecodingError) -> Value {
        do throws(StoneFailure) {
            return try JSONFrames.reading(document) { (frames) throws(StoneFailure) in
                try read(StoneReader(frames, at: root))
            }
        } catch {
            throw error.error(from: root, in: document)
        }
    }

    /// Finds the fields of the object at the reader's position.
    ///
    /// - Parameter names: the names of the fields, separated by spaces, such as `"name id size"`.
    /// - Returns: the slot of the first field. The other fields have the following slots.
    /// - Throws: ``StoneFailure`` if the value is not an object.
    public func fields(_ names: StaticString) throws(StoneFailure) -> Int {
        guard let slot = frames.open(self.names.names(names), at: place) else { throw mismatch("an object", at: place) }
        return slot
    }

    /// Reads the value at a place, and removes its frames.
    func read<T: StoneType>(at place: Int) throws(StoneFailure) -> T {
        let outer = frames.top
        try descend(to: place)
        let value = try T(from: self)
        ascend()
        frames.close(to: outer)
        return value
    }

    func read<Value>(_ coding: StoneCoding<Value>, at place: Int) throws(StoneFailure) -> Value {
        let outer = frames.top
        try descend(to: place)
        let value = try coding.read(self)
        ascend()
        frames.close(to: outer)
        return value
    }

    /// Moves to a place inside the value, and does not return after an error, which ends the reading.
    func descend(to place: Int) throws(StoneFailure) {
        guard depth < Self.maximumDepth else {
            throw StoneFailure(.dataCorrupted, at: place, "more than \(Self.maximumDepth) nested values")
        }
        depth &+= 1
        self.place = place
    }

    func ascend() { depth &-= 1 }
}

extension StoneReader {
    /// The error of a field that is absent, `null` or of another kind.
    @inline(never)
    func failure(in slot: Int, _ needed: String) -> StoneFailure {
        let place = frames.place(in: slot)
        guard place == 0 else { return mismatch(needed, at: place) }
        guard let owner = frames.owner(of: slot) else {
            return StoneFailure(.keyNotFound, at: self.place, "the type reads a field that it does not declare")
        }
        return StoneFailure(.keyNotFound, at: owner.object, member: owner.name, "missing member \"\(owner.name)\"")
    }

    /// The error of a value of another kind, or with an invalid content.
    @inline(never)
    func mismatch(_ needed: String, at place: Int) -> StoneFailure {
        let kind = document.kind(at: place)
        guard kind != .null else {
            return StoneFailure(.valueNotFound, at: place, "found null where \(needed) is needed")
        }
        let isRightKind =
            needed.hasBytes(prefix: "a \(kind.rawValue)") || needed.hasBytes(prefix: "an \(kind.rawValue)")
        return isRightKind
            ? StoneFailure(.dataCorrupted, at: place, "the \(kind.rawValue) is not \(needed)")
            : StoneFailure(.typeMismatch, at: place, "found \(kind.rawValue) where \(needed) is needed")
    }
}

/// The error of an invalid value: one word, from which the start of the reading makes an error with a path.
public struct StoneFailure: Error {
    private final class Details: Sendable {
        let reason: JSONDecodingError.Reason
        let place: Int
        let member: String?
        let message: String

        init(_ reason: JSONDecodingError.Reason, _ place: Int, _ member: String?, _ message: String) {
            (self.reason, self.place, self.member, self.message) = (reason, place, member, message)
        }
    }

    private let details: Details

    init(_ reason: JSONDecodingError.Reason, at place: Int, member: String? = nil, _ message: String) {
        details = Details(reason, place, member, message)
    }

    /// Returns the error with the path from the outermost value.
    package func error(from root: Int, in document: JSONDocument) -> JSONDecodingError {
        let path = document.path(from: root, to: details.place) + (details.member.map { [jsonKey($0)] } ?? [])
        return JSONDecodingError(reason: details.reason, codingPath: path, message: details.message)
    }
}

/// The names of fields and tags, which are split once for each literal and found by its address.
///
/// Generated code passes the names as a literal. A property with the names would add three functions to each type, and
/// their build time costs more than this lookup.
final class NamesCache {
    /// The names of all readers, by the constant addresses of their literals.
    private static let all = Mutex<[UInt: JSONNames]>([:])

    private static let places = 64
    private var addresses = [UInt](repeating: 0, count: places)
    private var names = [JSONNames?](repeating: nil, count: places)

    /// The names in a text, separated by spaces.
    @inline(__always)
    func names(_ text: StaticString) -> JSONNames {
        let address = Self.address(of: text)
        let place = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 58)
        if addresses[place] == address, let known = names[place] { return known }
        return find(text, address, place)
    }

    @inline(never)
    private func find(_ text: StaticString, _ address: UInt, _ place: Int) -> JSONNames {
        guard address != 0 else { return Self.cut(text) }
        let found = Self.all.withLock { all in
            if let known = all[address] { return known }
            let new = Self.cut(text)
            all[address] = new
            return new
        }
        (addresses[place], names[place]) = (address, found)
        return found
    }

    private static func cut(_ text: StaticString) -> JSONNames {
        JSONNames("\(text)".split(byte: " ").map(String.init))
    }

    /// The address of a literal, or zero for a literal of one character, which has no address.
    @inline(__always)
    private static func address(of text: StaticString) -> UInt {
        text.hasPointerRepresentation ? unsafe UInt(bitPattern: text.utf8Start) : 0
    }
}

/// The tag of a union, or of a struct with subtypes.
public struct StoneTag {
    /// The index of the tag among the known tags; -1 for another tag.
    public let number: Int
    let slot: Int
    let place: Int
}

extension StoneReader {
    /// Finds the tag of the union at the reader's position, which is a member `.tag` or a string.
    ///
    /// - Parameter names: the known tags, separated by spaces.
    /// - Returns: the tag.
    /// - Throws: ``StoneFailure`` if there is no tag.
    public func union(_ names: StaticString) throws(StoneFailure) -> StoneTag { try union(self.names.names(names)) }

    package func union(_ names: JSONNames) throws(StoneFailure) -> StoneTag {
        let (slot, tag, number) = frames.openTag(of: names, at: place)
        guard tag != 0 else {
            throw document.kind(at: place) == .object
                ? StoneFailure(.keyNotFound, at: place, member: ".tag", "missing member \".tag\"")
                : mismatch("an object with a tag", at: place)
        }
        guard document.kind(at: tag) == .string else { throw mismatch("a string", at: tag) }
        return StoneTag(number: number ?? -1, slot: slot, place: tag)
    }

    /// The slot of a tag's value, whose member has the name of the tag.
    public func payload(_ tag: StoneTag) -> Int {
        frames.findPayload(of: tag.slot, tagged: tag.place)
        return tag.slot
    }

    /// The struct whose fields are next to a tag.
    public func flattened<T: StoneType>(_ tag: StoneTag) throws(StoneFailure) -> T {
        try read(at: frames.object(of: tag.slot))
    }

    /// The struct whose fields are next to a tag, or `nil` if the tag has no other members.
    public func optionalFlattened<T: StoneType>(_ tag: StoneTag) throws(StoneFailure) -> T? {
        let object = frames.object(of: tag.slot)
        guard document.kind(at: object) == .object, document.count(at: object) > 1 else { return nil }
        return try read(at: object)
    }

    /// An unknown tag with its whole object.
    public func unknown(_ tag: StoneTag) -> UnknownTag {
        UnknownTag(document.characters(at: tag.place) ?? "", of: document.value(at: frames.object(of: tag.slot)))
    }

    /// The error of a closed union with an unknown tag.
    public func unknownTag(_ tag: StoneTag) -> StoneFailure {
        StoneFailure(.dataCorrupted, at: tag.place, "the tag is not one of the union's tags")
    }
}
