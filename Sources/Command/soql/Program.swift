// SPDX-License-Identifier: Apache-2.0

import SoqlCommand

/// The program `soql`.
@main
enum Program {
    static func main() async { await Soql.run() }
}
