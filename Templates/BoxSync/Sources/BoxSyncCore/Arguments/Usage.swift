// SPDX-License-Identifier: Apache-2.0

/// What `boxsync --help` prints.
enum Usage {
    static let text = """
        Takes folders to Dropbox and back.

        usage: boxsync login                 logs in with your browser and keeps the login
               boxsync accounts              lists the logins
               boxsync use ACCOUNT           chooses the login that is used without --account
               boxsync logout [ACCOUNT | --all]
                                             ends a login, here and at Dropbox
               boxsync up FOLDER REMOTE      sends what is not at Dropbox yet
               boxsync down REMOTE FOLDER    fetches what is not here yet
               boxsync ls [REMOTE]           lists a folder
               boxsync get REMOTE [FILE]     fetches one file
               boxsync put FILE [REMOTE]     sends one file; - is standard input
               boxsync demo                  shows all of it with a Dropbox inside this process
               boxsync box                   runs such a Dropbox for trying, and prints how to reach it

        options of up and down:
          --dry-run          say what would be done, and do nothing
          --overwrite        replace files that differ; else each of them is named and stays
          --exclude GLOB     leave out names, or paths with a /, that look so; can be given several times

        options of login:
          --key KEY          the key of your app at Dropbox; the default is BOXSYNC_KEY, else that of your last login
          --no-browser       print the page's address instead of opening it
          --callback-url URL where the browser comes back to, as registered for the app;
                             http://localhost:53682/callback by default

        options:
          --account NAME     the login to use, or the name of a new one
          --host URL         a server of your own for trying; the default is BOXSYNC_HOST
          --quiet            no progress bar and no summary
          --help

        Logins are kept below XDG_CONFIG_HOME or ~/.config, in files that only you can read. BOXSYNC_TOKEN is an access
        token from elsewhere, in place of a login. Nothing is deleted, links are not followed, and .git is left out.

        Control-C holds an upload; the same command goes on with it, also after the process was killed.

        exit codes: 0 all is done, 1 failure, 2 usage, 3 not logged in, 4 some files were left out and named,
        130 interrupt

        """
}
