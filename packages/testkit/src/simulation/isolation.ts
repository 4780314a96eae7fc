/** Checks that users and webhooks receive no ids of another organization. */

/** The ids of the resources of organizations. */
export interface OwnedIds {
  /** Records that an organization has generated ids. */
  readonly add: (organization: string, ids: ReadonlyArray<string>) => void
  /** Returns an id of another organization in the text, or undefined. */
  readonly findForeign: (organization: string, text: string) => string | undefined
}

const anyId = /[0-9a-hjkmnp-tv-z]{30}/g

/** Creates a record without ids. */
export const makeOwnedIds = (): OwnedIds => {
  const owners = new Map<string, string>()
  return {
    add: (organization, ids) => {
      for (const id of ids) owners.set(id, organization)
    },
    findForeign: (organization, text) => {
      for (const [id] of text.matchAll(anyId)) {
        const owner = owners.get(id)
        if (owner !== undefined && owner !== organization) return id
      }
      return undefined
    }
  }
}
