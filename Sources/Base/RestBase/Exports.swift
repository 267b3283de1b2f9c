// SPDX-License-Identifier: Apache-2.0

// The C library has another name on every platform. Whoever imports this module has it, whatever its name.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
