// SPDX-License-Identifier: Apache-2.0

struct BenchArguments: Equatable {
    private(set) var runs = 1
    /// The path of the JSON file for the metrics.
    private(set) var file: String?
    /// The areas to run, or none for the default areas.
    private(set) var areas: [String] = []

    /// The reason why the arguments are invalid.
    struct Rejection: Error, CustomStringConvertible {
        let description: String
    }

    /// Parses the arguments after the program's name.
    ///
    /// - Parameters:
    ///   - arguments: the arguments.
    ///   - known: the names of all areas.
    /// - Throws: ``Rejection`` with the reason.
    init(_ arguments: some Sequence<String>, known: [String]) throws(Rejection) {
        var words = Array(arguments)[...]
        while let word = words.popFirst() {
            switch word {
            case Extent.argument: continue
            case "--runs":
                guard let runs = words.popFirst().flatMap({ Int($0) }), (1...99).contains(runs) else {
                    throw Rejection(description: "--runs needs a number from 1 to 99")
                }
                self.runs = runs
            case "--json":
                guard let file = words.popFirst() else { throw Rejection(description: "--json needs a path") }
                self.file = file
            default:
                guard known.contains(word) else {
                    throw Rejection(description: "there is no area \(word); there are \(known.joined(separator: ", "))")
                }
                areas.append(word)
            }
        }
    }
}
