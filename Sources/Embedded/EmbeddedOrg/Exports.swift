// SPDX-License-Identifier: Apache-2.0

// The journal and the errors of a start, which both embedded servers have.
@_exported public import LocalServer
