// SPDX-License-Identifier: Apache-2.0

// The plugin generates all other code of the module from the queries in this directory.
