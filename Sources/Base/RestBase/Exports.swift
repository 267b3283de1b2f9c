// SPDX-License-Identifier: Apache-2.0

// The C library has a different name on each platform. A file that imports this module also imports the C library.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
