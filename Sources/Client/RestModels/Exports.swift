// SPDX-License-Identifier: Apache-2.0

// An app that uses models imports only this module.
@_exported public import RestSDK

// Types for conditions on dates and times.
@_exported public import enum SOQLSyntax.SOQLDateFormula
@_exported public import struct SOQLSyntax.SOQLTime
