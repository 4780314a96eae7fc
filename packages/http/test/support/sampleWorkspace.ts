/** A workspace with a row in nearly every table, in most of the states that a row can have. */
import {
  Administration,
  BackgroundWork,
  ChangeRequests,
  Collections,
  Comments,
  Content,
  CurrentUser,
  Installations,
  Integrations,
  Invites,
  OpenApiSpecs,
  OrganizationOidcProviders,
  Organizations,
  Permissions,
  Reviews,
  SamlProviders,
  ShareLinks,
  SiteExternalLinks,
  SiteInstallations,
  SiteSectionGroups,
  SiteSections,
  SiteSpaces,
  Sites,
  type Space,
  SpaceInstallations,
  Spaces,
  Teams,
  Translations,
  UploadKey,
  Uploads,
  UserId
} from "@lectern/core"
import { Effect, Stream } from "effect"

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
  /** A collection, and a nested one. */
  readonly collection: string
  readonly innerCollection: string
  /** A space with content, comments and change requests, and two spaces in the same collection. */
  readonly space: string
  readonly otherSpace: string
  readonly copiedSpace: string
  /** A site with sections and a group, and a site without. */
  readonly site: string
  readonly flatSite: string
}

const insert = (markdown: string, rest: object = {}) => ({
  operation: "insert_page" as const,
  document: { markdown },
  ...rest
})

/** Edits, change requests in all states, comments on them, replies and reactions. */
const fillSpace = Effect.fnUntraced(function* (space: string, bob: string, email: string) {
  const [content, requests, comments] = [yield* Content, yield* ChangeRequests, yield* Comments]
  const first = yield* content.edit({
    content: { space },
    input: {
      changes: [
        insert("# Guide\n\nAbout [the API](/api) and more."),
        insert("# Start\n\nFirst of all.")
      ] as never
    }
  })
  const [guide] = first.changes.map((change) => (change.object === "created_page" ? change.page.id : ""))
  yield* content.edit({
    content: { space },
    input: {
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
  })
  for (let number = 1; number <= 4; number++) {
    yield* requests.create({ space, input: { subject: `Number ${number}` } })
    yield* content.edit({
      content: { space, changeRequest: String(number) },
      input: { changes: [insert(`# Proposal ${number}\n\nText ${number}.`, { into: guide })] as never }
    })
  }
  yield* requests.merge({ space, changeRequest: "1" })
  yield* requests.updateFromSpace({ space, changeRequest: "2" })
  yield* requests.update({ space, changeRequest: "2", input: { status: "open" } })
  yield* requests.update({ space, changeRequest: "3", input: { status: "archived" } })
  for (const changeRequest of [undefined, "2"]) {
    const target = { space, ...(changeRequest === undefined ? {} : { changeRequest }) }
    const comment = yield* comments.create({
      target,
      input: { body: { markdown: `Hm, @${email}?` }, page: guide! }
    })
    const reply = yield* comments.createReply({
      target,
      comment: comment.id,
      input: { body: { markdown: "Ah" } }
    })
    yield* comments.updateReply({
      target,
      comment: comment.id,
      reply: reply.id,
      input: { addedReactions: ["👍"] }
    })
    yield* comments.update({ target, comment: comment.id, input: { addedReactions: ["👀"] } })
    const done = yield* comments.create({ target, input: { body: { markdown: "Done" } } })
    yield* comments.update({ target, comment: done.id, input: { resolved: true } })
  }
  yield* (yield* Reviews).submit({
    space,
    changeRequest: "2",
    input: { status: "approved", comment: { markdown: "Fine." } }
  })
  yield* (yield* Permissions).share({ content: { space }, input: { users: [bob], role: "edit" } })
})

/** Uploads a file that no operation has used yet. */
const uploadFile = Effect.fnUntraced(function* (organization: string) {
  const uploads = yield* Uploads
  const bytes = new TextEncoder().encode("# Uploaded")
  const { key, url } = yield* uploads.create({
    organization,
    input: { kind: "import_file", file: { name: "page.md", type: "text/markdown", size: bytes.length } }
  })
  const parameters = new URL(url).searchParams
  yield* uploads.receive({
    upload: { key: UploadKey.make(key), expires: Number(parameters.get("expires")) },
    signature: parameters.get("signature")!,
    contentLength: bytes.length,
    digest: undefined,
    read: () => Stream.make(bytes)
  })
})

/** The names that are unique in a workspace. */
interface SampleNames {
  readonly ada: string
  readonly bob: string
  readonly integration: string
}

/** Creates two organizations, of which the first has all resources. */
export const createSampleOrganizations = Effect.fnUntraced(function* (names: SampleNames) {
  const administration = yield* Administration
  const ada = yield* administration.createUser({ input: { email: names.ada } })
  const bob = yield* administration.createUser({ input: { email: names.bob } })
  const organization = yield* administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const otherOrganization = yield* administration.createOrganization({
    administrator: bob,
    input: { title: "Elsewhere" }
  })
  yield* administration.setMember({ organization, user: bob, input: { role: "read" } })
  yield* administration.setMember({
    organization: otherOrganization,
    user: ada,
    input: { role: "admin" }
  })
  const [spaces, sites, sections] = [yield* Spaces, yield* Sites, yield* SiteSections]
  return yield* Effect.gen(function* () {
    yield* (yield* Organizations).update({
      organization,
      input: { emailDomains: ["example.com", "example.org"] }
    })
    const team = (yield* (yield* Teams).create({ organization, input: { title: "Writers", members: [bob] } }))
      .id
    yield* (yield* Invites).create({ organization, input: { role: "edit" } })
    yield* (yield* SamlProviders).create({ organization, input: { label: "Provider", defaultTeam: team } })
    yield* (yield* OrganizationOidcProviders).create({
      organization,
      input: {
        label: "Provider",
        clientSecret: "secret",
        defaultTeam: team,
        groups: [{ group: "writers", team }]
      }
    })
    const collections = yield* Collections
    const collection = (yield* collections.create({ organization, input: { title: "Shelf" } })).id
    const innerCollection = (yield* collections.create({
      organization,
      input: { title: "Box", parent: collection }
    })).id
    yield* collections.create({ organization, input: { title: "Beside it", parent: collection } })
    yield* collections.update({ collection, input: { defaultLevel: "edit" } })
    yield* (yield* Permissions).share({
      content: { collection },
      input: { teams: [team], role: "review" }
    })
    const createSpace = (title: string, parent: string | undefined) =>
      Effect.map(
        spaces.create({ organization, input: { title, ...(parent === undefined ? {} : { parent }) } }),
        ({ id }: Space) => id as string
      )
    const space = yield* createSpace("Docs", innerCollection)
    const otherSpace = yield* createSpace("Other", innerCollection)
    const [third, fourth] = [yield* createSpace("Third", undefined), yield* createSpace("Fourth", undefined)]
    yield* fillSpace(space, bob, names.bob)
    const copiedSpace = (yield* spaces.duplicate({ space })).id as string
    yield* spaces.remove({ space: yield* createSpace("In the trash", collection) })

    const site = (yield* sites.create({ organization, input: { title: "Site", spaces: [space] as never } }))
      .id
    const added = yield* sections.add({
      organization,
      site,
      input: { spaceId: otherSpace, title: "Others" }
    })
    yield* sections.add({ organization, site, input: { spaceId: third, title: "More" } })
    yield* (yield* SiteSectionGroups).add({
      organization,
      site,
      input: { title: "Group", sections: [added.id] }
    })
    yield* (yield* SiteExternalLinks).add({
      organization,
      site,
      input: { title: "Status", url: "https://status.example.com/" }
    })
    yield* (yield* SiteSpaces).add({
      organization,
      site,
      input: { spaceId: fourth, sectionId: added.id }
    })
    yield* sites.publish({ organization, site })
    yield* (yield* ShareLinks).create({ organization, site, input: { name: "Link" } })
    const flatSite = (yield* sites.create({
      organization,
      input: { title: "Flat", spaces: [third, fourth] as never }
    })).id
    yield* (yield* Organizations).update({
      organization,
      input: { defaultContent: { type: "site", site } }
    })

    yield* (yield* Translations).create({ organization, input: { title: "Deutsch" } as never })
    yield* (yield* Integrations).publish({
      integration: names.integration,
      input: {
        organization,
        title: "Diagrams",
        description: "Draws them",
        script: "export default 1",
        icon: pixel,
        previewImages: [pixel],
        visibility: "public",
        scopes: [],
        categories: ["content"]
      } as never
    })
    const { id: installation } = yield* (yield* Installations).create({
      integration: names.integration,
      input: { organization } as never
    })
    yield* (yield* SpaceInstallations).create({
      integration: names.integration,
      installation,
      input: { space }
    })
    yield* (yield* SiteInstallations).create({
      integration: names.integration,
      installation,
      input: { siteId: site }
    })
    const specs = yield* OpenApiSpecs
    yield* specs.create({ organization, input: { slug: "things", source: { text: spec } } })
    yield* (yield* BackgroundWork).drain
    yield* specs.create({ organization, input: { slug: "waiting", source: { text: spec } } })
    yield* uploadFile(organization)
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

/** Creates the organizations of {@link createSampleOrganizations} with default names. */
export const createSampleWorkspace = createSampleOrganizations({
  ada: "ada@example.com",
  bob: "bob@example.com",
  integration: "diagrams"
})
