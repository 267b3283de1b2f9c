// SPDX-License-Identifier: Apache-2.0

// An app imports RestSDK alone: the values in its signatures come along.
@_exported public import RestAuth
@_exported public import RestJSON
@_exported public import RestTransport

// Of the query language the descriptions of objects, and the types that an app binds by name.
@_exported public import struct SOQLCheck.ObjectDescription
@_exported public import struct SOQLSyntax.SOQLDate
@_exported public import enum SOQLSyntax.SOQLLiteral
