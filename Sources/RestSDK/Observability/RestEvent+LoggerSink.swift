// SPDX-License-Identifier: Apache-2.0

#if canImport(os)
public import os

extension RestEvent {
    /// Hands every event to the system's log.
    public struct LoggerSink: RestEvent.Sink {
        private let logger: Logger

        /// Makes a sink over a logger.
        public init(_ logger: Logger) {
            self.logger = logger
        }

        /// Logs the event; failures of calls as errors, everything else for debugging.
        public func record(_ event: RestEvent) {
            if case .callFailed = event.kind {
                logger.error("\(event.description, privacy: .public)")
            } else {
                logger.debug("\(event.description, privacy: .public)")
            }
        }
    }
}
#endif
