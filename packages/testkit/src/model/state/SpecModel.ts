/** The model of OpenAPI specs. */

/** An OpenAPI spec. A version is represented by the title of its document. */
export interface Spec {
  readonly id: string
  readonly organization: string
  readonly slug: string
  /** The titles of the versions, oldest first. */
  readonly versions: Array<string>
  /** The title that background jobs have not processed yet. */
  pendingTitle: string | undefined
  isProcessed: boolean
  hasFailed: boolean
}

/** Processes pending specs as the background jobs do: adds a version if the document differs from the last one. */
export const processSpecs = (specs: Iterable<Spec>): void => {
  for (const spec of specs) {
    const { pendingTitle } = spec
    if (pendingTitle === undefined) continue
    spec.pendingTitle = undefined
    spec.isProcessed = true
    spec.hasFailed = pendingTitle === "broken"
    if (pendingTitle !== "broken" && spec.versions.at(-1) !== pendingTitle) spec.versions.push(pendingTitle)
  }
}
