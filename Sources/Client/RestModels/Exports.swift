// SPDX-License-Identifier: Apache-2.0

// Who has models imports this module alone.
@_exported public import RestSDK

// What conditions on dates and times are written with.
@_exported public import enum SOQLSyntax.SOQLDateFormula
@_exported public import struct SOQLSyntax.SOQLTime
