// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What every `HTTPTransport` must do, as test cases for your own.
///
/// Each case plays exact bytes on a loopback server and checks the typed result and what the server saw. Run them as
/// the arguments of a parameterized test:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(to testCase: TransportConformance.Case) async throws {
///     try await testCase.run(on: MyTransport())
/// }
/// ```
public enum TransportConformance {
    /// One case; its name says what the transport must do.
    public struct Case: Sendable, CustomStringConvertible {
        /// What the transport must do.
        public let name: String
        private let body: @Sendable (any HTTPTransport) async throws -> Void

        /// Makes a case from a body that throws when the transport does not do it.
        public init(_ name: String, body: @escaping @Sendable (any HTTPTransport) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// Runs the case.
        ///
        /// - Throws: `Violation`, or the error that prevented the case from running.
        public func run(on transport: any HTTPTransport) async throws {
            try await body(transport)
        }

        /// The case's name.
        public var description: String { name }
    }

    /// What a transport did wrong.
    public struct Violation: Error, CustomStringConvertible {
        /// What was expected and what happened.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// All cases.
    public static var cases: [Case] {
        answers + refusals + behaviour + cancellation + promptness + streams + transfers + uploads + repeats + ranges
    }

    /// A deadline that no healthy case reaches.
    static var soon: ContinuousClock.Instant { .now + .seconds(60) }

    /// Throws unless the condition holds.
    static func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw Violation(message()) }
    }

    /// Requires a value, and names what was expected and what was found.
    static func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
        guard found != expected else { return }
        let texts = [expected, found].map { value in
            let text = "\(value)"
            // prose: a message for people
            return text.count > 80 ? "\(text.prefix(80))… (\(text.utf8.count) bytes)" : "'\(text)'"
        }
        throw Violation("\(what): expected \(texts[0]), got \(texts[1])")
    }

    /// Runs a call that must fail and checks how.
    ///
    /// The error must say that the server was `reached` or not; `nil` accepts both.
    static func expectFailure(
        _ codes: Set<TransportError.Code>, reached: Bool?, of body: () async throws(TransportError) -> some Any
    ) async throws {
        _ = try await failure(codes, reached: reached, of: body)
    }

    /// The failure of a call, which must be one of these.
    static func failure(
        _ codes: Set<TransportError.Code>, reached: Bool?, of body: () async throws(TransportError) -> some Any
    ) async throws -> TransportError {
        do {
            let success = try await body()
            let status = (success as? HTTPResponse).map { " with status \($0.head.status)" } ?? ""
            throw Violation("expected \(labels(codes)), got a success\(status)")
        } catch let error as TransportError {
            try require(codes.contains(error.code), "expected \(labels(codes)), got \(error)")
            let said = error.mayHaveReachedServer
            try require(said == reached ?? said, "mayHaveReachedServer is \(said) for \(error)")
            return error
        }
    }

    /// The header of a successful answer with these lines.
    static func ok(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n" }

    /// The header of a successful answer with a body of so many bytes.
    static func ok(length: Int) -> String { ok("Content-Length: \(length)") }

    private static func labels(_ codes: Set<TransportError.Code>) -> String {
        codes.map(\.rawValue).sorted().joined(separator: " or ")
    }
}
