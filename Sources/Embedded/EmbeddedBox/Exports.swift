// SPDX-License-Identifier: Apache-2.0

// The journal and the start errors of both embedded servers.
@_exported public import LocalServer
