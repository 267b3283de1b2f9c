// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
import Synchronization

/// Stands at a value of a JSON document and reads it as a type of a spec.
///
/// A struct asks once for its fields, by ``fields(_:)``, and takes each out of its slot; a union asks for its tag, by
/// ``union(_:)``. Values of another kind than the spec names are refused; nothing is converted.
public final class StoneReader {
    /// How many structs, unions and lists may lie inside one another.
    public static let maximumDepth = 200

    let frames: JSONFrames
    let document: JSONDocument
    /// The place of the value that is read next.
    var place: Int
    private var depth = 0
    let names = NamesCache()

    init(_ frames: JSONFrames, at place: Int) {
        self.frames = frames
        document = frames.document
        self.place = place
    }

    /// Calls a function with a reader of the value at a place.
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

    /// Finds the fields of the object at which the reader stands.
    ///
    /// - Parameter names: the fields, with blanks between them: `"name id size"`.
    /// - Returns: the slot of the first field; the others follow in their order.
    /// - Throws: ``StoneFailure`` when there is no object.
    public func fields(_ names: StaticString) throws(StoneFailure) -> Int {
        guard let slot = frames.open(self.names.names(names), at: place) else { throw mismatch("an object", at: place) }
        return slot
    }

    /// Reads the value at a place, and takes its frames away.
    func read<T: StoneType>(at place: Int) throws(StoneFailure) -> T {
        let outer = frames.top
        try descend(to: place)
        let value = try T(from: self)
        ascend()
        frames.close(to: outer)
        return value
    }

    /// Reads the value at a place by a coding.
    func read<Value>(_ coding: StoneCoding<Value>, at place: Int) throws(StoneFailure) -> Value {
        let outer = frames.top
        try descend(to: place)
        let value = try coding.read(self)
        ascend()
        frames.close(to: outer)
        return value
    }

    /// Goes into a value; a failure ends the whole reading, so nobody comes back from there.
    func descend(to place: Int) throws(StoneFailure) {
        guard depth < Self.maximumDepth else {
            throw StoneFailure(.dataCorrupted, at: place, "more than \(Self.maximumDepth) values inside one another")
        }
        depth &+= 1
        self.place = place
    }

    func ascend() { depth &-= 1 }
}

/// What readers throw.
extension StoneReader {
    /// The failure of a field that is absent, `null` or of another kind.
    @inline(never)
    func failure(in slot: Int, _ needed: String) -> StoneFailure {
        let place = frames.place(in: slot)
        guard place == 0 else { return mismatch(needed, at: place) }
        guard let owner = frames.owner(of: slot) else {
            return StoneFailure(.keyNotFound, at: self.place, "the type takes a field that it does not name")
        }
        return StoneFailure(.keyNotFound, at: owner.object, member: owner.name, "no member \"\(owner.name)\"")
    }

    /// The failure of a value of another kind, or of the right kind with a content that does not fit.
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

/// Why a value does not fit its type, as readers throw it: one word, which becomes an error with a path where the
/// reading began.
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

    /// The error with the path from the value where the reading began.
    package func error(from root: Int, in document: JSONDocument) -> JSONDecodingError {
        let path = document.path(from: root, to: details.place) + (details.member.map { [jsonKey($0)] } ?? [])
        return JSONDecodingError(reason: details.reason, codingPath: path, message: details.message)
    }
}

/// The names of fields and tags, cut once for each literal that lists them and found again by its address.
///
/// Generated code gives them as text where it needs them. A property that held them would be three functions more for
/// each type, which take longer to build than it takes to look here.
final class NamesCache {
    /// Those of all readers, by the addresses of their literals, which stay where they are.
    private static let all = Mutex<[UInt: JSONNames]>([:])

    private static let places = 64
    private var addresses = [UInt](repeating: 0, count: places)
    private var names = [JSONNames?](repeating: nil, count: places)

    /// The names in a text with blanks between them.
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

    /// Zero for a literal that is kept as one character, without an address.
    @inline(__always)
    private static func address(of text: StaticString) -> UInt {
        text.hasPointerRepresentation ? unsafe UInt(bitPattern: text.utf8Start) : 0
    }
}

/// The tag of a union, or of a struct with subtypes.
public struct StoneTag {
    /// The tag's number among those that are known; -1 for any other.
    public let number: Int
    let slot: Int
    /// Where the tag itself is.
    let place: Int
}

extension StoneReader {
    /// Finds the tag of the union at which the reader stands: a member `.tag`, or a string that is the tag itself.
    ///
    /// - Parameter names: the tags that are known, with blanks between them.
    /// - Returns: the tag.
    /// - Throws: ``StoneFailure`` when there is none.
    public func union(_ names: StaticString) throws(StoneFailure) -> StoneTag { try union(self.names.names(names)) }

    package func union(_ names: JSONNames) throws(StoneFailure) -> StoneTag {
        let (slot, tag, number) = frames.openTag(of: names, at: place)
        guard tag != 0 else {
            throw document.kind(at: place) == .object
                ? StoneFailure(.keyNotFound, at: place, member: ".tag", "no member \".tag\"")
                : mismatch("an object with a tag", at: place)
        }
        guard document.kind(at: tag) == .string else { throw mismatch("a string", at: tag) }
        return StoneTag(number: number ?? -1, slot: slot, place: tag)
    }

    /// The slot of the value that stands beside a tag, under the tag's own name.
    public func payload(_ tag: StoneTag) -> Int {
        frames.findPayload(of: tag.slot, tagged: tag.place)
        return tag.slot
    }

    /// The struct whose fields stand beside a tag.
    public func flattened<T: StoneType>(_ tag: StoneTag) throws(StoneFailure) -> T {
        try read(at: frames.object(of: tag.slot))
    }

    /// The struct whose fields stand beside a tag; `nil` when the tag stands alone.
    public func optionalFlattened<T: StoneType>(_ tag: StoneTag) throws(StoneFailure) -> T? {
        let object = frames.object(of: tag.slot)
        guard document.kind(at: object) == .object, document.count(at: object) > 1 else { return nil }
        return try read(at: object)
    }

    /// A tag that is not known, with all that stands beside it.
    public func unknown(_ tag: StoneTag) -> UnknownTag {
        UnknownTag(document.characters(at: tag.place) ?? "", of: document.value(at: frames.object(of: tag.slot)))
    }

    /// The failure of a union that has no room for unknown tags.
    public func unknownTag(_ tag: StoneTag) -> StoneFailure {
        StoneFailure(.dataCorrupted, at: tag.place, "the tag is none of those that the union has")
    }
}
