/** Selects the drafts to restore: the drafts of earlier editors, unless a later draft contains their text. */
import type { ContainedDraft, Draft } from "./DraftStore.ts"

/** The maximum number of drafts that a draft names. More would be of over 100 visits without one save. */
const mostContained = 100

/** Whether a draft has the text of another one: its editor restored that, and has stored the result. */
const contains = (one: Draft, other: Draft): boolean =>
  one.contains?.some(({ writer, changedAt }) => writer === other.writer && changedAt >= other.changedAt) ===
  true

/** Divides drafts into drafts to restore, in their order, and outdated ones, whose text another draft has: they are deleted after a save. */
export const divideDrafts = (
  drafts: ReadonlyArray<Draft>
): { readonly restored: ReadonlyArray<Draft>; readonly outdated: ReadonlyArray<Draft> } => {
  const outdated = drafts.filter((draft) =>
    drafts.some((other) => other.writer !== draft.writer && contains(other, draft))
  )
  return { restored: drafts.filter((draft) => !outdated.includes(draft)), outdated }
}

/** Returns the drafts that a draft contains after its editor has restored another one: that one, and the drafts that it contains. */
export const withContained = (
  contained: ReadonlyArray<ContainedDraft>,
  { writer, changedAt, contains: earlier = [] }: Draft
): ReadonlyArray<ContainedDraft> => [{ writer, changedAt }, ...earlier, ...contained].slice(0, mostContained)
