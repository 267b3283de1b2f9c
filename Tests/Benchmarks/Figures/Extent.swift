// SPDX-License-Identifier: Apache-2.0

/// The extent of a measurement: all of it, or the short form, which only shows that each metric can be measured.
enum Extent {
    /// The argument for the short form.
    static let argument = "--short"
    static let isShort = CommandLine.arguments.contains(argument)
}

/// Returns a size or a number of rounds for the complete measurement or for the short form.
func extent<Value>(_ whole: Value, short: Value) -> Value { Extent.isShort ? short : whole }
