/** The type of the scenarios of the contract suite: calls of operations by several users. */
import type { FurtherFeature } from "./further.ts"
import type { Stage } from "./Stage.ts"

/** A scenario of the contract suite. */
export interface ContractScenario {
  /** The title of its test. */
  readonly title: string
  /** The feature whose operations beyond the specification it calls: it is skipped for servers without them. */
  readonly beyond?: FurtherFeature
  /** Whether it sends every field that there is, so that its calls are valid and no examples to follow. */
  readonly isExhaustive?: true
  /**
   * Runs the scenario. Rejects if a call has another result than expected; other deviations are reported to the stage.
   */
  readonly run: (stage: Stage) => Promise<void>
}
