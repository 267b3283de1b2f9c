// SPDX-License-Identifier: Apache-2.0

// An app imports Dropbox alone: the routes, and the values in its signatures, come along.
@_exported public import DropboxAPI
@_exported public import RestSDK
@_exported public import StoneRuntime
