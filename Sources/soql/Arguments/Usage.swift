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
               soql login [login options]     logs in and keeps the login
               soql logout [NAME | --all] [--no-revoke]
                                              ends the current login, another one, or all
               soql accounts [use NAME]       lists the logins, or chooses the current one

        options:
          --format FORMAT    table, csv, json or ndjson; table on a terminal, csv on a pipe
          --limit N          print no more than N records; all of them otherwise
          --all-rows         see deleted records too
          --batch-size N     records per page, 200 to 2000
          --timeout N        seconds that one request may take
          --api-version N    the version of the API, such as 66.0; by default the newest that both sides know
          --cell-width N     the most columns of a table's cell, 80 by default; 0 shows every cell whole
          --csv-guard        put a ' before texts that a spreadsheet would take for formulas
          --raw              send control characters in records to the terminal as they are
          --account NAME     the login to use, by its name or its user
          --version, --help

        login options:
          --device           with the browser of another device; by default with the one of this machine
          --jwt-key FILE     with a private key, as the user --username NAME
          --client-credentials
                             with the client's own id and secret
          --account NAME     the name to keep the login under; by default its user's
          --login-url URL    where to log in; SF_LOGIN_URL, else https://login.salesforce.com
          --issuer URL       a server of another kind, by the address that it calls itself; it says where to log in
          --client-auth WAY  how the client's secret travels: post (in the form) or basic; the server's metadata decide
          --client-id ID     the registered client; SF_CLIENT_ID
          --client-secret-file FILE
                             the client's secret; SF_CLIENT_SECRET, or asked for where it is needed
          --no-browser       print the page's address instead of opening it
          --callback-url URL where the browser comes back to, as registered for the client, such as
                             http://localhost:1717/OauthRedirect; without a port any free one is taken
          --port P           the port that the browser comes back to; any free one otherwise
          --scopes "A B"     what the login is good for; "api refresh_token" where a user agrees to it
          --timeout N        seconds that the user has; 300

        Logins are kept in files for this user alone, below XDG_DATA_HOME or ~/.local/share. They stand there in the clear,
        the client's secret among them.

        The org is the one of --account, else of SF_INSTANCE_URL and SF_ACCESS_TOKEN when both are set, else of the current
        login, else (when there is no login) an embedded one with sample data.

        exit codes: 0 success, 1 server or run-time failure, 2 usage, 3 authentication (nobody is logged in, the login was
        refused or could not be made; a login server that cannot be reached or has trouble is 1), 130 interrupt

        """
}
