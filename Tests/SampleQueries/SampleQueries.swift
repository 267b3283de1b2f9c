// SPDX-License-Identifier: Apache-2.0

// What the plugin makes of the queries in this folder is all of the module.
