/** The kinds of background jobs that update the search index. */
import { rebuildJobKind } from "@lectern/kernel"

/** The kind of the job that rebuilds the index of every space after a migration. */
export const rebuildAllJobKind: string = rebuildJobKind("searchIndex")

/** The kind of jobs that rebuild the index of a space. */
export const reindexJobKind = "search"

/** The kind of jobs that update the computed pages in the index of a space. */
export const computedJobKind = "searchComputed"

/** The kind of jobs that merge the words of edited pages of a space into its vocabulary. */
export const wordsJobKind = "searchWords"

/** The kind of jobs that update the computed pages of an organization. */
export const specsJobKind = "searchSpecs"
