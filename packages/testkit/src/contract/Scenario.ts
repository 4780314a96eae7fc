/** The type of the scenarios of the contract suite: calls of operations by several users. */
import type { Stage } from "./Stage.ts"

/** A scenario of the contract suite. */
export interface ContractScenario {
  /** The title of its test. */
  readonly title: string
  /**
   * Runs the scenario. Rejects if a call has another result than expected; other deviations are reported to the stage.
   */
  readonly run: (stage: Stage) => Promise<void>
}
