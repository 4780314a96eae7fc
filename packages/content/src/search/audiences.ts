/**
 * The audiences of rows of the index. Content with a condition is only found by visitors who meet it, and by members, who
 * read the content of spaces regardless of conditions. A page without conditional content has rows for everyone.
 */

import { sha256Hex } from "@lectern/kernel/sha256"
import { parseStoredCondition } from "@lectern/markdown/conditions"
import type { Section } from "@lectern/markdown/outline"
import type { Claims } from "@lectern/model/conditions"
import { evaluateCondition } from "@lectern/model/conditions"

/** The name of the audience of members, whose rows contain all content. */
export const members = "members"

/** The name of the audience of visitors, whose rows contain the content without conditions. */
export const visitors = "visitors"

/** A set of readers of a page. */
export interface Audience {
  /** Its name in the index; empty for everyone. */
  readonly name: string
  /** The conditions that its visitors meet. Absent for other audiences. */
  readonly conditions?: ReadonlyArray<string>
  /** Returns whether the rows of the audience contain a section. */
  readonly includes: (section: Section) => boolean
}

const keyOf = ({ conditions = [] }: Section): string => JSON.stringify(conditions)

/** Returns the name of the audience of visitors who meet conditions. */
const nameOf = (key: string): string => `c${sha256Hex(key).slice(0, 24)}`

/**
 * Returns the audiences of a page, each with rows of its own. The conditions of the page are also the first ones of its
 * sections.
 */
export const audiencesOf = (
  sections: ReadonlyArray<Section>,
  pageConditions: ReadonlyArray<string>
): ReadonlyArray<Audience> => {
  const conditional = new Map(
    [
      ...(pageConditions.length === 0 ? [] : [pageConditions]),
      ...sections.flatMap(({ conditions }) => (conditions === undefined ? [] : [conditions]))
    ].map((conditions) => [JSON.stringify(conditions), conditions] as const)
  )
  if (conditional.size === 0) return [{ name: "", includes: () => true }]
  const unconditional: Audience = {
    name: visitors,
    includes: ({ conditions }) => conditions === undefined
  }
  return [
    { name: members, includes: () => true },
    ...(pageConditions.length === 0 ? [unconditional] : []),
    ...[...conditional].map(
      ([key, conditions]): Audience => ({
        name: nameOf(key),
        conditions,
        includes: (section) => keyOf(section) === key
      })
    )
  ]
}

/** Whether a visitor with these claims meets all conditions. A malformed condition is false. */
export const meetsConditions = (conditions: ReadonlyArray<string>, claims: Claims): boolean =>
  conditions.every((condition) => {
    const expression = parseStoredCondition(condition)
    return expression !== undefined && evaluateCondition(expression, claims)
  })
