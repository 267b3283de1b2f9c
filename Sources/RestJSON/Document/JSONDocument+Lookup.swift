// SPDX-License-Identifier: Apache-2.0

/// Finding members by name.
extension JSONDocument {
    /// The tape index of the value of the last member with a name, or nil.
    func value(named name: String, inObjectAt object: Int) -> Int? {
        var name = name
        return name.withUTF8 { unsafe value(named: $0, inObjectAt: object) }
    }

    /// The same with the name in UTF-8.
    ///
    /// The buffer is only read, and not kept.
    private func value(named name: UnsafeBufferPointer<UInt8>, inObjectAt object: Int) -> Int? {
        let end = tape[object].position
        var found: Int?
        var member = object + 1
        while member < end {
            if unsafe isName(at: member, name) { found = member + 1 }
            member = index(after: member + 1)
        }
        return found
    }

    /// Whether the name at an index has the given bytes once its escapes are resolved.
    @inline(__always)
    func isName(at index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = tape[index]
        guard entry.kind == .string else { return unsafe isEscapedName(entry, name) }
        guard entry.length == name.count else { return false }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer[entry.position..<entry.position &+ entry.length].elementsEqual(name)
        }
    }

    @inline(never)
    private func isEscapedName(_ entry: TapeEntry, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // An escape is never shorter than the bytes it stands for.
        guard entry.length > name.count else { return false }
        return unsafe JSONText.unescape(slice(of: entry)).elementsEqual(name)
    }
}
