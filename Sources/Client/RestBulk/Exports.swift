// SPDX-License-Identifier: Apache-2.0

// An app that works in bulk imports RestBulk only.
@_exported public import RestCSV
@_exported public import RestSDK
