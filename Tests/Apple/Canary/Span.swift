// SPDX-License-Identifier: Apache-2.0

// expect: 'span' is only available in macOS 26
func first(_ bytes: [UInt8]) -> UInt8 { bytes.span[0] }
