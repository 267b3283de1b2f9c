// SPDX-License-Identifier: Apache-2.0

public import RestSDK
import RestTransport

extension ContentHash {
    /// The hash of a file's content, read piece by piece.
    ///
    /// - Parameter path: where the file is.
    /// - Returns: the hash of all of it.
    /// - Throws: `RestError.Code.file` when it cannot be read, `.bodyChanged` when it changes meanwhile, `.cancelled`
    ///   when the task is cancelled.
    @concurrent
    public static func ofFile(at path: String) async throws(RestError) -> ContentHash {
        var hash = ContentHash()
        do throws(TransportError) {
            let file = try FileSource(HTTPBody.File(path: path))
            while let piece = try file.next() {
                guard !Task.isCancelled else { throw TransportError(.cancelled, "", mayHaveReachedServer: false) }
                hash.update(piece)
            }
        } catch {
            switch error.code {
            case .cancelled: throw RestError(.cancelled, "cancelled while \(path) was hashed")
            case .bodyChanged: throw RestError(.bodyChanged, "\(path) changed while it was hashed", underlying: error)
            default: throw RestError(.file, "\(path) cannot be read", underlying: error)
            }
        }
        return hash
    }
}
