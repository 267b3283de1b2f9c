// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Prints requests in place of sending them.
enum DryRun {
    /// Prints a request: the method and the address, then its body.
    ///
    /// - Throws: `RestError` for one that could not be sent either.
    static func print(_ request: RestRequest, of client: RestClient) throws {
        let built = try client.httpRequest(for: request)
        var bytes = Array("\(built.method) \(built.url.target)\n".utf8)
        if let body = built.body.inMemory, !body.isEmpty { bytes += body + [UInt8(ascii: "\n")] }
        try TextOutput.write(bytes)
    }

    /// Says that this was all.
    static func end() { StandardOutput.note("Nothing was written (--dry-run).") }
}

/// Text that is no list of records.
enum TextOutput {
    /// Writes it to standard output; a terminal gets no control characters.
    static func write(_ bytes: [UInt8], isRaw: Bool = false) throws {
        guard StandardOutput.isTerminal, !isRaw else { return try StandardOutput.write(bytes) }
        var filter = TerminalFilter(.blank)
        try StandardOutput.write(filter.filtered(bytes))
    }
}
