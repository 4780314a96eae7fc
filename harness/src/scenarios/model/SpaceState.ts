/** What is written in a space and said of it, as the model remembers it: revisions, change requests, threads. */
import { type Content, emptyContent } from "./ContentModel.ts"

/** Something that was said: a comment, or a reply to one. */
export interface Said {
  readonly id: string
  readonly by: string
  text: string
  isEdited: boolean
  /** In the order in which they came. */
  reactions: ReadonlyArray<{ readonly emoji: string; readonly user: string }>
}

/** A comment, with what was said to it. */
export interface Thread extends Said {
  /** Who resolved it, where it is. */
  resolvedBy: string | undefined
  /** The page that it is on, as it was. */
  readonly page: { readonly id: string; readonly title: string; readonly body: string } | undefined
  readonly revision: string
  readonly replies: Array<Said>
}

export type ChangeRequestStatus = "draft" | "open" | "archived" | "merged"

/** A change request. Its content is that of its `revision`. */
export interface ChangeRequest {
  readonly id: string
  readonly number: number
  readonly by: string
  status: ChangeRequestStatus
  subject: string
  revision: string
  readonly initial: string
  /** The revision of the space that it was last updated with. */
  updatedWith: string | undefined
  /** The revision of the space that came of merging it. */
  merged: string | undefined
  readonly contributors: Set<string>
  readonly threads: Array<Thread>
}

/** All that is written in a space. */
export interface Writing {
  revision: string
  /** Every revision that was ever there, of the space and of its change requests. */
  readonly revisions: Map<string, Content>
  readonly changeRequests: Array<ChangeRequest>
  readonly threads: Array<Thread>
  /** Whether searches find it: copies are found once a job has gone through them. */
  isFound: boolean
}

/** What is written in a space that was just made, or copied. */
export const begin = (revision: string, content: Content = emptyContent): Writing => ({
  revision,
  revisions: new Map([[revision, content]]),
  changeRequests: [],
  threads: [],
  isFound: content.pages.size === 0
})

/** The content of a space, or of a change request of it. */
export const contentOf = (writing: Writing, changeRequest?: ChangeRequest): Content =>
  writing.revisions.get((changeRequest ?? writing).revision)!

/** How many of threads are open. */
export const openIn = (threads: ReadonlyArray<Thread>): number =>
  threads.filter(({ resolvedBy }) => resolvedBy === undefined).length

/** The revision that a merge of a change request compares with. */
export const baseOf = ({ updatedWith, initial }: ChangeRequest): string => updatedWith ?? initial
