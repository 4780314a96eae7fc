/** A scenario of the contract suite: what a team does with the server, as calls of operations. */
import type { FurtherFeature } from "./further.ts"
import type { Stage } from "./Stage.ts"

/** A scenario. */
export interface ContractScenario {
  /** The title of its test. */
  readonly title: string
  /** The feature whose operations beyond the specification it calls: it is skipped for servers without them. */
  readonly beyond?: FurtherFeature
  /** Whether it sends every field that there is, so that its calls are valid and no examples to follow. */
  readonly isExhaustive?: true
  /** Runs it. Throws if the server deviates from it. */
  readonly run: (stage: Stage) => Promise<void>
}
