/** Validates the fields that a change sets on a page, and applies them. */

import type { PageRecord } from "@lectern/kernel/tables"
import { type InsertPage, isMetaUrl } from "@lectern/model/content"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"

/** The title of a new page without a title. */
export const defaultTitle = "Untitled"

/** The fields that a change sets. */
export type ChangedFields = Partial<Omit<InsertPage, "operation">>

/** Removes fields whose value is undefined. */
const withoutUndefined = (
  page: { readonly [K in keyof PageRecord]: PageRecord[K] | undefined }
): PageRecord =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as unknown as PageRecord

/** The value of a flag after a change. False is stored as an absent field. */
const changeFlag = (changed: boolean | undefined, before: true | undefined): true | undefined =>
  changed === undefined ? before : changed || undefined

/** The value of an optional text after a change. An empty string removes it. */
const changeText = (changed: string | undefined, before: string | undefined): string | undefined =>
  changed === undefined ? before : changed === "" ? undefined : changed

/** Returns a page with changed fields. Fields that the change does not set stay unchanged. */
export const withFields = (page: PageRecord, changed: ChangedFields): PageRecord =>
  withoutUndefined({
    ...page,
    title: changed.title ?? page.title,
    emoji: changeText(changed.emoji, page.emoji),
    icon: changeText(changed.icon, page.icon),
    description: changeText(changed.description, page.description),
    hidden: changeFlag(changed.hidden, page.hidden),
    condition: changed.condition === undefined ? page.condition : (changed.condition ?? undefined),
    noIndex: changeFlag(changed.noIndex, page.noIndex),
    noRobotsIndex: changeFlag(changed.noRobotsIndex, page.noRobotsIndex),
    layout: changed.layout === undefined ? page.layout : { ...page.layout, ...changed.layout },
    cover:
      changed.cover === undefined
        ? page.cover
        : changed.cover === null
          ? undefined
          : { ...changed.cover, yPos: changed.cover.yPos ?? 0 },
    metaLinks:
      changed.metaLinks === undefined
        ? page.metaLinks
        : changed.metaLinks === null || Object.keys(changed.metaLinks).length === 0
          ? undefined
          : changed.metaLinks,
    target: changed.target ?? page.target,
    computed: changed.computed ?? page.computed,
    git: changed.git ?? page.git
  })

/** The fields that only pages of some types have, with these types. */
const typesOfField: { readonly [field: string]: ReadonlyArray<PageRecord["type"]> } = {
  document: ["document"],
  description: ["document"],
  layout: ["document"],
  cover: ["document"],
  metaLinks: ["document"],
  slug: ["document", "group"],
  noIndex: ["document", "group"],
  noRobotsIndex: ["document", "group"],
  target: ["link"],
  computed: ["computed"]
}

/** Returns the problems of links for search engines, which crawlers would follow. */
const problemsOfMetaLinks = (links: ChangedFields["metaLinks"], path: string) =>
  [
    ["canonical", links?.canonical] as const,
    ...(links?.alternates ?? []).map((target, index) => [`alternates.${index}`, target] as const)
  ].flatMap(([at, target]) =>
    target?.kind !== "url" || isMetaUrl(target.url)
      ? []
      : [
          {
            path: `${path}.metaLinks.${at}.url`,
            message: "must be an absolute http or https URL without user information before the host"
          }
        ]
  )

/** Fails with `InvalidInput` for all fields that a page of this type cannot have, and for links for search engines to other URLs. */
export const checkFields = (
  type: PageRecord["type"],
  changed: ChangedFields,
  path: string
): Effect.Effect<void, InvalidInput> => {
  const invalid = Object.entries(typesOfField).flatMap(([field, types]) =>
    changed[field as keyof typeof changed] === undefined || types.includes(type)
      ? []
      : [{ path: `${path}.${field}`, message: `cannot be set on a page of the type ${type}` }]
  )
  const all = [...invalid, ...problemsOfMetaLinks(changed.metaLinks, path)]
  return all.length === 0 ? Effect.void : Effect.fail(InvalidInput.of(all))
}
