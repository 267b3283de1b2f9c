// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soqlgen 1 (module: SampleQueries) from queries and a schema.
// Do not change it; change the queries and run soqlgen again.
