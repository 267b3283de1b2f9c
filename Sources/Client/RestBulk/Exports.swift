// SPDX-License-Identifier: Apache-2.0

// An app that has large work imports RestBulk alone.
@_exported public import RestCSV
@_exported public import RestSDK
