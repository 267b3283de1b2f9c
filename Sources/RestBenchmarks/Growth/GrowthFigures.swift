// SPDX-License-Identifier: Apache-2.0

/// What a call costs beside ever more others, and a record of ever longer results.
func growthFigures() async throws {
    if ServerProcess.isOurs { return try PageStage.serve() }
    try await callGrowthFigures()
    try await recordGrowthFigures()
}
