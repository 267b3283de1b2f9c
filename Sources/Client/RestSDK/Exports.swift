// SPDX-License-Identifier: Apache-2.0

// An app imports RestSDK alone: the values in its signatures come along.
@_exported public import RestAuth
@_exported public import RestJSON
@_exported public import RestTransport

// Of the objects that queries are about, their descriptions.
@_exported public import struct SOQLCheck.ObjectDescription
// Of the query language what an app binds by name; the rest of its grammar is nobody's business here.
@_exported public import struct SOQLSyntax.SOQLDate
@_exported public import enum SOQLSyntax.SOQLLiteral
