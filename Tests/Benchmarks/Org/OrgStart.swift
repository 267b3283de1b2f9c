// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The start time of a new org with many accounts, compared with the shell.
///
/// The shell runs the same statements: the table, its rows and its indexes in one transaction.
struct OrgStart {
    private let figure: Figure

    /// Measures both, or reports that the shell is missing and returns `nil`.
    init?(folder: String, accounts: Int) throws {
        guard let shell = JSONPeer.executable("sqlite3") else {
            Figure.absent("org.start", peer: "sqlite3")
            return nil
        }
        let org = OrgFile(path: folder + "/start.db", accounts: accounts)
        sync()
        let ours = try Self.time {
            let process = try org.serve()
            return { _ = try process.stop() }
        }
        try Self.writeScript(shell, org, folder)
        org.remove()
        sync()
        let theirs = try Self.time {
            try run(shell, [org.path, ".read \(folder)/all.sql"])
            return {}
        }
        org.remove()
        figure = Figure(
            name: "org.start", value: ours / theirs, unit: "x", relation: .atMost, bound: 1.5,
            sides: FigureSides(ours: ours, peer: theirs, unit: "s"),
            note: "\(rounded(ours)) s and \(rounded(theirs)) s for \(accounts) accounts")
    }

    func print() { figure.print() }

    private static let columns = """
        rowid, Id, Name, Industry, Type, Rating, AnnualRevenue, NumberOfEmployees, BillingCity, BillingCountry, OwnerId, \
        CreatedDate, LastModifiedDate, SystemModstamp, CreatedById, LastModifiedById
        """

    /// Writes the statements that create the accounts of an org's file, without the org's collations, which the shell
    /// lacks.
    private static func writeScript(_ shell: String, _ org: OrgFile, _ folder: String) throws {
        let statements = """
            SELECT replace(sql, 'UNICODE_NOCASE', 'NOCASE') || ';' FROM sqlite_master WHERE tbl_name = 'Account' \
            AND sql IS NOT NULL AND type =
            """
        for type in ["table", "index"] {
            try run(shell, [org.path, "\(statements) '\(type)'"], output: "\(folder)/\(type).sql")
        }
        let mode = ["-cmd", ".headers on", "-cmd", ".mode insert Account"]
        try run(shell, mode + [org.path, "SELECT \(columns) FROM Account"], output: "\(folder)/rows.sql")
        let reads = ["table", "rows", "index"].map { ".read \(folder)/\($0).sql\n" }.joined()
        try "BEGIN;\n\(reads)COMMIT;\n".write(toFile: "\(folder)/all.sql", atomically: true, encoding: .utf8)
    }

    /// Returns the time of the work in seconds, without the clean-up that it returns.
    private static func time(_ work: () throws -> () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        let rest = try work()
        let time = (ContinuousClock.now - start) / .seconds(1)
        try rest()
        return time
    }
}
