// SPDX-License-Identifier: Apache-2.0

// An app imports RestSDK alone: the values in its signatures come along.
@_exported public import RestAuth
@_exported public import RestJSON
@_exported public import RestTransport
@_exported public import SOQLSyntax
