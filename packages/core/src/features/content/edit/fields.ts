/** The fields of pages: which of them pages of each type have, and what an operation makes of them. */
import { Effect } from "effect"
import { InvalidInput } from "../../../kernel/errors.ts"
import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import type { InsertPage } from "../../../model/content/EditContent.ts"

/** The title of a page that has none. */
export const defaultTitle = "Untitled"

/** The fields of a page that an operation gives. */
export type Given = Partial<Omit<InsertPage, "operation">>

/** The fields of a page without those that are not there: a null or a false is none. */
const compact = (page: { readonly [K in keyof PageRecord]: PageRecord[K] | undefined }): PageRecord =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as unknown as PageRecord

const flag = (given: boolean | undefined, before: true | undefined): true | undefined =>
  given === undefined ? before : given || undefined

const words = (given: string | undefined, before: string | undefined): string | undefined =>
  given === undefined ? before : given === "" ? undefined : given

/** A page with the given fields in the place of its own. */
export const withFields = (page: PageRecord, given: Given): PageRecord =>
  compact({
    ...page,
    title: given.title ?? page.title,
    emoji: words(given.emoji, page.emoji),
    icon: words(given.icon, page.icon),
    description: words(given.description, page.description),
    hidden: flag(given.hidden, page.hidden),
    noIndex: flag(given.noIndex, page.noIndex),
    noRobotsIndex: flag(given.noRobotsIndex, page.noRobotsIndex),
    layout: given.layout === undefined ? page.layout : { ...page.layout, ...given.layout },
    cover:
      given.cover === undefined
        ? page.cover
        : given.cover === null
          ? undefined
          : { ...given.cover, yPos: given.cover.yPos ?? 0 },
    target: given.target ?? page.target,
    computed: given.computed ?? page.computed,
    git: given.git ?? page.git
  })

/** What pages of some types alone can have, by field. */
const ofTypes: { readonly [field: string]: ReadonlyArray<PageRecord["type"]> } = {
  document: ["document"],
  description: ["document"],
  layout: ["document"],
  cover: ["document"],
  slug: ["document", "group"],
  noIndex: ["document", "group"],
  noRobotsIndex: ["document", "group"],
  target: ["link"],
  computed: ["computed"]
}

/** Refuses fields that a page of this type has not, all of them at once. */
export const checkFields = (
  type: PageRecord["type"],
  given: Given,
  path: string
): Effect.Effect<void, InvalidInput> => {
  const wrong = Object.entries(ofTypes).flatMap(([field, types]) =>
    given[field as keyof typeof given] === undefined || types.includes(type)
      ? []
      : [{ path: `${path}.${field}`, message: `cannot be set of a page of the type ${type}` }]
  )
  return wrong.length === 0 ? Effect.void : Effect.fail(InvalidInput.of(wrong))
}
