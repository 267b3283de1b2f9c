// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Compares bytes fast even in a debug build, because bodies are large.
package func areEqual(_ bytes: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == others.count else { return false }
    return unsafe bytes.withUnsafeBytes { left in
        unsafe others.withUnsafeBytes { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return unsafe memcmp(left, right, bytes.count) == 0
        }
    }
}
