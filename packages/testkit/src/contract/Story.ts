/** A story: what a team does with the server, as calls of operations. */
import type { Stage } from "./Stage.ts"

/** A story that is told on a stage. It throws where the server does not do what the story says. */
export interface Story {
  readonly title: string
  readonly tell: (stage: Stage) => Promise<void>
}
