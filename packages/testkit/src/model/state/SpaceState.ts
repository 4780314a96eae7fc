/** The model of the contents of a space: revisions, change requests and comments. */
import { type Content, emptyContent } from "./ContentModel.ts"
import type { Review, Rules } from "./ReviewModel.ts"

/** A comment or a reply. */
export interface Post {
  readonly id: string
  /** The id of the author. */
  readonly by: string
  text: string
  isEdited: boolean
  /** The reactions, oldest first. */
  reactions: ReadonlyArray<{ readonly emoji: string; readonly user: string }>
}

/** A comment with its replies. */
export interface Thread extends Post {
  /** The user who resolved the thread; undefined if it is open. */
  resolvedBy: string | undefined
  /** The commented page, as it was when the comment was created; undefined for a comment on the whole. */
  readonly page: { readonly id: string; readonly title: string; readonly body: string } | undefined
  /** The revision that was commented. */
  readonly revision: string
  readonly replies: Array<Post>
}

/** The status of a change request. */
export type ChangeRequestStatus = "draft" | "open" | "archived" | "merged"

/** A change request. Its content is that of its `revision`. */
export interface ChangeRequest {
  readonly id: string
  readonly number: number
  /** The id of the creator. */
  readonly by: string
  status: ChangeRequestStatus
  subject: string
  revision: string
  /** The revision of the space from which it was created. */
  readonly initial: string
  /** The revision of the space from which it was last updated. */
  updatedWith: string | undefined
  /** The revision of the space that the merge created. */
  merged: string | undefined
  hasDescription: boolean
  mergeRules: Rules
  /** The reviews, oldest first. */
  readonly reviews: Array<Review>
  /** The users whose review is requested, with the users who requested it. */
  requested: ReadonlyArray<{ readonly user: string; readonly by: string }>
  readonly contributors: Set<string>
  readonly threads: Array<Thread>
}

/** The contents of a space. */
export interface SpaceState {
  /** The current revision of the space. */
  revision: string
  /** All revisions so far, of the space and of its change requests. */
  readonly revisions: Map<string, Content>
  readonly changeRequests: Array<ChangeRequest>
  readonly threads: Array<Thread>
  mergeRules: Rules
  /** Whether searches find the pages. The pages of a copied space are indexed by a background job. */
  isIndexed: boolean
}

/** Creates the state of a space that was just created or copied. */
export const newSpaceState = (
  revision: string,
  content: Content = emptyContent,
  mergeRules: Rules = "inherit"
): SpaceState => ({
  revision,
  revisions: new Map([[revision, content]]),
  changeRequests: [],
  threads: [],
  mergeRules,
  isIndexed: content.pages.size === 0
})

/** Returns the current content of a space, or of one of its change requests. */
export const contentOf = (state: SpaceState, changeRequest?: ChangeRequest): Content =>
  state.revisions.get((changeRequest ?? state).revision)!

/** Counts the threads that are not resolved. */
export const countOpenThreads = (threads: ReadonlyArray<Thread>): number =>
  threads.filter(({ resolvedBy }) => resolvedBy === undefined).length

/** Returns the base revision for the merge of a change request. */
export const mergeBaseOf = ({ updatedWith, initial }: ChangeRequest): string => updatedWith ?? initial
