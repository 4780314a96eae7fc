/** The resources that the users of a simulation know, from the results of their calls. They may be removed since. */
import type { SeededRandom } from "../random/SeededRandom.ts"

/** A page, with the content that it was created in. */
export interface KnownPage {
  readonly space: string
  readonly changeRequest: string | undefined
  readonly id: string
}

/** A comment, with its target. */
export interface KnownComment {
  readonly space: string
  readonly changeRequest: string | undefined
  readonly id: string
}

/** The resources of one organization. */
export interface KnownResources {
  readonly organization: string
  readonly users: ReadonlyArray<string>
  /** The e-mail addresses of the users. */
  readonly emails: ReadonlyArray<string>
  readonly spaces: Array<string>
  readonly collections: Array<string>
  readonly pages: Array<KnownPage>
  readonly changeRequests: Array<{ readonly space: string; readonly id: string }>
  readonly comments: Array<KnownComment>
  readonly replies: Array<{ readonly comment: KnownComment; readonly id: string }>
  readonly webhooks: Array<string>
  readonly teams: Array<string>
  readonly tokens: Array<{ readonly user: string; readonly id: string }>
  readonly sites: Array<string>
  readonly shareLinks: Array<{ readonly site: string; readonly id: string }>
  readonly importRuns: Array<string>
  /** The spaces for which a Git operation was requested. */
  readonly synchronized: Array<string>
  /** The secrets of sign-in links. */
  readonly links: Array<string>
  readonly sessions: Array<{ readonly user: string; readonly id: string }>
}

/** Returns an organization without resources. */
export const makeKnownResources = (
  organization: string,
  users: ReadonlyArray<string>,
  emails: ReadonlyArray<string>
): KnownResources => ({
  organization,
  users,
  emails,
  spaces: [],
  collections: [],
  pages: [],
  changeRequests: [],
  comments: [],
  replies: [],
  webhooks: [],
  teams: [],
  tokens: [],
  sites: [],
  shareLinks: [],
  importRuns: [],
  synchronized: [],
  links: [],
  sessions: []
})

/** The resources and the user of a call that is chosen. */
export interface Choice {
  readonly random: SeededRandom
  readonly known: KnownResources
  /** The user who calls. */
  readonly user: string
}

/** Chooses an element, the last ones most often, so that calls meet. Undefined if the list is empty. */
export const pickRecent = <A>(random: SeededRandom, list: ReadonlyArray<A>): A | undefined =>
  list.length === 0
    ? undefined
    : list[list.length - 1 - Math.min(random.below(list.length), random.below(list.length))]
