// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import Synchronization

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
