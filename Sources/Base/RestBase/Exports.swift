// SPDX-License-Identifier: Apache-2.0

// The C library has another name on every platform. Whoever imports this module has it, whatever its name.
#if canImport(Glibc)
@_exported package import Glibc
#elseif canImport(Musl)
@_exported package import Musl
#else
@_exported package import Darwin
#endif
