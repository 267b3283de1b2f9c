// SPDX-License-Identifier: Apache-2.0

/// A function of an API as a value: its name and what goes in and comes out.
///
/// Generated code has one for every route of a spec. One can be written by hand as well, such as for a route that is
/// not public yet; ``StoneClient/call(_:_:)`` sends any of them.
public struct Route<Style: RouteStyle, Argument: Sendable, Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// Everything about the route but its types.
    public let info: RouteInfo
    /// How its argument is written.
    public let argument: StoneCoding<Argument>
    /// How its result is read.
    public let output: StoneCoding<Output>
    /// How its own failure is read; `nil` when it has none.
    public let failure: StoneCoding<Failure>?

    /// Makes a route.
    public init(
        _ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>,
        _ failure: StoneCoding<Failure>?
    ) {
        self.info = RouteInfo(info, style: Style.name)
        self.argument = argument
        self.output = output
        self.failure = failure
    }
}

extension Route where Failure == Never {
    /// Makes a route that has no failure of its own.
    public init(_ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>) {
        self.init(info, argument, output, nil)
    }
}

/// How argument, result and bodies of a route travel.
public protocol RouteStyle {
    /// The style's name in the specs' attribute `style`.
    static var name: String { get }
}

/// Argument and result are the bodies.
public enum RPC: RouteStyle {
    /// `rpc`.
    public static let name = "rpc"
}

/// The argument is a header field, the request's body is content, the result is the body of the answer.
public enum Upload: RouteStyle {
    /// `upload`.
    public static let name = "upload"
}

/// The argument is a header field, the result is one of the answer, whose body is content.
public enum Download: RouteStyle {
    /// `download`.
    public static let name = "download"
}
