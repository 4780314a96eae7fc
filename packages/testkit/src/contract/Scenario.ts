/** A scenario of the contract suite: what a team does with the server, as calls of operations. */
import type { Stage } from "./Stage.ts"

/** A scenario. `run` throws if the server deviates from it. */
export interface ContractScenario {
  readonly title: string
  readonly run: (stage: Stage) => Promise<void>
}
