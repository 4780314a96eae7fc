/**
 * Seeds an organization with content of every kind through the API. All titles and contents contain the marker of the
 * organization.
 */
import type { People } from "./World.ts"

/** Calls the API as an administrator. Rejects if the response is not a success. */
export type Call = <A = { readonly id: string }>(method: string, path: string, body?: unknown) => Promise<A>

type Created = { readonly id: string }

const image = "iVBORw0KGgo="

const seedSpace = async (
  call: Call,
  marker: string,
  organization: string,
  parent: string | undefined,
  people: People
) => {
  const within = parent === undefined ? {} : { parent }
  const space = await call("POST", `/v1/orgs/${organization}/spaces`, { title: `Space ${marker}`, ...within })
  const at = `/v1/spaces/${space.id}`
  const markdown = `# Intro ${marker}\n\nWords ${marker}, a [link](./guide-${marker}.md) and an [address](https://${marker}.invalid).\n\n![image](a.png)`
  const edited = await call<{ readonly changes: ReadonlyArray<{ readonly page: Created }> }>(
    "POST",
    `${at}/content`,
    {
      message: `Message ${marker}`,
      changes: [
        {
          operation: "insert_files",
          files: [{ ref: "a.png", name: `${marker}.png`, contentType: "image/png", base64: image }]
        },
        {
          operation: "insert_reusable_content",
          title: `Note ${marker}`,
          document: { markdown: `Note ${marker}.` }
        },
        {
          operation: "insert_reusable_content",
          title: `Other ${marker}`,
          document: { markdown: `Note ${marker}.` }
        },
        {
          operation: "insert_page",
          slug: `guide-${marker}`,
          description: `Guide ${marker}`,
          document: { markdown }
        },
        {
          operation: "insert_page",
          type: "link",
          title: `Link ${marker}`,
          target: { kind: "url", url: `https://${marker}.invalid/` }
        }
      ]
    }
  )
  const page = edited.changes.flatMap(({ page }) => page?.id ?? [])[0]!
  await call("POST", `${at}/content`, {
    changes: [
      {
        operation: "insert_page",
        into: page,
        title: `Child ${marker}`,
        document: { markdown: `Child ${marker}.` }
      },
      {
        operation: "insert_files",
        files: [{ name: `more-${marker}.png`, contentType: "image/png", base64: image }]
      }
    ]
  })
  const deleted = await call<{ readonly changes: ReadonlyArray<{ readonly page: Created }> }>(
    "POST",
    `${at}/content`,
    { changes: [{ operation: "insert_page", title: `Deleted ${marker}`, document: { markdown: marker } }] }
  )
  await call("POST", `${at}/content`, {
    changes: [{ operation: "delete_page", page: deleted.changes[0]!.page.id }]
  })
  const commentInput = { body: { markdown: `Words ${marker}` } }
  const seedComments = async (base: string) => {
    for (const of of [{}, { page }]) {
      const comment = await call("POST", `${base}/comments`, { ...commentInput, ...of })
      await call("PUT", `${base}/comments/${comment.id}`, { addedReactions: ["👍"] })
      await call("POST", `${base}/comments/${comment.id}/replies`, commentInput)
      await call("POST", `${base}/comments/${comment.id}/replies`, commentInput)
    }
  }
  await seedComments(at)
  await call("POST", `${at}/permissions`, { users: [people.editor.id], role: "review" })
  for (const status of ["draft", "open"]) {
    const proposal = await call("POST", `${at}/change-requests`, { subject: `Subject ${marker}` })
    const proposed = `${at}/change-requests/${proposal.id}`
    await call("POST", `${proposed}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: `Proposed ${marker}`,
          document: { markdown: `Proposed ${marker}.` }
        }
      ]
    })
    await call("PATCH", proposed, { status })
    await call("POST", `${proposed}/reviews`, {
      status: "changes-requested",
      comment: { markdown: `Review ${marker}` }
    })
    await call("POST", `${proposed}/requested-reviewers`, { users: [people.editor.id] })
    if (status === "open") await seedComments(proposed)
  }
  await call("POST", `${at}/permissions`, { users: [people.guest.id, people.reader.id], role: "read" })
  return space
}

const seedSite = async (
  call: Call,
  marker: string,
  organization: string,
  spaces: ReadonlyArray<string>,
  visibility: string
) => {
  const site = await call("POST", `/v1/orgs/${organization}/sites`, {
    title: `Site ${marker}`,
    spaces: [spaces[0]],
    visibility
  })
  const at = `/v1/orgs/${organization}/sites/${site.id}`
  await call("PUT", `${at}/adaptive-schema`, {
    jsonSchema: {
      type: "object",
      properties: {
        [marker]: { type: "string", description: marker },
        plan: { type: "string" },
        "a b": { type: "string" },
        unsigned: { type: "object", properties: { beta: { type: "boolean" } }, additionalProperties: false }
      },
      additionalProperties: false
    }
  })
  const sections: Array<Created> = []
  for (const spaceId of spaces.slice(2))
    sections.push(await call("POST", `${at}/sections`, { spaceId, title: `Section ${marker}` }))
  const group = await call("POST", `${at}/section-groups`, { title: `Group ${marker}` })
  await call("POST", `${at}/section-groups`, { title: `Other ${marker}` })
  await call("POST", `${at}/section-groups/${group.id}/sections`, { sectionId: sections.at(-1)!.id })
  for (const name of ["one", "two"]) await call("POST", `${at}/share-links`, { name: `${name} ${marker}` })
  await call("POST", `${at}/publish`)
  return site.id
}

/**
 * Seeds an organization with `spaces` spaces, and with a published site of each visibility in `sites`. Calls `runJobs`
 * at the end.
 */
export const seedOrganization = async (
  call: Call,
  marker: string,
  organization: string,
  people: People,
  options: {
    readonly spaces: number
    readonly sites: ReadonlyArray<"public" | "share-link" | "visitor-auth">
    readonly runJobs: () => Promise<void>
  }
): Promise<void> => {
  const org = `/v1/orgs/${organization}`
  await call("PATCH", org, {
    title: `Organization ${marker}`,
    emailDomains: [`${marker}.example`],
    hostname: marker
  })
  for (const { id } of Object.values(people))
    await call("PATCH", `/v1/users/${id}`, { displayName: `User ${marker}` })
  const teams: Array<Created> = []
  for (const title of ["A", "B", "C", "D", "E"]) {
    const members = [people.reader.id, people.editor.id]
    teams.push(await call("PUT", `${org}/teams`, { title: `${title} ${marker}`, members }))
    await call("POST", `${org}/link-invites`, { role: "read" })
    await call("POST", "/v1/user/tokens", { label: `Token ${marker}`, organization })
    await call("POST", `${org}/saml`, {
      label: `${title} ${marker}`,
      entityID: `https://${marker}.invalid`,
      defaultTeam: teams[0]!.id
    })
    await call("POST", `${org}/oidc`, {
      label: `${title} ${marker}`,
      issuer: `https://${marker}.invalid`,
      clientID: marker,
      clientSecret: marker,
      domains: [`${marker}.example`],
      groups: [{ group: marker, role: "read", team: teams[0]!.id }],
      defaultTeam: teams[0]!.id
    })
    await call("POST", `${org}/translations`, { title: `${title} ${marker}` })
  }
  const outer = await call("POST", `${org}/collections`, { title: `Outer ${marker}`, description: marker })
  const inner = await call("POST", `${org}/collections`, { title: `Inner ${marker}`, parent: outer.id })
  for (const title of ["A", "B", "C", "D"])
    await call("POST", `${org}/collections`, { title: `${title} ${marker}` })
  const emails = ["one", "two", "three", "four"].map((name) => `${name}@${marker}.example`)
  await call("POST", `${org}/invites`, { emails, role: "read" })
  const spaces: Array<string> = []
  for (let index = 0; index < options.spaces; index++) {
    const { id } = await seedSpace(call, marker, organization, index % 2 === 0 ? inner.id : undefined, people)
    spaces.push(id)
    await call("POST", `/v1/spaces/${id}/permissions`, { teams: teams.map(({ id }) => id), role: "edit" })
  }
  for (const { id } of [outer, inner]) {
    await call("POST", `/v1/collections/${id}/permissions`, {
      users: [people.editor.id, people.reader.id],
      teams: teams.map(({ id }) => id),
      role: "comment"
    })
  }
  const sites: Array<string> = []
  for (const [index, visibility] of (spaces.length === 0 ? [] : options.sites).entries()) {
    const rotated = [...spaces.slice(index), ...spaces.slice(0, index)]
    sites.push(await seedSite(call, marker, organization, rotated, visibility))
  }
  for (const name of ["one", "two", "three", "four", "five"]) {
    const info = { title: `${name} ${marker}`, version: "1" }
    const text = JSON.stringify({ openapi: "3.1.0", info, paths: {} })
    await call("POST", `${org}/openapi`, { slug: `${name}-${marker}`, source: { text } })
    const integration = `/v1/integrations/${name}-${marker}`
    const manifest = {
      title: name,
      description: `Integration ${marker}`,
      script: marker,
      scopes: [],
      visibility: "private"
    }
    await call("POST", integration, { organization, ...manifest })
    if (name === "one" || name === "two") continue
    const { id } = await call("POST", `${integration}/installations`, { organization })
    for (const space of spaces) await call("POST", `${integration}/installations/${id}/spaces`, { space })
    for (const siteId of sites) await call("POST", `${integration}/installations/${id}/sites`, { siteId })
  }
  await options.runJobs()
}
