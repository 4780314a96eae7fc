/** Copies sites with their structure: sections, groups of sections, spaces, and links. */
import {
  CreateSite,
  UpdateSite,
  UpdateSiteSection,
  UpdateSiteSectionGroup,
  UpdateSiteSpace
} from "@lectern/model"
import { Effect, Schema } from "effect"
import type { Fields, Item, RequestFailed } from "./ApiClient.ts"
import {
  ensureCopy,
  type Findings,
  type MigrationContext,
  onceComplete,
  onceDone,
  step,
  textOf
} from "./Context.ts"
import { copyRedirects } from "./copyRedirects.ts"
import { copySiteLinks, type SourceLink, sourceLinksOf } from "./copySiteLinks.ts"
import { copySiteSettings } from "./copySiteSettings.ts"
import { copyPermissions, organizationPath } from "./copySpaces.ts"
import { transferFields } from "./transferFields.ts"

/** The paths of a site in both APIs. */
export interface SitePaths {
  readonly from: string
  readonly to: string
}

/** A section of the source, with the group that it is in. */
export interface SourceSection {
  readonly section: Item
  readonly group: Item | undefined
  readonly siteSpaces: ReadonlyArray<Item>
}

/** The structure of a site: sections and links, or site-spaces at the root. */
export interface SourceStructure {
  readonly sections: ReadonlyArray<SourceSection>
  readonly siteSpaces: ReadonlyArray<Item>
  readonly links: ReadonlyArray<SourceLink>
}

const Records = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

const itemsOf = (value: unknown): ReadonlyArray<Item> => {
  const decoded = Schema.decodeUnknownOption(Records)(value ?? [])
  return decoded._tag === "Some"
    ? decoded.value.filter((item): item is Item => typeof item.id === "string")
    : []
}

/** The space of a site-space. */
export const spaceOf = ({ space }: Item): string => textOf((space as Item | undefined)?.id)

const structureOf = ({ type, structure }: Fields): SourceStructure => {
  const items = itemsOf(structure)
  if (type === "siteSpaces") return { sections: [], siteSpaces: items, links: [] }
  const sectionOf = (section: Item, group?: Item): SourceSection => ({
    section,
    group,
    siteSpaces: itemsOf(section.siteSpaces)
  })
  return {
    siteSpaces: [],
    links: sourceLinksOf(items, (group) => itemsOf(group.children)),
    sections: items.flatMap((item) =>
      item.object === "site-section-group"
        ? itemsOf(item.sections ?? item.children)
            .filter(({ object }) => object !== "site-section-group" && object !== "site-external-link")
            .map((section) => sectionOf(section, item))
        : item.object === "site-external-link"
          ? []
          : [sectionOf(item)]
    )
  }
}

const report = (findings: Findings, problems: ReadonlyArray<string>, resource?: string) => {
  for (const problem of problems) findings.changed(problem, resource)
}

class SiteCopier {
  readonly #context: MigrationContext
  readonly #paths: SitePaths
  readonly #findings: Findings

  constructor(context: MigrationContext, paths: SitePaths, findings: Findings) {
    this.#context = context
    this.#paths = paths
    this.#findings = findings
  }

  /** Finds the site-spaces of the copy with a space. */
  #listSiteSpaces(space: string) {
    return Effect.map(this.#context.target.list(`${this.#paths.to}/site-spaces`), (items) =>
      items.find((item) => spaceOf(item) === space)
    )
  }

  /** Returns the copy of a space on the site, or `undefined` if the space was not copied. */
  #copyOf(siteSpace: Item): string | undefined {
    const copy = this.#context.journal.idOf(`space/${spaceOf(siteSpace)}`)
    if (copy === undefined) {
      this.#findings.missing(
        `The space ${textOf(siteSpace.title) || spaceOf(siteSpace)} is not on the site, because it was not copied.`
      )
    }
    return copy
  }

  /** Adds a section with its first space, whose site-space is then noted too. */
  readonly section = Effect.fnUntraced(function* (
    this: SiteCopier,
    { section, siteSpaces }: SourceSection
  ): Effect.fn.Return<string | undefined, RequestFailed> {
    const { target } = this.#context
    const first = siteSpaces.find((siteSpace) => this.#copyOf(siteSpace) !== undefined)
    const space = first === undefined ? undefined : this.#copyOf(first)
    if (first === undefined || space === undefined) {
      this.#findings.missing(`The section ${textOf(section.title)} has no spaces that were copied.`)
      return undefined
    }
    const title = textOf(section.title).trim().slice(0, 64)
    const id = yield* ensureCopy(this.#context, "section", section.id, {
      findCreated: () =>
        Effect.map(this.#listSiteSpaces(space), (found) =>
          found === undefined ? undefined : textOf(found.section) || undefined
        ),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({
            method: "POST",
            path: `${this.#paths.to}/sections`,
            body: { spaceId: space, ...(title.length < 2 ? {} : { title }) },
            idempotencyKey
          }),
          (created) => textOf(created.id)
        )
    })
    for (const siteSpace of siteSpaces) yield* this.siteSpace(siteSpace, id)
    const { values, problems } = transferFields(UpdateSiteSection.fields, section, ["defaultSiteSpace"])
    report(this.#findings, problems, `section ${textOf(section.title)}`)
    const defaultSiteSpace = siteSpaces.find((one) => one.default === true)
    const copy =
      defaultSiteSpace === undefined
        ? undefined
        : this.#context.journal.idOf(`site-space/${defaultSiteSpace.id}`)
    yield* onceDone(
      this.#context,
      `section-settings/${section.id}`,
      target.send({
        method: "PATCH",
        path: `${this.#paths.to}/sections/${id}`,
        body: { ...values, ...(copy === undefined ? {} : { defaultSiteSpace: copy }) },
        isRepeatable: true
      })
    )
    return id
  }).bind(this)

  /** Adds a space, unless its section was added with it. */
  readonly siteSpace = Effect.fnUntraced(function* (
    this: SiteCopier,
    siteSpace: Item,
    section?: string
  ): Effect.fn.Return<void, RequestFailed> {
    const { target } = this.#context
    const space = this.#copyOf(siteSpace)
    if (space === undefined) return
    const id = yield* ensureCopy(this.#context, "site-space", siteSpace.id, {
      findCreated: () => Effect.map(this.#listSiteSpaces(space), (found) => found?.id),
      create: (idempotencyKey) =>
        Effect.gen({ self: this }, function* () {
          const present = yield* this.#listSiteSpaces(space)
          if (present !== undefined) return present.id
          const created = yield* target.send({
            method: "POST",
            path: `${this.#paths.to}/site-spaces`,
            body: { spaceId: space, ...(section === undefined ? {} : { sectionId: section }) },
            idempotencyKey
          })
          return textOf(created.id)
        })
    })
    const { values, problems } = transferFields(UpdateSiteSpace.fields, siteSpace)
    report(this.#findings, problems, `site-space ${textOf(siteSpace.title)}`)
    if (siteSpace.hidden === true)
      this.#findings.changed(
        "The site-space is hidden at the source, and visible in the copy.",
        `site-space ${textOf(siteSpace.title)}`
      )
    yield* onceDone(
      this.#context,
      `site-space-settings/${siteSpace.id}`,
      target.send({
        method: "PATCH",
        path: `${this.#paths.to}/site-spaces/${id}`,
        body: values,
        isRepeatable: true
      })
    )
  }).bind(this)

  /** Adds a group with its sections. */
  readonly group = Effect.fnUntraced(function* (
    this: SiteCopier,
    group: Item,
    sections: ReadonlyArray<string>
  ): Effect.fn.Return<void, RequestFailed> {
    const { target } = this.#context
    const { values, problems } = transferFields(UpdateSiteSectionGroup.fields, group)
    report(this.#findings, problems, `section group ${textOf(group.title)}`)
    const id = yield* ensureCopy(this.#context, "section-group", group.id, {
      findCreated: (isUnknown) =>
        Effect.map(
          target.list(`${this.#paths.to}/section-groups`),
          (groups) => groups.find((one) => isUnknown(one.id) && one.title === values.title)?.id
        ),
      create: (idempotencyKey) =>
        Effect.map(
          target.send({
            method: "POST",
            path: `${this.#paths.to}/section-groups`,
            body: { title: "Group", ...values },
            idempotencyKey
          }),
          (created) => textOf(created.id)
        )
    })
    // A later run adds the sections that an earlier one could not read.
    for (const sectionId of sections) {
      yield* onceDone(
        this.#context,
        `section-in-group/${sectionId}`,
        target.send({
          method: "POST",
          path: `${this.#paths.to}/section-groups/${id}/sections`,
          body: { sectionId },
          isRepeatable: true
        })
      )
    }
  }).bind(this)

  readonly structure = Effect.fnUntraced(function* (
    this: SiteCopier,
    { sections, siteSpaces }: SourceStructure
  ): Effect.fn.Return<void, RequestFailed> {
    for (const siteSpace of siteSpaces) yield* this.siteSpace(siteSpace)
    for (const [index, one] of sections.entries()) {
      yield* this.section(one)
      const next = sections[index + 1]
      // A group is added at the end of the top level, so that it is added with its last section.
      if (one.group === undefined || next?.group?.id === one.group.id) continue
      const ids = sections.flatMap(({ group, section }) => {
        const id =
          group?.id === one.group?.id ? this.#context.journal.idOf(`section/${section.id}`) : undefined
        return id === undefined ? [] : [id]
      })
      if (ids.length > 0) yield* this.group(one.group, ids)
    }
  }).bind(this)
}

const createSite = (context: MigrationContext, site: Item) => {
  const path = `${organizationPath(context.journal.migration.toOrganization)}/sites`
  const { values } = transferFields(CreateSite.fields, site, ["spaces"])
  return ensureCopy(context, "site", site.id, {
    findCreated: (isUnknown) =>
      Effect.map(
        context.target.list(path),
        (sites) => sites.find((one) => isUnknown(one.id) && one.title === values.title)?.id
      ),
    create: (idempotencyKey) =>
      Effect.map(context.target.send({ method: "POST", path, body: values, idempotencyKey }), ({ id }) =>
        textOf(id)
      )
  })
}

/** Sets the default section and site-space, the basename and the host name. */
const updateSite = Effect.fnUntraced(function* (
  context: MigrationContext,
  site: Item,
  structure: SourceStructure,
  to: string,
  findings: Findings
) {
  const { journal, target } = context
  const section = structure.sections.find((one) => one.section.default === true)
  const siteSpace = structure.siteSpaces.find((one) => one.default === true)
  const defaultSiteSection = section === undefined ? undefined : journal.idOf(`section/${section.section.id}`)
  const defaultSiteSpace = siteSpace === undefined ? undefined : journal.idOf(`site-space/${siteSpace.id}`)
  const origin = (site.proxy as { readonly origin?: unknown } | undefined)?.origin
  const { values, problems } = transferFields(
    UpdateSite.fields,
    { ...site, proxy: textOf(origin) || textOf(site.hostname) || undefined },
    ["defaultSiteSpace", "defaultSiteSection", "title"]
  )
  report(findings, problems)
  const body: Record<string, unknown> = {
    ...values,
    ...(defaultSiteSection === undefined ? {} : { defaultSiteSection }),
    ...(defaultSiteSpace === undefined ? {} : { defaultSiteSpace })
  }
  // Another site can have the path or the host name. They are set one by one then.
  yield* onceComplete(
    context,
    `site-settings/${site.id}`,
    findings,
    Effect.gen(function* () {
      const { basename, proxy, ...rest } = body
      yield* target.send({ method: "PATCH", path: to, body: rest, isRepeatable: true })
      for (const [name, value] of Object.entries({ basename, proxy })) {
        if (value === undefined) continue
        const result = yield* Effect.result(
          target.send({ method: "PATCH", path: to, body: { [name]: value }, isRepeatable: true })
        )
        if (result._tag === "Failure" && (result.failure.status === 0 || result.failure.status >= 500))
          return yield* result.failure
        if (result._tag === "Failure")
          findings.changed(`The \`${name}\` ${String(value)} was not copied: ${result.failure.message}`)
      }
    })
  )
})

const copySite = Effect.fnUntraced(function* (context: MigrationContext, site: Item) {
  const { source, target, journal } = context
  const name = `site ${textOf(site.title)}`
  const id = yield* step(context, `site/${site.id}`, name, () => createSite(context, site))
  if (id === undefined) return
  const paths: SitePaths = {
    from: `${organizationPath(journal.migration.fromOrganization)}/sites/${site.id}`,
    to: `${organizationPath(journal.migration.toOrganization)}/sites/${id}`
  }
  if (!context.skipped.has("permissions")) yield* copyPermissions(context, `site/${site.id}`, name, paths)
  // Conditions can only name claims of the schema.
  yield* copySiteSettings(context, site, paths, name, "before structure")
  const structure = yield* step(context, `site-structure/${site.id}`, name, (findings) =>
    Effect.gen(function* () {
      const read = structureOf(yield* source.get(`${paths.from}/structure`))
      yield* new SiteCopier(context, paths, findings).structure(read)
      yield* copySiteLinks(context, read.links, paths.to, findings)
      yield* updateSite(context, site, read, paths.to, findings)
      return read
    })
  )
  if (structure === undefined) return
  yield* copySiteSettings(context, site, paths, name, "after structure")
  if (site.published === true) {
    yield* step(context, `site-published/${site.id}`, name, () =>
      onceDone(
        context,
        `site-published/${site.id}`,
        target.send({ method: "POST", path: `${paths.to}/publish`, body: {}, isRepeatable: true })
      )
    )
  }
  yield* copyRedirects(context, site, structure, paths, name)
})

/** Copies sites. */
export const copySites = Effect.fnUntraced(function* (context: MigrationContext) {
  const path = `${organizationPath(context.journal.migration.fromOrganization)}/sites`
  const sites = yield* step(context, "sites", "sites", () => context.source.list(path))
  for (const site of (sites ?? []).toReversed()) {
    yield* copySite(context, site)
    yield* context.progress(`site ${textOf(site.title)}`)
  }
})
