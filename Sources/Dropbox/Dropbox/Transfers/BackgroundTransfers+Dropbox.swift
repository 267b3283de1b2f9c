// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import RestSDK
import RestTransport
public import RestURLSession
public import StoneRuntime

/// Transfers that the system goes on with while the app does not run.
///
/// A name tells them apart in the events, also in a later launch. There, make the call of that name again and ask its
/// `value(in:)` what the answer means; of a download, compare ``ContentHash/ofFile(at:)``.
extension BackgroundTransfers {
    /// Downloads the content of a call to a file, which appears when it is complete.
    ///
    /// - Parameters:
    ///   - call: the call; its token is to be good until the system has sent it.
    ///   - path: where the file appears.
    ///   - name: the caller's name of the transfer.
    /// - Throws: `RestError`, before anything is sent.
    public func download<Output, Failure>(
        _ call: DownloadCall<Output, Failure>, to path: String, name: String
    ) async throws(RestError) {
        let request = try await call.signedRequest()
        do throws(TransportError) { try download(request, to: path, name: name) } catch { throw Self.refused(error) }
    }

    /// Uploads the file of a call.
    ///
    /// - Parameters:
    ///   - call: the call; its body is a file.
    ///   - name: the caller's name of the transfer.
    /// - Throws: `RestError`, before anything is sent.
    public func upload<Output, Failure>(_ call: RouteCall<Output, Failure>, name: String) async throws(RestError) {
        let request = try await call.signedRequest()
        do throws(TransportError) { try upload(request, name: name) } catch { throw Self.refused(error) }
    }

    private static func refused(_ error: TransportError) -> RestError {
        RestError(error.code == .file ? .file : .invalidRequest, error.message, underlying: error)
    }
}
#endif
