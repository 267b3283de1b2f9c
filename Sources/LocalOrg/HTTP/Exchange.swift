// SPDX-License-Identifier: Apache-2.0

/// One request on its way through the server.
///
/// Touched only by the thread that serves its connection.
final class Exchange {
    let target: String
    let link: ConnectionLink
    /// Whether the header was looked at.
    var hasBegun = false
    /// The request, until it is answered.
    var request: ServerRequest?
    /// Where the answer comes to that is made at the side or held back.
    var slot: ReplySlot?
    /// The longest body that is taken.
    var mostBody = 0
    /// The bytes of the budget that the body holds.
    var heldBytes = 0

    init(target: String, link: ConnectionLink) {
        self.target = target
        self.link = link
    }
}
