// SPDX-License-Identifier: Apache-2.0

package import RestJSON
import RestText

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
