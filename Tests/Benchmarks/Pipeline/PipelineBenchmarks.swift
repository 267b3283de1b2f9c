// SPDX-License-Identifier: Apache-2.0

/// Small calls beside bare ones, and what the steps of the pipeline cost.
func pipelineFigures() async throws {
    try await pipelineSpeedFigures()
    try await pipelineStepFigures()
}
