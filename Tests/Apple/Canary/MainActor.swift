// SPDX-License-Identifier: Apache-2.0

// expect: call to main actor-isolated instance method 'show'
import Foundation

@MainActor func start(_ screen: Screen) {
    load { data in screen.show("\(data.count) bytes") }
}
