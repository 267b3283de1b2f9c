// SPDX-License-Identifier: Apache-2.0

/// What the command line asks the bench for.
struct BenchArguments: Equatable {
    /// How many whole runs are made.
    private(set) var runs = 1
    /// Where the figures are written as JSON.
    private(set) var file: String?
    /// The areas to run; the usual ones when none is named.
    private(set) var areas: [String] = []

    /// Why there is nothing to do.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the arguments behind the program's name.
    ///
    /// - Parameters:
    ///   - arguments: the words of the command line.
    ///   - known: the names of all areas.
    /// - Throws: ``Refusal`` with the reason.
    init(_ arguments: some Sequence<String>, known: [String]) throws(Refusal) {
        var words = Array(arguments)[...]
        while let word = words.popFirst() {
            switch word {
            case Extent.argument: continue
            case "--runs":
                guard let runs = words.popFirst().flatMap({ Int($0) }), (1...99).contains(runs) else {
                    throw Refusal(description: "--runs needs a number from 1 to 99")
                }
                self.runs = runs
            case "--json":
                guard let file = words.popFirst() else { throw Refusal(description: "--json needs a path") }
                self.file = file
            default:
                guard known.contains(word) else {
                    throw Refusal(description: "there is no area \(word); there are \(known.joined(separator: ", "))")
                }
                areas.append(word)
            }
        }
    }
}
