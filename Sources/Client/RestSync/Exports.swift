// SPDX-License-Identifier: Apache-2.0

// An app with an offline copy imports only this module.
@_exported public import RestModels
