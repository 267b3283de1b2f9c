// SPDX-License-Identifier: Apache-2.0

/// Whether output has colours.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

    /// Whether text has colours: as it was chosen, else as the environment says, else on a terminal that has them.
    ///
    /// `NO_COLOR` forbids them (no-color.org); `CLICOLOR_FORCE` asks for them everywhere and `CLICOLOR=0` nowhere
    /// (bixense.com/clicolors).
    ///
    /// - Parameters:
    ///   - canMove: whether the text goes to a terminal that is not dumb.
    ///   - setting: gives the variables of the environment.
    /// - Returns: whether it has.
    func isOn(canMove: Bool, setting: (String) -> String? = Settings.value) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            if setting("NO_COLOR") != nil {
                false
            } else if let force = setting("CLICOLOR_FORCE"), force != "0" {
                true
            } else {
                canMove && setting("CLICOLOR") != "0"
            }
        }
    }
}
