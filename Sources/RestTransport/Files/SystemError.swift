// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The number that the system or a library of it gave a failure.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whose number it is, an open set.
    public struct Domain: RawRepresentable, Sendable, Hashable {
        /// The domain's name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The system's own numbers (`errno.h`), such as 111 for a refused connection on Linux.
        public static let errno = Domain(rawValue: "errno")
        /// libcurl's results (`CURLcode`), such as 7 for a connection that could not be made.
        public static let curl = Domain(rawValue: "libcurl")
        /// URLSession's codes (`NSURLErrorDomain`), such as -1004 for a connection that could not be made.
        public static let urlSession = Domain(rawValue: "URLSession")
    }

    /// Whose number it is.
    public let domain: Domain
    /// The number.
    public let number: Int

    /// Makes a value.
    public init(_ domain: Domain, _ number: Int) {
        self.domain = domain
        self.number = number
    }

    /// The system's words for a number of its own, such as `Connection refused`; `nil` for the numbers of others.
    public var reason: String? {
        guard domain == .errno, let number = Int32(exactly: number), let words = unsafe strerror(number) else {
            return nil
        }
        return unsafe String(cString: words)
    }

    /// The domain, the number and the reason.
    public var description: String {
        "\(domain.rawValue) \(number)" + (reason.map { ": \($0)" } ?? "")
    }
}

extension SystemError {
    /// A number of the system's own; `nil` for 0, which stands for no failure.
    package init?(errno number: some BinaryInteger) {
        guard number != 0 else { return nil }
        self.init(.errno, Int(number))
    }
}
