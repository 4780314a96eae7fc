/** The type of the scenarios of the contract suite: calls of operations by several users. */
import type { GroupName } from "./optionalOperations.ts"
import type { ScenarioContext } from "./ScenarioContext.ts"

/** A scenario of the contract suite. */
export interface ContractScenario {
  /** The title of its test. */
  readonly title: string
  /** The groups of the API whose optional operations it calls. It is skipped for servers without them. */
  readonly requires?: ReadonlyArray<GroupName>
  /** Whether it sends every field of its operations, so that its requests are too long for examples. */
  readonly isExhaustive?: true
  /**
   * Runs the scenario. Rejects if a call has another result than expected. Reports other deviations to the client of the
   * context.
   */
  readonly run: (context: ScenarioContext) => Promise<void>
}
