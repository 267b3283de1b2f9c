// SPDX-License-Identifier: Apache-2.0

// expect: missing import of defining module 'Network'
import Foundation

func count(_ configuration: URLSessionConfiguration) -> Int { configuration.proxyConfigurations.count }
