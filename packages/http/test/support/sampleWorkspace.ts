/** A workspace with some of everything in it: a row in nearly every table, in most states that a row can have. */
import {
  Administration,
  BackgroundWork,
  ChangeRequests,
  Collections,
  Comments,
  Content,
  CurrentUser,
  Grants,
  Installations,
  Integrations,
  Invites,
  OpenApiSpecs,
  Organizations,
  SamlProviders,
  ShareLinks,
  SiteSectionGroups,
  SiteSections,
  SiteSpaces,
  Sites,
  type Space,
  Spaces,
  Teams,
  Translations,
  UserId
} from "@lectern/core"
import { Effect } from "effect"

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const spec = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: { "/things": { get: { tags: ["Things"], responses: { 200: { description: "All" } } } } }
})

/** The ids in a sample workspace. */
export interface SampleWorkspace {
  readonly organization: string
  readonly otherOrganization: string
  readonly ada: string
  readonly bob: string
  readonly team: string
  /** A collection, and one in it. */
  readonly collection: string
  readonly innerCollection: string
  /** A space with content, comments and change requests; others in the same place. */
  readonly space: string
  readonly otherSpace: string
  readonly copiedSpace: string
  /** A site with sections and a group, and one without. */
  readonly site: string
  readonly flatSite: string
}

const insert = (markdown: string, rest: object = {}) => ({
  operation: "insert_page" as const,
  document: { markdown },
  ...rest
})

/** Edits, change requests in all states, comments on them, replies and reactions. */
const fillSpace = Effect.fnUntraced(function* (space: string, bob: string) {
  const [content, requests, comments] = [yield* Content, yield* ChangeRequests, yield* Comments]
  const first = yield* content.edit(
    { space },
    {
      changes: [
        insert("# Guide\n\nAbout [the API](/api) and more."),
        insert("# Start\n\nFirst of all.")
      ] as never
    }
  )
  const [guide] = first.changes.map((change) => (change.object === "created_page" ? change.page.id : ""))
  yield* content.edit(
    { space },
    {
      changes: [
        insert("# Setup\n\nTake it.", { into: guide }),
        insert("# Hidden", { into: guide, hidden: true }),
        { operation: "insert_page", type: "group", title: "Reference" },
        {
          operation: "insert_page",
          type: "link",
          title: "Home",
          target: { kind: "url", url: "https://example.com" }
        },
        { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: "aGk=" }] }
      ] as never
    }
  )
  for (let number = 1; number <= 4; number++) {
    yield* requests.create(space, { subject: `Number ${number}` })
    yield* content.edit(
      { space, changeRequest: String(number) },
      { changes: [insert(`# Proposal ${number}\n\nText ${number}.`, { into: guide })] as never }
    )
  }
  yield* requests.merge(space, "1")
  yield* requests.pull(space, "2")
  yield* requests.update(space, "2", { status: "open" })
  yield* requests.update(space, "3", { status: "archived" })
  for (const changeRequest of [undefined, "2"]) {
    const subject = { space, ...(changeRequest === undefined ? {} : { changeRequest }) }
    const said = yield* comments.create(subject, {
      body: { markdown: "Hm, @bob@example.com?" },
      page: guide!
    })
    const reply = yield* comments.createReply(subject, said.id, { body: { markdown: "Ah" } })
    yield* comments.updateReply(subject, said.id, reply.id, { addedReactions: ["👍"] })
    yield* comments.update(subject, said.id, { addedReactions: ["👀"] })
    const done = yield* comments.create(subject, { body: { markdown: "Done" } })
    yield* comments.update(subject, done.id, { resolved: true })
  }
  yield* (yield* Grants).share({ space }, { users: [bob], role: "edit" })
})

/** Creates two organizations; the first has some of everything. */
export const createSampleWorkspace = Effect.gen(function* () {
  const administration = yield* Administration
  const ada = yield* administration.createUser({ email: "ada@example.com" })
  const bob = yield* administration.createUser({ email: "bob@example.com" })
  const organization = yield* administration.createOrganization({ title: "Acme" }, ada)
  const otherOrganization = yield* administration.createOrganization({ title: "Elsewhere" }, bob)
  yield* administration.setMember(organization, bob, "read")
  yield* administration.setMember(otherOrganization, ada, "admin")
  const [spaces, sites, sections] = [yield* Spaces, yield* Sites, yield* SiteSections]
  return yield* Effect.gen(function* () {
    yield* (yield* Organizations).update(organization, { emailDomains: ["example.com", "example.org"] })
    const team = (yield* (yield* Teams).create(organization, { title: "Writers", members: [bob] })).id
    yield* (yield* Invites).create(organization, { role: "edit" })
    yield* (yield* SamlProviders).create(organization, { label: "Provider", defaultTeam: team })
    const collections = yield* Collections
    const collection = (yield* collections.create(organization, { title: "Shelf" })).id
    const innerCollection = (yield* collections.create(organization, { title: "Box", parent: collection })).id
    yield* collections.create(organization, { title: "Beside it", parent: collection })
    yield* collections.update(collection, { defaultLevel: "edit" })
    yield* (yield* Grants).share({ collection: collection }, { teams: [team], role: "review" })
    const createSpace = (title: string, parent: string | undefined) =>
      Effect.map(
        spaces.create(organization, { title, ...(parent === undefined ? {} : { parent }) }),
        ({ id }: Space) => id as string
      )
    const space = yield* createSpace("Docs", innerCollection)
    const otherSpace = yield* createSpace("Other", innerCollection)
    const [third, fourth] = [yield* createSpace("Third", undefined), yield* createSpace("Fourth", undefined)]
    yield* fillSpace(space, bob)
    const copiedSpace = (yield* spaces.duplicate(space)).id as string
    yield* spaces.remove(yield* createSpace("In the trash", collection))

    const site = (yield* sites.create(organization, { title: "Site", spaces: [space] as never })).id
    const added = yield* sections.add(organization, site, { spaceId: otherSpace, title: "Others" })
    yield* sections.add(organization, site, { spaceId: third, title: "More" })
    yield* (yield* SiteSectionGroups).add(organization, site, { title: "Group", sections: [added.id] })
    yield* (yield* SiteSpaces).add(organization, site, { spaceId: fourth, sectionId: added.id })
    yield* sites.publish(organization, site)
    yield* (yield* ShareLinks).create(organization, site, { name: "Link" })
    const flatSite = (yield* sites.create(organization, { title: "Flat", spaces: [third, fourth] as never }))
      .id
    yield* (yield* Organizations).update(organization, { defaultContent: { type: "site", site } })

    yield* (yield* Translations).create(organization, { title: "Deutsch" } as never)
    yield* (yield* Integrations).publish("diagrams", {
      organization,
      title: "Diagrams",
      description: "Draws them",
      script: "export default 1",
      icon: pixel,
      previewImages: [pixel],
      visibility: "public",
      scopes: [],
      categories: ["content"]
    } as never)
    yield* (yield* Installations).create("diagrams", { organization } as never)
    const specs = yield* OpenApiSpecs
    yield* specs.create(organization, { slug: "things", source: { text: spec } })
    yield* (yield* BackgroundWork).drain
    yield* specs.create(organization, { slug: "waiting", source: { text: spec } })
    const ids = {
      organization,
      otherOrganization,
      ada,
      bob,
      team,
      collection,
      innerCollection,
      space,
      otherSpace,
      copiedSpace,
      site,
      flatSite
    }
    return ids as SampleWorkspace
  }).pipe(CurrentUser.provide(UserId.make(ada)))
})
