// SPDX-License-Identifier: Apache-2.0

// RestSDK exports the modules whose types are in its signatures, so that an app imports only RestSDK.
@_exported public import RestAuth
@_exported public import RestJSON
@_exported public import RestTransport

// Of the query modules, only object descriptions and the types that an app binds by name are exported.
@_exported public import struct SOQLCheck.ObjectDescription
@_exported public import struct SOQLSyntax.SOQLDate
@_exported public import enum SOQLSyntax.SOQLLiteral
