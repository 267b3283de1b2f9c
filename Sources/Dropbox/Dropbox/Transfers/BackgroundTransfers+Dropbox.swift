// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import RestSDK
import RestTransport
public import RestURLSession
public import StoneRuntime

/// Transfers that the operating system continues while the app is not running.
///
/// A name identifies each transfer in the events, even after the app is launched again. Make the call for that name
/// again, and pass the response to its `value(in:)`. For a download, compare ``ContentHash/ofFile(at:)`` too.
extension BackgroundTransfers {
    /// Downloads the content of a call to a file, which appears after it is complete.
    ///
    /// - Parameters:
    ///   - call: the call. Its token must be valid until the operating system has sent the request.
    ///   - path: the destination path.
    ///   - name: your name for the transfer.
    /// - Throws: `RestError`, before a request is sent.
    public func download<Output, Failure>(
        _ call: DownloadCall<Output, Failure>, to path: String, name: String
    ) async throws(RestError) {
        let request = try await call.signedRequest()
        do throws(TransportError) { try download(request, to: path, name: name) } catch { throw Self.refused(error) }
    }

    /// Uploads the file of a call.
    ///
    /// - Parameters:
    ///   - call: the call, whose body is a file.
    ///   - name: your name for the transfer.
    /// - Throws: `RestError`, before a request is sent.
    public func upload<Output, Failure>(_ call: RouteCall<Output, Failure>, name: String) async throws(RestError) {
        let request = try await call.signedRequest()
        do throws(TransportError) { try upload(request, name: name) } catch { throw Self.refused(error) }
    }

    private static func refused(_ error: TransportError) -> RestError {
        RestError(error.code == .file ? .file : .invalidRequest, error.message, underlying: error)
    }
}
#endif
