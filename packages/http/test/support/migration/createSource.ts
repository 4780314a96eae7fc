/** An organization with every resource that a migration copies, in most of the states that it can have. */

/** Calls the API, and fails unless the response is a success. */
export type Call = <A = { readonly id: string }>(method: string, path: string, body?: unknown) => Promise<A>

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A page with most blocks, which refers to resources of its space and of others. */
const everyBlock = (ids: Readonly<Record<string, string>>): string => `# First heading

Text with [a page](/pages/${ids.page}), [a heading](/pages/${ids.page}#part), [another space](/spaces/${ids.other}), [its
page](/spaces/${ids.other}/pages/${ids.otherPage}#x), [a collection](/collections/${ids.collection}), [a user](/users/${ids.user}),
<a href="/pages/${ids.page}">HTML</a>, [a reference][1] and ![an image](/files/${ids.file}).[^1]

## Part <a href="#part" id="part"></a>

{% hint style="warning" %}
A hint with \`code\`, **bold** and $$x^2$$.
{% endhint %}

{% include "/reusable-contents/${ids.reusable}" %}

{% content-ref url="/pages/${ids.page}" %}
[A card](/pages/${ids.page})
{% endcontent-ref %}

{% file src="/files/${ids.file}" %}
A caption
{% endfile %}

{% tabs %}
{% tab title="One" %}
- [ ] a task

1. one
   - inner
{% endtab %}
{% tab title="Two" %}
<figure><img src="/files/${ids.file}" alt=""><figcaption><p>Caption</p></figcaption></figure>
{% endtab %}
{% endtabs %}

{% openapi-operation spec="pets" path="/pets" method="get" %}
{% endopenapi-operation %}

<table data-view="cards"><thead><tr><th>T</th><th data-hidden data-card-target data-type="content-ref">R</th><th data-hidden data-card-cover data-type="files">F</th></tr></thead><tbody><tr><td>t</td><td><a href="/pages/${ids.page}">/pages/${ids.page}</a></td><td><a href="/files/${ids.file}">file</a></td></tr></tbody></table>

<details>

<summary>More</summary>

{% if visitor.claims.plan == "pro" %}
Only for some.
{% endif %}

</details>

<custom-element data-x="1"><a href="/pages/${ids.page}">unknown</a></custom-element>

\`\`\`js {% title="a.js" %}
const link = "/pages/p1"
\`\`\`

[1]: /pages/${ids.page}

[^1]: A note with [a page](/pages/${ids.page}).
`

interface Page {
  readonly id: string
  readonly title: string
  readonly pages?: ReadonlyArray<Page>
}

const flatten = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [page, ...flatten(page.pages ?? [])])

const insert = (title: string, fields: object = {}) => ({ operation: "insert_page", title, ...fields })

const spec = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { tags: ["Pets"], responses: { 200: { description: "All" } } } } }
}

const createContent = async (
  call: Call,
  user: string,
  ids: { readonly guide: string; readonly api: string; readonly collection: string }
) => {
  const { guide, api, collection } = ids
  const edit = (changes: ReadonlyArray<object>, space = guide) =>
    call("POST", `/spaces/${space}/content`, { changes })
  await edit([
    {
      operation: "insert_files",
      files: [
        { name: "a.png", contentType: "image/png", base64: pixel },
        { name: "same.txt", contentType: "text/plain", base64: "aGk=" },
        { name: "same.txt", contentType: "text/plain", base64: "aG8=" }
      ]
    }
  ])
  const { items: files } = await call<{ items: ReadonlyArray<{ id: string; name: string }> }>(
    "GET",
    `/spaces/${guide}/content/files`
  )
  const file = files.find(({ name }) => name === "a.png")!.id
  const text = files.find(({ name }) => name === "same.txt")!.id
  for (const title of ["First reusable", "Second reusable"]) {
    await edit([{ operation: "insert_reusable_content", title, document: { markdown: `${title} text.` } }])
  }
  const { reusableContents } = await call<{ reusableContents: ReadonlyArray<{ id: string }> }>(
    "GET",
    `/spaces/${guide}/content`
  )
  await edit(
    [
      insert("Overview", { document: { markdown: "The API." } }),
      insert("Operations", {
        type: "computed",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: "pets" } } },
          props: { models: true }
        }
      })
    ],
    api
  )
  const apiPages = flatten(
    (await call<{ pages: ReadonlyArray<Page> }>("GET", `/spaces/${api}/content/pages`)).pages
  )
  await edit([
    insert("Start", {
      ref: "start",
      icon: "rocket",
      description: "How to begin",
      document: { markdown: "To be replaced." }
    }),
    insert("Below", {
      into: "start",
      ref: "below",
      slug: "under",
      emoji: "1f30a",
      hidden: true,
      noIndex: true,
      noRobotsIndex: true
    }),
    insert("Deepest", { into: "below", document: { markdown: "Deep [up](./start.md)." } }),
    insert("Adaptive", {
      condition: 'visitor.claims.plan == "pro"',
      layout: { width: "wide", outline: false }
    }),
    insert("Covered", { cover: { ref: { kind: "file", file }, yPos: 12 } }),
    insert("Group", { type: "group", ref: "group", slug: "reference" }),
    insert("In the group", { into: "group", document: { markdown: "Inside." } }),
    insert("Link", { type: "link", target: { kind: "url", url: "https://example.com/" } }),
    ...Array.from({ length: 40 }, (_, index) =>
      insert(`Page ${index}`, { document: { markdown: `Number ${index}.` } })
    )
  ])
  const pages = flatten(
    (await call<{ pages: ReadonlyArray<Page> }>("GET", `/spaces/${guide}/content/pages`)).pages
  )
  const pageOf = (title: string) => pages.find((page) => page.title === title)!.id
  const named = {
    page: pageOf("Deepest"),
    other: api,
    otherPage: apiPages[0]!.id,
    collection,
    user,
    file,
    reusable: reusableContents[0]!.id
  }
  await edit([
    { operation: "update_page", page: pageOf("Start"), document: { markdown: everyBlock(named) } },
    { operation: "update_page", page: pageOf("Link"), target: { kind: "page", page: pageOf("Start") } }
  ])
  await edit([
    insert("Inner link", { type: "link", target: { kind: "page", page: apiPages[0]!.id, space: api } }),
    {
      operation: "update_reusable_content",
      reusableContent: reusableContents[1]!.id,
      document: { markdown: `See [start](/pages/${pageOf("Start")}).` }
    },
    {
      operation: "update_page",
      page: pageOf("Start"),
      metaLinks: {
        canonical: { kind: "page", page: apiPages[0]!.id, space: api },
        alternates: [
          { kind: "page", page: pageOf("Deepest") },
          { kind: "url", url: "https://example.com/start" }
        ]
      }
    },
    // A page without a body.
    {
      operation: "update_page",
      page: pageOf("Below"),
      metaLinks: { canonical: { kind: "page", page: pageOf("Start") } }
    }
  ])
  await call("POST", `/spaces/${api}/content`, {
    changes: [
      {
        operation: "update_page",
        page: apiPages[0]!.id,
        document: { markdown: `Back to [start](/spaces/${guide}/pages/${pageOf("Start")}).` }
      }
    ]
  })
  return { pageOf, reusableContents, file, text, apiPage: apiPages[0]!.id }
}

const createChangeRequests = async (
  call: Call,
  guide: string,
  { pageOf, reusableContents, file, text: textFile }: Awaited<ReturnType<typeof createContent>>
) => {
  const create = async (subject: string, changes: ReadonlyArray<object>, status?: string) => {
    const { id } = await call("POST", `/spaces/${guide}/change-requests`, { subject })
    await call("POST", `/spaces/${guide}/change-requests/${id}/content`, { changes })
    if (status !== undefined) await call("PATCH", `/spaces/${guide}/change-requests/${id}`, { status })
    return id
  }
  const merged = await create("Merged", [
    { operation: "update_page", page: pageOf("Page 1"), title: "First page" }
  ])
  const outdated = await create("Outdated", [
    { operation: "update_page", page: pageOf("Page 2"), document: { markdown: "Proposed." } }
  ])
  await call("POST", `/spaces/${guide}/change-requests/${merged}/merge`, {})
  await create("Archived", [insert("Never")], "archived")
  await create(
    "Everything",
    [
      insert("Added", {
        ref: "added",
        into: pageOf("Start"),
        at: 0,
        icon: "plus",
        document: {
          markdown: `New, with [start](/pages/${pageOf("Start")}) and [a text](/files/${textFile}).`
        }
      }),
      insert("Below the added", { into: "added" }),
      insert("Canonical", { metaLinks: { canonical: { kind: "page", page: pageOf("Deepest") } } }),
      { operation: "update_page", page: pageOf("Below"), title: "Below, renamed", emoji: "", hidden: false },
      {
        operation: "update_page",
        page: pageOf("Covered"),
        cover: null,
        metaLinks: { alternates: [{ kind: "page", page: pageOf("Start") }] },
        document: { markdown: "With text now." }
      },
      { operation: "update_page", page: pageOf("Page 7"), into: pageOf("Group") },
      { operation: "update_page", page: pageOf("Page 9"), at: 0 },
      { operation: "delete_page", page: pageOf("Page 11") },
      { operation: "insert_files", files: [{ name: "new.txt", contentType: "text/plain", base64: "bmV3" }] },
      { operation: "insert_reusable_content", title: "New reusable", document: { markdown: "Fresh." } },
      {
        operation: "update_reusable_content",
        reusableContent: reusableContents[0]!.id,
        document: { markdown: "Changed." }
      },
      { operation: "delete_reusable_content", reusableContent: reusableContents[1]!.id },
      { operation: "delete_files", files: [file] }
    ],
    "open"
  )
  const text = {
    object: "block",
    type: "paragraph",
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Why", marks: [] }] }]
  }
  await call("PATCH", `/spaces/${guide}/change-requests/${outdated}`, {
    description: { object: "document", data: {}, nodes: [text] }
  })
}

const createSites = async (
  call: Call,
  organization: string,
  spaces: Readonly<Record<"guide" | "api" | "locked" | "empty", string>>,
  pageOf: (title: string) => string,
  people: { readonly user: string; readonly team: string }
) => {
  const sites = `/orgs/${organization}/sites`
  const { id } = await call("POST", sites, { title: "Docs", visibility: "share-link" })
  const site = `${sites}/${id}`
  const claims = { type: "object", properties: { plan: { type: "string" } }, additionalProperties: false }
  await call("PUT", `${site}/adaptive-schema`, { jsonSchema: claims })
  const addSection = (spaceId: string, title: string) =>
    call("POST", `${site}/sections`, { spaceId, title, icon: "book" })
  const first = await addSection(spaces.guide, "Guides")
  const second = await addSection(spaces.api, "API")
  const third = await addSection(spaces.locked, "Locked")
  await call("PATCH", `${site}/sections/${second.id}`, {
    path: "reference",
    description: "All operations",
    condition: 'visitor.claims.plan == "pro"'
  })
  const group = await call("POST", `${site}/section-groups`, {
    title: "More",
    icon: "star",
    sections: [second.id, third.id]
  })
  const status = { title: "Status", url: "https://status.example.com/", icon: "signal", draft: true }
  const atTop = await call("POST", `${site}/external-links`, status)
  await call("PATCH", `${site}/structure/sort`, {
    item: { type: "site-external-link", id: atTop.id },
    position: { before: { type: "site-section", id: first.id } }
  })
  const community = { title: "Community", url: "https://community.example.com/", parent: group.id }
  const inGroup = await call("POST", `${site}/external-links`, community)
  await call("PATCH", `${site}/structure/sort`, {
    item: { type: "site-external-link", id: inGroup.id },
    position: { before: { type: "site-section", id: third.id } }
  })
  const variant = await call("POST", `${site}/site-spaces`, { spaceId: spaces.empty, sectionId: first.id })
  await call("PATCH", `${site}/site-spaces/${variant.id}`, {
    path: "old",
    condition: 'visitor.claims.plan == "pro"'
  })
  await call("PATCH", `${site}/sections/${first.id}`, { defaultSiteSpace: variant.id })
  await call("PATCH", site, {
    basename: "handbook",
    defaultSiteSection: second.id,
    agentsContext: "excluded",
    adaptiveContent: { enabled: true }
  })
  const customization = await call<Record<string, object>>("GET", `${site}/customization`)
  const page = pageOf("Start")
  await call("PUT", `${site}/customization`, {
    ...customization,
    title: "All docs",
    announcement: {
      enabled: true,
      message: "New",
      style: "info",
      link: { title: "Start", to: { kind: "page", page, space: spaces.guide } }
    },
    header: {
      ...customization.header,
      links: [{ title: "Start", to: { kind: "page", page, space: spaces.guide }, links: [] }]
    },
    footer: {
      groups: [{ title: "More", links: [{ title: "API", to: { kind: "space", space: spaces.api } }] }],
      copyright: "Acme"
    },
    search: {
      synonyms: [["k8s", "kubernetes"]],
      pins: [{ queries: ["begin"], space: spaces.guide, page }],
      boosts: [{ space: spaces.api, weight: 2 }]
    }
  })
  await call("PATCH", `${site}/site-spaces/${variant.id}/customization`, {
    title: "Old docs",
    styling: { theme: "bold", sidebar: { list: "line" } },
    pdf: { enabled: false }
  })
  const siteSpaces = await call<{ items: ReadonlyArray<{ id: string; space: { id: string } }> }>(
    "GET",
    `${site}/site-spaces`
  )
  const guides = siteSpaces.items.find(({ space }) => space.id === spaces.guide)!.id
  for (const [source, destination] of [
    ["/moved", { kind: "site-page", siteSpaceId: guides, pageId: page }],
    ["/section", { kind: "site-section", siteSectionId: second.id }],
    ["/a/space", { kind: "site-space", siteSpaceId: guides }]
  ] as const) {
    await call("POST", `${site}/redirects`, { source, destination })
  }
  for (const options of [
    { source: "/all/*", captureWildcard: true, permanent: true },
    { source: "/moved", draft: true }
  ]) {
    const destination = { kind: "external", url: "https://example.com/docs?a=1" }
    await call("POST", `${site}/redirects`, { ...options, destination })
  }
  await call("POST", `${site}/share-links`, { name: "Partners" })
  const unused = await call("POST", `${site}/share-links`, { name: "Unused" })
  await call("PATCH", `${site}/share-links/${unused.id}`, { active: false })
  await call("POST", `${site}/mcp-servers`, {
    name: "Tools",
    url: "https://mcp.example.com/",
    headers: { "x-key": "secret" }
  })
  for (const [name, enabled] of [
    ["Metrics", true],
    ["Support", false]
  ] as const) {
    await call("POST", `${site}/scripts`, {
      name,
      enabled,
      source: { type: "text", text: "start({{key}})", values: { key: name } },
      categories: ["support"],
      origins: { connections: ["https://metrics.example.com"] }
    })
  }
  await call("POST", `${site}/permissions`, { role: "admin", users: [people.user] })
  await call("POST", `${site}/permissions`, { role: "edit", teams: [people.team] })
  await call("POST", `${site}/publish`, {})
  const flat = await call("POST", sites, {
    title: "Flat",
    spaces: [spaces.api, spaces.guide],
    visibility: "visitor-auth"
  })
  const flatSpaces = await call<{ items: ReadonlyArray<{ id: string }> }>(
    "GET",
    `${sites}/${flat.id}/site-spaces`
  )
  await call("PATCH", `${sites}/${flat.id}`, {
    defaultSiteSpace: flatSpaces.items[1]!.id,
    proxy: "docs.example.com"
  })
  await call("PATCH", `${sites}/${flat.id}/publishing/auth`, { fallbackURL: "https://example.com/login" })
}

/** Creates the content of an organization whose administrator calls the API. */
export const createSource = async (call: Call, organization: string): Promise<void> => {
  const base = `/orgs/${organization}`
  await call("POST", `${base}/invites`, {
    emails: [
      { email: "bob@example.com", role: "edit" },
      { email: "carol@example.com", role: null }
    ]
  })
  const members = await call<{ items: ReadonlyArray<{ id: string; user: { email: string } }> }>(
    "GET",
    `${base}/members`
  )
  const memberOf = (email: string) => members.items.find(({ user }) => user.email === email)!.id
  const [bob, carol] = [memberOf("bob@example.com"), memberOf("carol@example.com")]
  const team = await call("PUT", `${base}/teams`, { title: "Writers", members: [bob] })
  await call("PUT", `${base}/teams/${team.id}/members/${carol}`, { role: "owner" })
  await call("PUT", `${base}/teams`, { title: "Nobody" })
  await call("PUT", `${base}/openapi/pets`, { source: { text: JSON.stringify(spec) } })
  const shelf = await call("POST", `${base}/collections`, { title: "Shelf" })
  await call("PATCH", `/collections/${shelf.id}`, { description: "All the docs", defaultLevel: "review" })
  const box = await call("POST", `${base}/collections`, { title: "Box", parent: shelf.id })
  await call("POST", `/collections/${shelf.id}/permissions`, { role: "edit", teams: [team.id] })
  await call("POST", `/collections/${box.id}/permissions`, { role: "comment", users: [carol] })
  const createSpace = async (title: string, fields: object = {}) =>
    (await call("POST", `${base}/spaces`, { title, ...fields })).id
  const spaces = {
    guide: await createSpace("Guide", { parent: box.id, emoji: "1f4d8" }),
    api: await createSpace("API", { parent: shelf.id }),
    locked: await createSpace("Locked"),
    empty: await createSpace("Empty")
  }
  await call("POST", `/spaces/${spaces.empty}/move`, {
    position: { before: { type: "space", space: spaces.locked } }
  })
  const content = await createContent(call, bob, {
    guide: spaces.guide,
    api: spaces.api,
    collection: shelf.id
  })
  await createChangeRequests(call, spaces.guide, content)
  await call("POST", `/spaces/${spaces.locked}/content`, {
    changes: [insert("Only page", { document: { markdown: "Locked." } })]
  })
  await call("PATCH", `/spaces/${spaces.locked}`, {
    editMode: "locked",
    defaultLevel: "read",
    icon: "https://example.com/icon.png",
    mergeRules: { type: "rules", rules: [{ rule: "require_specific_reviewers", users: [bob] }] }
  })
  await call("POST", `/spaces/${spaces.locked}/permissions`, { role: "review", users: [bob] })
  await call("POST", `/spaces/${spaces.locked}/permissions`, { role: "admin", teams: [team.id] })
  await createSites(call, organization, spaces, content.pageOf, { user: carol, team: team.id })
  await call("POST", `${base}/translations`, { title: "German" })
  await call("PUT", `${base}/translations-glossary`, {
    operations: [
      { type: "insert", translations: { en: "space", de: "Bereich" } },
      { type: "insert", translations: { en: "page", de: "Seite" } }
    ]
  })
}
