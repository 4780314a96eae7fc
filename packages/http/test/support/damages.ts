/** Damage for each check of the doctor, done to a furnished workspace behind the back of the product. */
import {
  type BlobHash,
  Blobs,
  changeRequests,
  comments,
  grants,
  jobs,
  members,
  Records,
  revisions,
  searchPages,
  spaces,
  type Table,
  tables,
  teamMembers,
  teams,
  users,
  type Where
} from "@lectern/core"
import { Effect, Layer } from "effect"
import { ContentStore } from "../../../core/src/content/ContentStore.ts"
import { emptyRoot } from "../../../core/src/content/MerkleMap.ts"
import type { Json } from "../../../core/src/content/MerkleNode.ts"
import { keys, type PageRecord } from "../../../core/src/content/records.ts"
import * as Tree from "../../../core/src/content/Tree.ts"
import { hashOf } from "../../../core/src/storage/Blobs.ts"
import type { Furnished } from "./furnished.ts"

type AnyRow = Record<string, unknown>

/** What is done, and which other checks have to notice it too. */
export interface Damage {
  readonly check: string
  readonly also?: ReadonlyArray<string>
  readonly done: (furnished: Furnished) => Effect.Effect<unknown, unknown, Records>
}

const tableOf = (name: string): Table.AnyTable => tables.find((table) => table.name === name)!

/** The rows of a table in which columns have these values. */
const find = (name: string, values: AnyRow = {}) =>
  Effect.flatMap(Records, (records) =>
    Effect.map(records.find(tableOf(name), {}), (rows) =>
      (rows as ReadonlyArray<AnyRow>).filter((row) =>
        Object.entries(values).every(([column, value]) => row[column] === value)
      )
    )
  )

const whereKey = (table: Table.AnyTable, row: AnyRow): Where.AnyWhere => ({
  op: "and",
  conditions: table.key.map((column) => ({ op: "eq", column, value: row[column] as string }))
})

/** Changes the first row with these values. There has to be one, or the damage would be none. */
const set = (name: string, values: AnyRow, changes: AnyRow | ((row: AnyRow) => AnyRow)) =>
  Effect.gen(function* () {
    const records = yield* Records
    const [row] = yield* find(name, values)
    if (row === undefined) return yield* Effect.die(new Error(`There is no such row of ${name}.`))
    const change = typeof changes === "function" ? changes(row) : changes
    yield* records.update(tableOf(name), whereKey(tableOf(name), row), change)
  })

const drop = (name: string, values: AnyRow) =>
  Effect.gen(function* () {
    const records = yield* Records
    const [row] = yield* find(name, values)
    if (row === undefined) return yield* Effect.die(new Error(`There is no such row of ${name}.`))
    yield* records.remove(tableOf(name), whereKey(tableOf(name), row))
  })

/** Adds a row like the first with these values. */
const addLike = (name: string, values: AnyRow, changes: AnyRow) =>
  Effect.gen(function* () {
    const [row] = yield* find(name, values)
    const records = yield* Records
    yield* records.insert(tableOf(name), { ...row, ...changes } as never)
  })

/** The head of a space is a revision with this root. */
const withRoot = Effect.fnUntraced(function* (space: string, root: BlobHash) {
  const [row] = yield* find("spaces", { id: space })
  yield* addLike(
    "revisions",
    { id: row!.revision },
    { id: "zzz", root, parents: [row!.revision], mergedFrom: null }
  )
  yield* set("spaces", { id: space }, { revision: "zzz" })
})

/** The content of the head of a space has other entries. */
const withEntries = (
  space: string,
  edit: (tree: Tree.Tree) => Effect.Effect<ReadonlyArray<readonly [string, Json | undefined]>, unknown>
) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* find("spaces", { id: space })
    const [head] = yield* find("revisions", { id: row!.revision })
    const root = head!.root as BlobHash
    yield* withRoot(space, yield* maps.write(root, yield* edit(Tree.read(maps, root))))
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))

/** The first page of a content, and a copy of it under another id. */
const twin = (tree: Tree.Tree, changes: Partial<PageRecord>) =>
  Effect.gen(function* () {
    const [first] = (yield* tree.pages).filter(({ page }) => page.type === "document" && page.parent === "")
    return { ...first!.page, ...changes }
  })

const entriesOf = (id: string, page: PageRecord): ReadonlyArray<readonly [string, Json | undefined]> => [
  [keys.page(id), page as never],
  [keys.place(page.parent, page.position, id), null],
  [keys.slug(page.parent, page.slug), id]
]

/** The hash of a text of the head of a space. */
const textOf = (space: string) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* find("spaces", { id: space })
    const [head] = yield* find("revisions", { id: row!.revision })
    const pages = yield* Tree.read(maps, head!.root as BlobHash).pages
    return pages.find(({ page }) => page.body !== undefined)!.page.body!
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))

const nothing = "nothing"

export const damages: ReadonlyArray<Damage> = [
  {
    check: "organization-administrators",
    done: ({ organization, ada }) => set(members.name, { organization, user: ada }, { role: "read" })
  },
  { check: "organization-email-domains", done: () => drop("emailDomains", { domain: "example.org" }) },
  {
    check: "organization-default-content",
    done: ({ organization }) =>
      set("organizations", { id: organization }, { defaultContent: { type: "site", site: nothing } })
  },
  { check: "user-email", done: ({ bob }) => set(users.name, { id: bob }, { email: "Bob@example.com" }) },
  { check: "member-search-text", done: ({ bob }) => set(members.name, { user: bob }, { folded: "x" }) },
  {
    check: "member-sso",
    done: ({ bob, organization }) => set(members.name, { user: bob, organization }, { ssoMissing: true })
  },
  {
    check: "member-sso",
    done: ({ organization, ada, bob }) =>
      // Ada comes by single sign-on, as the organization asks; Bob does not, and comes in all the same.
      Effect.andThen(
        set("organizations", { id: organization }, { sso: true }),
        Effect.andThen(
          set(members.name, { organization, user: ada }, { sso: true }),
          set(members.name, { organization, user: bob }, { sso: false })
        )
      )
  },
  { check: "team-search-text", done: ({ team }) => set(teams.name, { id: team }, { folded: "x" }) },
  {
    check: "team-member-organization",
    done: ({ team, elsewhere }) => set(teamMembers.name, { team }, { organization: elsewhere })
  },
  {
    check: "team-member",
    done: ({ team }) =>
      Effect.andThen(
        addLike(users.name, {}, { id: "carl", email: "carl@example.com" }),
        addLike(teamMembers.name, { team }, { user: "carl" })
      )
  },
  { check: "invite-author", done: () => set("invites", {}, { createdBy: nothing }) },
  { check: "saml-default-team", done: () => set("samlProviders", {}, { defaultTeam: nothing }) },
  { check: "saml-active", done: () => set("samlProviders", {}, { isActive: true }) },

  {
    check: "collection-cycle",
    done: ({ shelf, box }) => set("collections", { id: shelf }, { parent: box, position: "zz" })
  },
  {
    check: "collection-depth",
    done: ({ box, shelf }) =>
      Effect.gen(function* () {
        let [parent, path] = [box, `/${shelf}/${box}/`]
        for (let depth = 3; depth <= 9; depth++) {
          yield* addLike("collections", { id: box }, { id: `deep${depth}`, position: "zz", parent, path })
          parent = `deep${depth}`
          path += `${parent}/`
        }
      })
  },
  {
    check: "parent-organization",
    done: ({ box, elsewhere }) =>
      addLike("collections", { id: box }, { id: "x", organization: elsewhere, position: "zz" })
  },
  {
    check: "parent-organization",
    done: ({ other, elsewhere, flat }) =>
      Effect.andThen(
        Effect.andThen(drop("siteSpaces", { site: flat }), drop("siteSpaces", { space: other })),
        set(spaces.name, { id: other }, { organization: elsewhere })
      ),
    also: ["site-defaults", "space-published"]
  },
  { check: "placement", done: ({ shelf }) => set("collections", { id: shelf }, { path: "/x/" }) },
  { check: "placement", done: ({ box }) => set("collections", { id: box }, { level: "admin" }) },
  { check: "placement", done: ({ other }) => set(spaces.name, { id: other }, { path: "/" }) },
  {
    check: "order",
    done: ({ space, other }) =>
      Effect.flatMap(find(spaces.name, { id: space }), ([row]) =>
        set(spaces.name, { id: other }, { position: row!.position })
      )
  },
  {
    check: "order",
    done: ({ shelf, organization }) =>
      Effect.flatMap(find(spaces.name, { organization, parent: null }), ([row]) =>
        set("collections", { id: shelf }, { position: row!.position })
      )
  },

  {
    check: "space-revision",
    done: ({ space, other }) =>
      Effect.flatMap(find(spaces.name, { id: space }), ([row]) =>
        set(spaces.name, { id: other }, { revision: row!.revision })
      )
  },
  { check: "space-revision", done: ({ other }) => set(spaces.name, { id: other }, { revision: nothing }) },
  { check: "space-comments", done: ({ space }) => set(spaces.name, { id: space }, { comments: 7 }) },
  {
    check: "space-change-requests",
    done: ({ space }) => set(spaces.name, { id: space }, { changeRequestsOpen: 7 })
  },
  {
    check: "space-change-requests",
    done: ({ space }) => set(spaces.name, { id: space }, { changeRequestsDraft: 0 })
  },
  {
    check: "change-request-counter",
    done: ({ space }) => set(spaces.name, { id: space }, { changeRequests: 3 })
  },
  {
    check: "change-request-gaps",
    done: ({ space }) => set(spaces.name, { id: space }, { changeRequests: 9 })
  },
  { check: "space-published", done: ({ space }) => set(spaces.name, { id: space }, { published: null }) },
  {
    check: "space-published",
    done: ({ copy }) =>
      set(spaces.name, { id: copy }, { published: { visibility: "public", url: "/sites/x/" } })
  },

  {
    check: "change-request-revisions",
    done: ({ other }) =>
      Effect.flatMap(find(spaces.name, { id: other }), ([row]) =>
        set(changeRequests.name, { number: 4 }, { revisionInitial: row!.revision })
      )
  },
  {
    check: "change-request-revisions",
    done: () => set(changeRequests.name, { number: 4 }, { revision: nothing })
  },
  {
    check: "change-request-merged",
    done: () => set(changeRequests.name, { number: 1 }, { status: "archived" })
  },
  {
    check: "change-request-merged",
    done: () => set(changeRequests.name, { number: 3 }, { status: "merged" })
  },
  { check: "change-request-comments", done: () => set(changeRequests.name, { number: 2 }, { comments: 0 }) },
  {
    check: "change-request-contributors",
    done: () =>
      Effect.flatMap(find(changeRequests.name, { number: 2 }), ([row]) =>
        drop("changeRequestContributors", { changeRequest: row!.id })
      )
  },
  { check: "revision-parents", done: () => set(revisions.name, { type: "update" }, { parents: [nothing] }) },
  {
    check: "revision-origin",
    done: ({ other }) =>
      Effect.flatMap(find(changeRequests.name, { number: 4 }), ([row]) =>
        addLike(revisions.name, { space: other }, { id: "x", changeRequest: row!.id, author: null })
      )
  },
  {
    check: "revision-merged",
    done: ({ space }) =>
      Effect.flatMap(find(changeRequests.name, { number: 2 }), ([row]) =>
        addLike(revisions.name, { space }, { id: "x", mergedFrom: row!.id, parents: [], root: emptyRoot })
      )
  },
  { check: "revision-author", done: ({ space }) => set(revisions.name, { space }, { author: nothing }) },

  {
    check: "comment-subject",
    done: ({ other }) => set(comments.name, { status: "resolved" }, { subject: other })
  },
  { check: "comment-revision", done: () => set(comments.name, { status: "open" }, { revision: nothing }) },
  { check: "comment-page", done: () => set(comments.name, { status: "open" }, { page: nothing }) },
  {
    check: "comment-page",
    done: () =>
      set(comments.name, { status: "open" }, (row) => ({
        page: nothing,
        target: { ...(row.target as object), page: nothing }
      }))
  },
  {
    check: "comment-resolution",
    done: () => set(comments.name, { status: "resolved" }, { resolvedBy: null })
  },
  {
    check: "comment-resolution",
    done: () => set(comments.name, { status: "resolved" }, { resolvedBy: nothing })
  },
  { check: "comment-replies", done: () => set(comments.name, { status: "open" }, { replies: 0 }) },
  { check: "comment-mentions", done: () => set(comments.name, { status: "open" }, { mentions: [nothing] }) },
  { check: "comment-mentions", done: () => set("commentReplies", {}, { mentions: [nothing] }) },
  { check: "reaction-target", done: () => addLike("commentReactions", {}, { target: nothing, id: "x" }) },

  {
    check: "grant-target",
    done: () => addLike(grants.name, { kind: "space" }, { id: "x", target: nothing })
  },
  {
    check: "grant-target",
    done: () => addLike(grants.name, { kind: "collection" }, { id: "x", target: nothing })
  },
  { check: "grant-holder", done: () => set(grants.name, { kind: "space" }, { user: null }) },
  { check: "grant-holder", done: ({ team }) => set(grants.name, { kind: "space" }, { team }) },
  {
    check: "grant-holder",
    done: ({ organization, bob, team }) =>
      Effect.andThen(
        drop(members.name, { organization, user: bob }),
        drop(teamMembers.name, { team, user: bob })
      )
  },

  { check: "site-search-text", done: ({ site }) => set("sites", { id: site }, { folded: "x" }) },
  { check: "site-settings", done: ({ site }) => drop("siteSettings", { site }) },
  {
    check: "site-root",
    done: ({ site }) =>
      Effect.gen(function* () {
        const all = yield* find("siteSpaces", { site })
        const defaults = new Set((yield* find("siteSections", { site })).map((row) => row.defaultSiteSpace))
        const one = all.find(({ id }) => !defaults.has(id))!
        yield* set("siteSpaces", { id: one.id }, { section: null })
        yield* set("sites", { id: site }, { defaultSiteSpace: one.id })
      }),
    also: ["space-published"]
  },
  {
    check: "site-paths",
    done: ({ flat }) =>
      Effect.flatMap(find("siteSpaces", { site: flat }), ([one, other]) =>
        set("siteSpaces", { id: other!.id }, { path: one!.path })
      )
  },
  {
    check: "site-order",
    done: ({ flat }) =>
      Effect.flatMap(find("siteSpaces", { site: flat }), ([one, other]) =>
        set("siteSpaces", { id: other!.id }, { position: one!.position })
      )
  },
  {
    check: "site-order",
    done: ({ flat }) =>
      Effect.gen(function* () {
        const [one, other] = yield* find("siteSpaces", { site: flat })
        yield* set("siteSpaces", { id: other!.id }, { position: one!.position })
        yield* set("sites", { id: flat }, { defaultSiteSpace: null })
      }),
    also: ["site-defaults"]
  },
  { check: "site-defaults", done: ({ flat }) => set("sites", { id: flat }, { defaultSiteSpace: null }) },
  {
    check: "site-defaults",
    done: ({ site }) => set("siteSections", { site, title: "More" }, { defaultSiteSpace: nothing }),
    also: ["space-published"]
  },
  {
    check: "site-space-section",
    done: ({ site, flat }) =>
      Effect.gen(function* () {
        const [, other] = yield* find("siteSpaces", { site: flat })
        const [section] = yield* find("siteSections", { site })
        yield* set("siteSpaces", { id: other!.id }, { section: section!.id })
      })
  },
  {
    check: "site-space",
    done: ({ other }) => set(spaces.name, { id: other }, { deletedAt: "2026-01-01T00:00:00.000Z" })
  },

  {
    check: "integration-facets",
    done: () => set("integrations", {}, { categories: "\n", visibility: "private" })
  },
  { check: "integration-assets", done: () => set("integrations", {}, { icon: nothing }) },
  { check: "integration-assets", done: () => drop("integrationAssets", { kind: "script" }) },
  {
    check: "integration-bytes",
    done: () => set("integrationAssets", { kind: "image" }, { bytes: new Uint8Array([1]) })
  },
  { check: "spec-version", done: () => set("openApiSpecs", { slug: "things" }, { lastVersion: null }) },
  { check: "spec-version", done: () => set("openApiSpecs", { slug: "waiting" }, { lastVersion: nothing }) },
  { check: "spec-source", done: () => drop("openApiTexts", {}) },
  {
    check: "spec-source",
    done: () => set("openApiSpecs", { slug: "things" }, { sourceURL: "https://example.com" })
  },
  { check: "spec-job", done: () => drop(jobs.name, { kind: "openapi" }) },
  {
    check: "job-dead",
    done: () => set(jobs.name, { kind: "openapi" }, { state: "dead" }),
    also: ["spec-job"]
  },
  {
    check: "job-overdue",
    done: () => set(jobs.name, { kind: "openapi" }, { runAt: "2020-01-01T00:00:00.000Z" })
  },

  {
    check: "blob-bytes",
    done: ({ space }) =>
      Effect.flatMap(textOf(space), (hash) =>
        set("blobs", { hash }, { bytes: new TextEncoder().encode("Other") })
      )
  },
  {
    check: "content-reaches",
    done: ({ space }) => Effect.flatMap(textOf(space), (hash) => drop("blobs", { hash }))
  },
  {
    check: "content-reaches",
    done: ({ space }) =>
      Effect.gen(function* () {
        const [row] = yield* find(spaces.name, { id: space })
        const [head] = yield* find(revisions.name, { id: row!.revision })
        yield* drop("blobs", { hash: head!.root })
      })
  },
  {
    check: "content-map",
    done: ({ other }) =>
      Effect.gen(function* () {
        // A node, though not as nodes are written: equal contents would have another hash.
        const bytes = new TextEncoder().encode('[0, "f/x", ["", {"name":"a"}]]')
        yield* addLike("blobs", {}, { hash: hashOf(bytes), bytes })
        yield* withRoot(other, hashOf(bytes))
      })
  },
  {
    check: "content-map",
    done: ({ other }) =>
      Effect.gen(function* () {
        // A root that stands over a single node.
        const bytes = new TextEncoder().encode(`[1,"",["","${emptyRoot}"]]`)
        yield* addLike("blobs", {}, { hash: hashOf(bytes), bytes })
        yield* withRoot(other, hashOf(bytes))
      })
  },
  {
    check: "content-records",
    done: ({ other }) => withEntries(other, () => Effect.succeed([["p/x", { type: "odd" }]]))
  },
  {
    check: "content-records",
    done: ({ other }) => withEntries(other, () => Effect.succeed([["x/x", null]]))
  },
  {
    check: "content-indexes",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(tree.children(""), ([first]) => [[keys.place("", first!.position, first!.id), undefined]])
      )
  },
  {
    check: "content-indexes",
    done: ({ space }) => withEntries(space, () => Effect.succeed([[keys.slug("", "of-nothing"), "x"]]))
  },
  {
    check: "content-indexes",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { slug: "twin", position: "zz" }), (page) => entriesOf("x", page).slice(0, 2))
      )
  },
  {
    check: "content-slugs",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { position: "zz" }), (page) => entriesOf("x", page).slice(0, 2))
      )
  },
  {
    check: "content-order",
    done: ({ space }) =>
      withEntries(space, (tree) => Effect.map(twin(tree, { slug: "twin" }), (page) => entriesOf("x", page)))
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { parent: nothing as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { parent: "x" as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.gen(function* () {
          const all = yield* tree.pages
          const top = all.find(
            ({ id, page }) => page.parent === "" && all.some((one) => one.page.parent === id)
          )!
          return entriesOf(top.id, top.page).map(([key]) => [key, undefined] as const)
        })
      )
  },
  { check: "search-index", done: ({ space }) => drop(searchPages.name, { space }) },
  { check: "search-index", done: ({ space }) => set(searchPages.name, { space }, { body: "x" }) },
  { check: "search-index", done: ({ space }) => addLike(searchPages.name, { space }, { page: "zzz" }) },
  {
    check: "search-index",
    done: ({ other, space }) => addLike(searchPages.name, { space }, { space: other })
  },
  {
    check: "outlines",
    done: ({ space }) =>
      Effect.flatMap(textOf(space), (hash) =>
        set("outlines", { hash }, { outline: { anchors: [], references: [] } })
      )
  }
]
