// SPDX-License-Identifier: Apache-2.0

import RestCurl
public import RestTransport

/// The transport that fits the platform.
public enum PlatformTransport {
    /// The process's transport: one pool of connections for every client that has no transport of its own.
    public static let shared: any HTTPTransport = CurlTransport()
}
