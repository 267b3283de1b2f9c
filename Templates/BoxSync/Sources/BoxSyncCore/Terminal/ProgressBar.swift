// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// Draws how far a transfer has come, if there is a terminal.
struct ProgressBar {
    let terminal: Terminal
    private let begin = ContinuousClock.now

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Does work and shows its progress meanwhile; the line is free again when this returns.
    func showing<Result: Sendable, Failure: Error>(
        _ progress: some AsyncSequence<TransferProgress, Never> & Sendable,
        while work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let drawing = Task { await follow(progress) }
        defer { terminal.clear() }
        do throws(Failure) {
            let result = try await work()
            await stop(drawing)
            return result
        } catch {
            await stop(drawing)
            throw error
        }
    }

    private func follow(_ progress: some AsyncSequence<TransferProgress, Never>) async {
        guard terminal.showsProgress else { return }
        var (start, last) = (nil as Int64?, nil as ContinuousClock.Instant?)
        for await now in progress {
            let done = now.sent + now.received
            start = start ?? done
            if let last, ContinuousClock.now - last < .milliseconds(50) { continue }
            last = ContinuousClock.now
            draw(done, of: now.sentTotal ?? now.receivedTotal, from: start ?? 0)
        }
    }

    private func stop(_ drawing: Task<Void, Never>) async {
        drawing.cancel()
        await drawing.value
    }

    private func draw(_ done: Int64, of total: Int64?, from start: Int64) {
        let line = ProgressLine(start: start, done: done, total: total, elapsed: ContinuousClock.now - begin)
        terminal.draw(line.text(columns: terminal.columns))
    }
}
