// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import RestTransport

/// What became of a background transfer.
public enum BackgroundEvent: Sendable {
    /// It has come so far.
    case progress(name: String, TransferProgress)
    /// It has ended; a download that succeeded is in its file and has no body here.
    case finished(name: String, Result<HTTPResponse, TransportError>)
}
#endif
