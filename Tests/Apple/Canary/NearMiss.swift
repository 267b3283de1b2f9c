// SPDX-License-Identifier: Apache-2.0

// expect: nearly matches optional requirement 'urlSession(_:task:didCompleteWithError:)'
import Foundation

final class Downloads: NSObject, URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithErrors error: (any Error)?) {}
}
