// SPDX-License-Identifier: Apache-2.0

/// What `soql --help` prints.
enum Usage {
    static let text = """
        Runs SOQL queries over REST.

        usage: soql [options] "SELECT …"      the query as one argument
               soql [options] --file FILE     the query from a file
               soql [options] < FILE          the query from standard input
               soql org start [org options]   runs the embedded org in the foreground
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
          --api-version N    the API version, such as 66.0; by default the newest that both sides support
          --cell-width N     the widest a table's cell may be, in columns: 80 by default, 0 for no limit
          --csv-guard        put a ' before values that a spreadsheet would treat as formulas
          --raw              do not filter control characters in records on a terminal
          --account NAME     the login to use, by its name or its user
          --version, --help

        org options:
          --port P           the port; by default any free one
          --data FILE        keep the records in a file
          --records N        make so many accounts more in a new org
          --schema FILE      objects beside the standard ones, as the platform's describe has them
          --seed FILE        records for a new org: as 'sf data export tree' writes them, or a table such as
                             Account.csv; may be repeated
          --time-zone NAME   the time zone of the org
          --users FILE       users who can log in: a JSON list of objects with Username, Password and fields of User
          --certificate FILE the certificate of a key that signs the org's app's assertions; may be repeated
          --rotate           give a new refresh token at every use, and end a login whose old one is used again
          --tls FILE         speak https, and write the certificate to be trusted to this file
          --tls-name NAME    a name of the server beside 127.0.0.1 and localhost; may be repeated
          --cors ORIGIN      let pages of this origin call; may be repeated

        login options:
          --device           use a browser on another device; the default is the one on this machine
          --jwt-key FILE     use a private key, as the user --username NAME
          --client-credentials
                             use the client's own id and secret
          --account NAME     the name of the login; by default its user's name
          --login-url URL    where to log in; the default is SF_LOGIN_URL, else https://login.salesforce.com
          --issuer URL       another OAuth server, by its issuer URL; its metadata name the login page
          --client-auth WAY  how to send the client's secret: post (in the form) or basic; by default as the server asks
          --client-id ID     the registered client; the default is SF_CLIENT_ID
          --client-secret-file FILE
                             the client's secret; the default is SF_CLIENT_SECRET, else you are asked
          --no-browser       print the page's address instead of opening it
          --callback-url URL the URL that the browser returns to, as registered for the client, such as
                             http://localhost:1717/OauthRedirect; without a port, any free one is used
          --port P           the port that the browser returns to; by default any free one
          --scopes "A B"     what the login may do; "api refresh_token" if a user consents
          --timeout N        how many seconds the user has; 300 by default

        Logins are kept below XDG_DATA_HOME or ~/.local/share, in files that only you can read. The files are not
        encrypted, and they contain the client's secret.

        A query goes to the org of --account. Without it, SF_INSTANCE_URL and SF_ACCESS_TOKEN are used if both are set,
        then the current login, and if there is no login an embedded org with sample data.

        exit codes: 0 success, 1 server or run-time failure, 2 usage, 3 authentication (not logged in, or the login was
        refused; a login server that cannot be reached or fails is 1), 130 interrupt

        """
}
