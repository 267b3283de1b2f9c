// SPDX-License-Identifier: Apache-2.0

// An app imports only Dropbox, so the module exports the routes and the types in its signatures.
@_exported public import DropboxAPI
@_exported public import RestSDK
@_exported public import StoneRuntime
