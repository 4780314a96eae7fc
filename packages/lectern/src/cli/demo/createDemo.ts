/** Creates the demo workspace: an organization with members, content, a change request and a published site. */
import {
  Administration,
  ApiTokens,
  BackgroundWork,
  ChangeRequests,
  Collections,
  Comments,
  Conflict,
  Content,
  CurrentUser,
  defaultCustomization,
  OpenApiSpecs,
  type OrganizationId,
  Records,
  SiteSections,
  SiteSettings,
  Sites,
  type Space,
  Spaces,
  Teams
} from "@lectern/core"
import { Effect, type Redacted, Schedule } from "effect"
import { guidePages, readDemoFile, readDemoText } from "./demoContent.ts"

/** The demo workspace. */
export interface DemoWorkspace {
  readonly organization: OrganizationId
  /** The URL of the published site. */
  readonly siteUrl: string
  /** The API token of the administrator. */
  readonly token: Redacted.Redacted<string>
}

/** The e-mail address of the administrator of the demo. A database that has this account has the demo. */
export const demoEmail = "ada@tideway.example"

/** The slug of the OpenAPI document. */
const specSlug = "tideway"

const colleagues = [
  { email: "grace@tideway.example", displayName: "Grace Hopper", role: "edit" },
  { email: "alan@tideway.example", displayName: "Alan Turing", role: "review" }
] as const

const readDemo = Effect.promise(async () => ({
  guides: await Promise.all(
    guidePages.map(async (page) => ({ ...page, markdown: await readDemoText(`guides/${page.file}.md`) }))
  ),
  overview: await readDemoText("api/overview.md"),
  handbook: await readDemoText("handbook/handbook.md"),
  spec: await readDemoText("openapi.json"),
  cover: await readDemoFile("cover.jpg")
}))

type DemoTexts = Effect.Success<typeof readDemo>

const createAccounts = Effect.gen(function* () {
  const administration = yield* Administration
  const administrator = yield* administration.createUser({
    input: { email: demoEmail, displayName: "Ada Lovelace" }
  })
  const organization = yield* administration.createOrganization({
    administrator,
    input: { title: "Tideway" }
  })
  for (const { email, displayName, role } of colleagues) {
    const user = yield* administration.createUser({ input: { email, displayName } })
    yield* administration.setMember({ organization, user, input: { role } })
  }
  return { administrator, organization }
})

const createContent = Effect.fnUntraced(function* (organization: OrganizationId, demo: DemoTexts) {
  const [spaces, collections, content] = [yield* Spaces, yield* Collections, yield* Content]
  const shelf = yield* collections.create({ organization, input: { title: "Product" } })
  const guides = yield* spaces.create({
    organization,
    input: { title: "Guides", emoji: "1f9ed", parent: shelf.id }
  })
  const api = yield* spaces.create({
    organization,
    input: { title: "API reference", emoji: "1f50c", parent: shelf.id }
  })
  const handbook = yield* spaces.create({
    organization,
    input: { title: "Team handbook", emoji: "1f4d4" }
  })

  yield* content.edit({
    content: { space: guides.id },
    input: {
      changes: [
        {
          operation: "insert_files",
          files: [{ name: "cover.jpg", contentType: "image/jpeg", base64: demo.cover }]
        }
      ]
    }
  })
  const [cover] = (yield* content.listFiles({ content: { space: guides.id } })).items
  yield* content.edit({
    content: { space: guides.id },
    input: {
      changes: demo.guides.map(({ file, title, icon, description, hasCover, markdown }) => ({
        operation: "insert_page" as const,
        ref: file,
        title,
        slug: file,
        ...(icon === undefined ? {} : { icon }),
        ...(description === undefined ? {} : { description }),
        ...(hasCover === true && cover !== undefined
          ? { cover: { ref: { kind: "file" as const, file: cover.id } } }
          : {}),
        document: { markdown }
      }))
    }
  })
  yield* content.edit({
    content: { space: api.id },
    input: {
      changes: [
        {
          operation: "insert_page",
          title: "Overview",
          icon: "book-open",
          document: { markdown: demo.overview.replace("GUIDES", `/spaces/${guides.id}`) }
        },
        {
          operation: "insert_page",
          type: "computed",
          title: "Operations",
          computed: {
            type: "builtin:openapi",
            dependencies: { spec: { ref: { kind: "openapi", spec: specSlug } } },
            props: { models: true }
          }
        }
      ]
    }
  })
  yield* content.edit({
    content: { space: handbook.id },
    input: {
      changes: [{ operation: "insert_page", title: "Start here", document: { markdown: demo.handbook } }]
    }
  })
  return { guides, api }
})

const createChangeRequest = Effect.fnUntraced(function* (guides: Space) {
  const [changeRequests, comments, content] = [yield* ChangeRequests, yield* Comments, yield* Content]
  const { number } = yield* changeRequests.create({
    space: guides.id,
    input: { subject: "Document how alerts are signed" }
  })
  const target = { space: guides.id, changeRequest: String(number) }
  yield* content.edit({
    content: target,
    input: {
      changes: [
        {
          operation: "insert_page",
          title: "Signatures",
          icon: "signature",
          description: "How to verify that Tideway has sent a webhook.",
          document: {
            markdown: "Every webhook has the header `Tideway-Signature`, an HMAC of its body with SHA-256."
          }
        }
      ]
    }
  })
  yield* comments.create({
    target,
    input: { body: { markdown: "Should we mention how to rotate the signing key?" } }
  })
})

const publishSite = Effect.fnUntraced(function* (
  organization: OrganizationId,
  { guides, api }: Effect.Success<ReturnType<typeof createContent>>
) {
  const [sites, sections, settings] = [yield* Sites, yield* SiteSections, yield* SiteSettings]
  const site = yield* sites.create({ organization, input: { title: "Tideway Docs", spaces: [guides.id] } })
  const target = { organization, site: site.id }
  yield* sites.update({ ...target, input: { basename: "docs" } })
  yield* sections.add({ ...target, input: { spaceId: api.id, title: "API reference", icon: "code" } })
  const [first] = (yield* sections.list(target)).items
  if (first !== undefined) {
    yield* sections.update({
      ...target,
      section: first.id,
      input: { title: "Guides", path: "guides", icon: "compass" }
    })
  }
  yield* settings.updateCustomization({
    ...target,
    input: {
      ...defaultCustomization,
      styling: {
        ...defaultCustomization.styling,
        theme: "gradient",
        primaryColor: { light: "#0B7A75", dark: "#4FD1C5" },
        sidebar: { background: "filled", list: "pill" }
      },
      favicon: { emoji: "1f30a" },
      header: {
        ...defaultCustomization.header,
        links: [
          {
            title: "Status",
            to: { kind: "url", url: "https://status.tideway.example/" },
            links: []
          },
          {
            title: "Get a key",
            style: "button-primary",
            to: { kind: "url", url: "https://tideway.example/keys" },
            links: []
          }
        ]
      },
      footer: { groups: [], copyright: "© 2026 Tideway, a product that does not exist" }
    }
  })
  const { urls } = yield* sites.publish(target)
  return urls.published!
})

/** How long the command waits for a running server that parses the OpenAPI document. */
const maximumWait = "30 seconds"

/** Waits until the OpenAPI document is parsed. */
const waitForSpec = (organization: OrganizationId) =>
  Effect.flatMap(OpenApiSpecs, (specs) =>
    Effect.repeat(specs.get({ organization, slug: specSlug }), {
      schedule: Schedule.spaced("100 millis"),
      until: ({ processingState }) => processingState === "complete"
    })
  ).pipe(Effect.timeoutOption(maximumWait))

/**
 * Creates the demo workspace in one transaction. Fails with `Conflict` if it exists. Then runs the pending background jobs,
 * which parse the OpenAPI document of the demo, unless a running server does.
 */
export const createDemo = Effect.gen(function* () {
  const demo = yield* readDemo
  const records = yield* Records
  const { administrator, ...created } = yield* records.transaction(
    Effect.gen(function* () {
      const { administrator, organization } = yield* Effect.catchTag(createAccounts, "Conflict", () =>
        Effect.fail(
          new Conflict({
            reason: "EmailTaken",
            message: `The database has the demo workspace: the account ${demoEmail} exists.`
          })
        )
      )
      const siteUrl = yield* Effect.gen(function* () {
        yield* (yield* Teams).create({
          organization,
          input: { title: "Writers", members: [demoEmail, ...colleagues.map(({ email }) => email)] }
        })
        yield* (yield* OpenApiSpecs).create({
          organization,
          input: { slug: specSlug, source: { text: demo.spec } }
        })
        const content = yield* createContent(organization, demo)
        yield* createChangeRequest(content.guides)
        return yield* publishSite(organization, content)
      }).pipe(CurrentUser.provide(administrator))
      const { secret } = yield* (yield* ApiTokens).create({ input: { user: administrator, label: "Demo" } })
      return { administrator, organization, siteUrl, token: secret }
    })
  )
  yield* (yield* BackgroundWork).drain
  yield* waitForSpec(created.organization).pipe(CurrentUser.provide(administrator))
  return created satisfies DemoWorkspace
})
