// SPDX-License-Identifier: Apache-2.0

/// What `soql --help` prints.
enum Usage {
    static let text = """
        Runs SOQL queries over REST.

        usage: soql [options] "SELECT …"      the query as one argument
               soql [options] --file FILE     the query from a file
               soql [options] < FILE          the query from standard input
               soql org start [--port P] [--data FILE] [--records N]
                                              runs the embedded org in the foreground

        options:
          --format FORMAT    table, csv, json or ndjson; table on a terminal, csv on a pipe
          --limit N          print no more than N records; all of them otherwise
          --all-rows         see deleted records too
          --batch-size N     records per page, 200 to 2000
          --timeout N        seconds that one request may take
          --version, --help

        The org is the one of SF_INSTANCE_URL and SF_ACCESS_TOKEN when both are set, else an embedded one with sample data.

        exit codes: 0 success, 1 server or run-time failure, 2 usage, 3 authentication, 130 interrupt

        """
}
