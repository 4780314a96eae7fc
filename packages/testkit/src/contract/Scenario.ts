/** A scenario of the contract suite: what a team does with the server, as calls of operations. */
import type { FurtherFeature } from "./further.ts"
import type { Stage } from "./Stage.ts"

/** A scenario. `run` throws if the server deviates from it. */
export interface ContractScenario {
  readonly title: string
  /** The feature whose operations beyond the specification it calls: it is skipped for servers without them. */
  readonly beyond?: FurtherFeature
  /** Whether it sends every field that there is, so that its calls are valid and no examples to follow. */
  readonly isExhaustive?: true
  readonly run: (stage: Stage) => Promise<void>
}
