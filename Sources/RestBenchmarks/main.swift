// SPDX-License-Identifier: Apache-2.0

if CommandLine.arguments.dropFirst().first == "json" {
    try jsonFigures()
} else {
    print("benchmarks")
}
