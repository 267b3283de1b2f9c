// SPDX-License-Identifier: Apache-2.0

// platform: ios
// expect: 'Process' is unavailable in iOS
import Foundation

func start(_ program: Process) throws { try program.run() }
