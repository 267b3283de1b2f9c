// SPDX-License-Identifier: Apache-2.0

import StoneCore

@main
enum StoneGen {
    static func main() {
        print("stonegen")
    }
}
