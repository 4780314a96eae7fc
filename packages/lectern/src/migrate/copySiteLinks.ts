/** Copies the links to other websites in the structure of a site. */
import { UpdateSiteExternalLink } from "@lectern/model"
import { Effect, Schema } from "effect"
import type { Item, RequestFailed } from "./ApiClient.ts"
import { ensureCopy, type Findings, type MigrationContext, onceDone, textOf } from "./Context.ts"
import { transferFields } from "./transferFields.ts"

/** A link of the source, with the group that it is in and the sibling that follows it. */
export interface SourceLink {
  readonly link: Item
  readonly group: Item | undefined
  readonly next: Item | undefined
}

const isLink = ({ object }: Item): boolean => object === "site-external-link"

/** Returns the links of the top level of a structure, and of its groups. */
export const sourceLinksOf = (
  items: ReadonlyArray<Item>,
  childrenOf: (group: Item) => ReadonlyArray<Item>
): ReadonlyArray<SourceLink> => {
  const linksIn = (siblings: ReadonlyArray<Item>, group?: Item) =>
    siblings.flatMap((link, index) => (isLink(link) ? [{ link, group, next: siblings[index + 1] }] : []))
  return [
    ...linksIn(items),
    ...items
      .filter(({ object }) => object === "site-section-group")
      .flatMap((group) => linksIn(childrenOf(group), group))
  ]
}

/** The kinds of copies that can follow a link. */
const kinds: Readonly<Record<string, string>> = {
  "site-section": "section",
  "site-section-group": "section-group",
  "site-external-link": "external-link"
}

const Structure = Schema.Struct({
  structure: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      title: Schema.String,
      children: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, title: Schema.String })))
    })
  )
})

/** Copies links, each before the copy of the sibling that follows it. */
export const copySiteLinks = Effect.fnUntraced(function* (
  context: MigrationContext,
  links: ReadonlyArray<SourceLink>,
  to: string,
  findings: Findings
): Effect.fn.Return<void, RequestFailed> {
  const { target, journal } = context
  const findCopy = (title: unknown) => (isUnknown: (id: string) => boolean) =>
    Effect.map(target.get(`${to}/structure`), (read) => {
      const decoded = Schema.decodeUnknownOption(Structure)(read)
      const items = decoded._tag === "Some" ? decoded.value.structure : []
      return items
        .flatMap((item) => [item, ...(item.children ?? [])])
        .find((item) => isUnknown(item.id) && item.title === title)?.id
    })
  // The last one first, so that the sibling that follows a link has been copied.
  for (const { link, group, next } of links.toReversed()) {
    const { values, problems } = transferFields(UpdateSiteExternalLink.fields, link)
    for (const problem of problems) findings.changed(problem, `link ${textOf(link.title)}`)
    const parent = group === undefined ? undefined : journal.idOf(`section-group/${group.id}`)
    const id = yield* ensureCopy(context, "external-link", link.id, {
      findCreated: findCopy(values.title),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({
            method: "POST",
            path: `${to}/external-links`,
            body: { ...values, ...(parent === undefined ? {} : { parent }) },
            idempotencyKey
          }),
          (created) => textOf(created.id)
        )
    })
    const before =
      next === undefined ? undefined : journal.idOf(`${kinds[textOf(next.object)] ?? ""}/${next.id}`)
    if (next === undefined || before === undefined) continue
    yield* onceDone(
      context,
      `external-link-order/${link.id}`,
      target.send({
        method: "PATCH",
        path: `${to}/structure/sort`,
        body: {
          item: { type: "site-external-link", id },
          position: { before: { type: textOf(next.object), id: before } }
        },
        isRepeatable: true
      })
    )
  }
})
