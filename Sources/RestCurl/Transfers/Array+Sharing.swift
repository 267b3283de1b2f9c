// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Whether nobody else holds the array's memory, so that it can be filled again.
    ///
    /// An array is one reference to its storage object here; where that is not so (bridged arrays of Objective-C
    /// platforms) every array counts as shared, and nothing is ever filled again.
    mutating func isUnshared() -> Bool {
        #if canImport(ObjectiveC)
        return false
        #else
        guard capacity > 0, MemoryLayout<[UInt8]>.size == MemoryLayout<AnyObject>.size else { return false }
        return unsafe withUnsafeMutablePointer(to: &self) { pointer in
            unsafe pointer.withMemoryRebound(to: AnyObject.self, capacity: 1) {
                unsafe isKnownUniquelyReferenced(&$0.pointee)
            }
        }
        #endif
    }
}
