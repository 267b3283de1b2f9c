// SPDX-License-Identifier: Apache-2.0

// An app with a live copy imports only this module.
@_exported public import RestEvents
@_exported public import RestSync
