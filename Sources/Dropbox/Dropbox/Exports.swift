// SPDX-License-Identifier: Apache-2.0

// With `import Dropbox` alone, an app can use the routes and all types in signatures.
@_exported public import DropboxAPI
@_exported public import RestSDK
@_exported public import StoneRuntime
