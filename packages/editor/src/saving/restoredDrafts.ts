/** Which drafts are restored: those of earlier editors, without those whose text a later one contains. */
import type { ContainedDraft, Draft } from "./DraftStore.ts"

/** The maximum number of drafts that a draft names. More would be of so many visits without one save. */
const mostContained = 100

/** Whether a draft has the text of another one: its editor restored that, and has stored the result. */
const contains = (one: Draft, other: Draft): boolean =>
  one.contains?.some(({ writer, changedAt }) => writer === other.writer && changedAt >= other.changedAt) ===
  true

/** Divides drafts into those to restore, in their order, and those whose text another one has, which are only deleted after a save. */
export const divideDrafts = (
  drafts: ReadonlyArray<Draft>
): { readonly restored: ReadonlyArray<Draft>; readonly outdated: ReadonlyArray<Draft> } => {
  const outdated = drafts.filter((draft) =>
    drafts.some((other) => other.writer !== draft.writer && contains(other, draft))
  )
  return { restored: drafts.filter((draft) => !outdated.includes(draft)), outdated }
}

/** Returns what a draft states after its editor has restored another one: the names of both, and of those that the other one contains. */
export const withContained = (
  contained: ReadonlyArray<ContainedDraft>,
  { writer, changedAt, contains: earlier = [] }: Draft
): ReadonlyArray<ContainedDraft> => [{ writer, changedAt }, ...earlier, ...contained].slice(0, mostContained)
