// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// The same configuration without cookies, cache and credential store.
    func plain(_ settings: SessionConfiguration) -> URLSessionConfiguration {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
        urlCredentialStorage = nil
        httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        return self
    }

    /// The same configuration for calls whose time runs by a clock of ours: URLSession's starts anew with every piece.
    func withoutTimeouts() -> URLSessionConfiguration {
        timeoutIntervalForRequest = URLRequest.backstop
        timeoutIntervalForResource = URLRequest.backstop
        return self
    }
}
