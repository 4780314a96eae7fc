/** OpenAPI specs in the model. */

/** A spec: the titles of its versions, oldest first, and the title that is still to be processed. */
export interface Spec {
  readonly id: string
  readonly organization: string
  readonly slug: string
  readonly versions: Array<string>
  waiting: string | undefined
  isRead: boolean
  hasFailed: boolean
}

/** Processes waiting specs as the background jobs do: adds a version if the text differs from the last one. */
export const readSpecs = (specs: Iterable<Spec>): void => {
  for (const spec of specs) {
    const { waiting } = spec
    if (waiting === undefined) continue
    spec.waiting = undefined
    spec.isRead = true
    spec.hasFailed = waiting === "broken"
    if (waiting !== "broken" && spec.versions.at(-1) !== waiting) spec.versions.push(waiting)
  }
}
