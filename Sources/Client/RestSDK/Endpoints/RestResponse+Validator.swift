// SPDX-License-Identifier: Apache-2.0

extension RestResponse {
    /// One condition that a response of status 2xx must fulfil before it is decoded; any number of endpoints can share
    /// it.
    public struct Validator: Sendable {
        private let check: @Sendable (RestResponse) throws(RestError) -> Void

        /// Makes a condition of a function that throws when it is not fulfilled.
        public init(_ check: @escaping @Sendable (RestResponse) throws(RestError) -> Void) {
            self.check = check
        }

        /// Refuses the response if it does not fulfil the condition.
        public func validate(_ response: RestResponse) throws(RestError) {
            try check(response)
        }

        /// The status is one of these.
        public static func status(_ accepted: Int...) -> RestResponse.Validator {
            RestResponse.Validator { (response) throws(RestError) in
                guard !accepted.contains(response.head.status) else { return }
                throw response.refused("the server answered \(response.head.status), not \(accepted)")
            }
        }

        /// There is a body.
        public static let content = RestResponse.Validator { (response) throws(RestError) in
            guard response.body.isEmpty else { return }
            throw response.refused("the answer is empty")
        }

        /// No part of the answer failed, for collections, batches and composites that are all or nothing to the caller.
        public static let everyPart = RestResponse.Validator { (response) throws(RestError) in
            let faults = response.faults
            guard let first = faults.first else { return }
            throw RestError(
                .api, first.description, faults: faults, response: response.head, body: response.body,
                outcome: response.isWrite ? .unknown : nil)
        }
    }
}

extension RestResponse {
    fileprivate func refused(_ reason: String) -> RestError {
        RestError(.decoding, reason, response: head, body: body, outcome: isWrite ? .applied : nil)
    }
}
