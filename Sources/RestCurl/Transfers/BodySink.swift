// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Where the loop thread puts the body of a response.
enum BodySink {
    /// Into the receiver's own buffer.
    case memory
    /// To a reader who may be slower than the network.
    case reader(Downstream)
    /// Into a file.
    case file(FileWriter)
}
