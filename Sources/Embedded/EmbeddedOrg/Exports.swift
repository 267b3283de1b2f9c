// SPDX-License-Identifier: Apache-2.0

// Exports the journal and the start errors, which both embedded servers share.
@_exported public import LocalServer
