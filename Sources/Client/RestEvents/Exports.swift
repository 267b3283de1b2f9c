// SPDX-License-Identifier: Apache-2.0

// An app that listens to events imports only this module.
@_exported public import RestModels
