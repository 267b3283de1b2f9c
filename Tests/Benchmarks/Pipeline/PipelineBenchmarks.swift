// SPDX-License-Identifier: Apache-2.0

/// Measures small calls compared with bare ones, and the cost of the pipeline's steps.
func pipelineFigures() async throws {
    try await pipelineSpeedFigures()
    try await pipelineStepFigures()
}
