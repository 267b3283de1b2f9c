// SPDX-License-Identifier: Apache-2.0

/// The tables that hold no records: contents of files, jobs, and what is noted about objects.
enum OwnTables {
    static let all = [contents, files, jobs, bin, numbers, usage]

    /// Contents, and their pieces.
    private static let contents = """
        CREATE TABLE IF NOT EXISTS "org.Content" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Size" INTEGER NOT NULL, "IsWhole" INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS "org.Piece" ("Number" INTEGER PRIMARY KEY, "Data" BLOB NOT NULL)
        """

    /// Which content the file of a record is.
    private static let files = """
        CREATE TABLE IF NOT EXISTS "org.File" (
            "Record" TEXT NOT NULL, "Field" TEXT NOT NULL, "Content" INTEGER NOT NULL, PRIMARY KEY ("Record", "Field")
        ) WITHOUT ROWID
        """

    /// The jobs of the bulk APIs, what has come of each record, and where pages of results begin.
    private static let jobs = """
        CREATE TABLE IF NOT EXISTS "org.BulkJob" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Kind" INTEGER, "State" TEXT, "Operation" TEXT, "Object" TEXT,
            "ExternalId" TEXT, "Query" TEXT, "AssignmentRule" TEXT, "Delimiter" TEXT, "IsCRLF" INTEGER,
            "Version" INTEGER, "User" TEXT, "Created" TEXT, "Modified" TEXT, "Upload" INTEGER, "Processed" INTEGER,
            "Failed" INTEGER, "Error" TEXT, "Header" TEXT, "Milliseconds" INTEGER
        );
        CREATE INDEX IF NOT EXISTS "org.BulkJob.work" ON "org.BulkJob" ("Number")
            WHERE "State" IN ('UploadComplete', 'InProgress');
        CREATE TABLE IF NOT EXISTS "org.BulkRow" (
            "Job" INTEGER, "Position" INTEGER, "Record" TEXT, "IsNew" INTEGER, "Error" TEXT, "Line" TEXT,
            PRIMARY KEY ("Job", "Position")
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS "org.BulkPage" (
            "Job" INTEGER, "Position" INTEGER, PRIMARY KEY ("Job", "Position")
        ) WITHOUT ROWID
        """

    /// The deleted records: what was deleted together, how far below the record that was meant, and the references to
    /// them that were cleared.
    private static let bin = """
        CREATE TABLE IF NOT EXISTS "org.Bin" (
            "Object" TEXT NOT NULL, "Number" INTEGER NOT NULL, "Deletion" INTEGER NOT NULL, "Level" INTEGER NOT NULL,
            PRIMARY KEY ("Object", "Number")
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS "org.Bin.Deletion" ON "org.Bin" ("Deletion", "Object", "Level", "Number");
        CREATE TABLE IF NOT EXISTS "org.Cleared" (
            "Deletion" INTEGER NOT NULL, "Object" TEXT NOT NULL, "Field" TEXT NOT NULL, "Number" INTEGER NOT NULL,
            "Value" TEXT NOT NULL, PRIMARY KEY ("Deletion", "Object", "Field", "Number")
        ) WITHOUT ROWID
        """

    /// The largest number of each object whose row was removed.
    private static let numbers = """
        CREATE TABLE IF NOT EXISTS "org.LastNumber" ("Object" TEXT PRIMARY KEY, "Number" INTEGER NOT NULL) WITHOUT ROWID
        """

    /// What users have looked at: a row for each user and record, the one with the largest number being the latest.
    private static let usage = """
        CREATE TABLE IF NOT EXISTS "org.Usage" ("User" TEXT, "Record" TEXT, "Viewed" TEXT, "Referenced" TEXT);
        CREATE UNIQUE INDEX IF NOT EXISTS "org.Usage.Record" ON "org.Usage" ("User", "Record");
        CREATE INDEX IF NOT EXISTS "org.Usage.User" ON "org.Usage" ("User")
        """
}
