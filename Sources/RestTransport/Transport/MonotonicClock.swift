// SPDX-License-Identifier: Apache-2.0

/// A clock that deadlines are measured on: the system's continuous clock, or one that tests move by hand.
public protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}
