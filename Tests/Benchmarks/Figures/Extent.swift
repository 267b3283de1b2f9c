// SPDX-License-Identifier: Apache-2.0

/// How much is measured: all of it, or in the short form so little that each figure is seen to work and tells nothing.
enum Extent {
    /// The argument that asks for the short form.
    static let argument = "--short"
    /// Whether each figure is only to be made once.
    static let isShort = CommandLine.arguments.contains(argument)
}

/// A size or a number of rounds for the whole measurement, or the one for the short form.
func extent<Value>(_ whole: Value, short: Value) -> Value { Extent.isShort ? short : whole }
