// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

extension ScriptServer {
    /// What the server's threads share.
    final class Core: Sendable {
        private struct State {
            var journal = Journal()
            var isStopping = false
            var sockets: [Int: Socket] = [:]
            var waiters: [(condition: @Sendable (Journal) -> Bool, continuation: CheckedContinuation<Journal, Never>)] =
                []

            /// Takes out the waiters whose condition holds now.
            mutating func satisfied() -> [CheckedContinuation<Journal, Never>] {
                let ready = waiters.filter { journal.isStopped || $0.condition(journal) }
                waiters.removeAll { journal.isStopped || $0.condition(journal) }
                return ready.map(\.continuation)
            }
        }

        private let scripts: [Script]
        private let state = Mutex(State())

        init(scripts: [Script]) {
            self.scripts = scripts
        }

        var journal: Journal { state.withLock { $0.journal } }

        /// Accepts connections until stopped, then waits for the last script to end.
        func serve(_ listener: Socket) {
            let group = DispatchGroup()
            while !state.withLock({ $0.isStopping }) {
                guard let socket = listener.accepted(withinMilliseconds: 20) else { continue }
                let index = admit(socket)
                let script = scripts.isEmpty ? [] : scripts[min(index, scripts.count - 1)]
                DispatchQueue(label: "script-server-\(index)").async(group: group) { [self] in
                    ScriptPlayer(core: self, index: index, socket: socket).play(script)
                    state.withLock { $0.sockets[index] = nil }
                    change(index) { $0.isOver = true }
                }
            }
            group.wait()
            update { $0.journal.isStopped = true }
        }

        /// Ends every script at its next or current wait.
        func stop() {
            let sockets = state.withLock { state in
                state.isStopping = true
                return Array(state.sockets.values)
            }
            for socket in sockets {
                socket.interrupt()
            }
        }

        /// Changes what is known of a connection and tells those who wait for it.
        func change(_ index: Int, _ body: (inout Connection) -> Void) {
            update { body(&$0.journal.connections[index]) }
        }

        func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
            await withCheckedContinuation { continuation in
                update { $0.waiters.append((condition, continuation)) }
            }
        }

        private func admit(_ socket: Socket) -> Int {
            var index = 0
            update { state in
                index = state.journal.connections.count
                state.journal.connections.append(Connection())
                state.sockets[index] = socket
            }
            return index
        }

        private func update(_ body: (inout State) -> Void) {
            let (ready, journal) = state.withLock { state in
                body(&state)
                return (state.satisfied(), state.journal)
            }
            for continuation in ready {
                continuation.resume(returning: journal)
            }
        }
    }
}
