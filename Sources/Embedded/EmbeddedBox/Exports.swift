// SPDX-License-Identifier: Apache-2.0

// The journal, which both embedded servers keep.
@_exported public import LocalServer
