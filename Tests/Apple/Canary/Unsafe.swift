// SPDX-License-Identifier: Apache-2.0

// expect: not marked with 'unsafe'
import Foundation

func forget(_ stream: OutputStream) { stream.delegate = nil }
