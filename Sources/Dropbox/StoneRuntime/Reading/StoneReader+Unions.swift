// SPDX-License-Identifier: Apache-2.0

package import RestJSON

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
        UnknownTag(document.text(at: tag.place) ?? "", of: document.value(at: frames.object(of: tag.slot)))
    }

    /// The failure of a union that has no room for unknown tags.
    public func unknownTag(_ tag: StoneTag) -> StoneFailure {
        StoneFailure(.dataCorrupted, at: tag.place, "the tag is none of those that the union has")
    }
}
