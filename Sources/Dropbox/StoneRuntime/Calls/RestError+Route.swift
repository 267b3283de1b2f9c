// SPDX-License-Identifier: Apache-2.0

public import RestSDK

/// What answers of routes say beside their typed failure: `CallError.route` carries the error that has it.
///
/// ```swift
/// } catch .route(.path(.notFound), let error) {
///     show(error.userMessage?.text ?? "There is no such file.")
/// }
/// ```
extension RestError {
    /// A text of the server for people, in a language that it chose.
    public struct UserMessage: Sendable, Hashable, CustomStringConvertible {
        /// The text.
        public let text: String
        /// The language, such as `en`; empty when the server did not say.
        public let locale: String

        /// The text.
        public var description: String { text }
    }

    /// The failure in a few words, for logs: the body's member `error_summary`, such as `path/not_found/..`.
    ///
    /// Do not compare it; the typed failure is for programs. `nil` when the body has none, or is longer than
    /// ``maximumBodySize``.
    public var errorSummary: String? { bodyRoot?["error_summary"]?.string }

    /// What people may be shown: the body's member `user_message`.
    ///
    /// `nil` when the body has none, as most have, or is longer than ``maximumBodySize``.
    public var userMessage: UserMessage? {
        let message = bodyRoot?["user_message"]
        guard let text = message?.string ?? message?["text"]?.string else { return nil }
        return UserMessage(text: text, locale: message?["locale"]?.string ?? "")
    }
}
