/**
 * What clients write, of every kind there is: drawn one after the other, each on what the ones before have made, and
 * with what has to be seen from when it is acknowledged on. A writer has content of its own, so that nobody else
 * changes what it looks for.
 */

/** Something that can be seen: what a field of the answer to GET is, or its `status`. */
export interface Fact {
  readonly path: string
  /** A name; with `?` whether there is such a field. `status` with a number is that of the answer. */
  readonly field: string
  readonly value: unknown
}

/** A write, that has not been sent yet. */
export interface Write {
  readonly method: string
  /** Behind `/v1`. */
  readonly path: string
  readonly body?: unknown
  /** Beginnings of paths under which it changes more than can be said. */
  readonly blurs?: ReadonlyArray<string>
  /** What is so when it is done, where that is known before. */
  readonly facts?: ReadonlyArray<Fact>
  /** What is so, and what is there to go on with, by what was answered. */
  readonly done?: (body: never) => ReadonlyArray<Fact> | undefined
}

interface Made {
  readonly id: string
}
interface Revised {
  readonly revision: string
  readonly changes?: ReadonlyArray<{ readonly page?: Made }>
}
interface Page {
  readonly space: string
  readonly id: string
}
interface Proposal {
  readonly space: string
  readonly path: string
  readonly pages: Map<string, string>
}

/** Draws a whole number from 0 to below a bound. */
export type Draw = (below: number) => number

/** What a writer has made, and draws from. */
export interface Writer {
  readonly organization: string
  /** Different for each writer: names begin with it. */
  readonly name: string
  /** Where there is markdown to import, under any path. */
  readonly source: string
  readonly draw: Draw
  made: number
  readonly collections: Array<string>
  readonly spaces: Array<string>
  readonly deleted: Array<string>
  readonly pages: Array<Page>
  readonly proposals: Array<Proposal>
  readonly comments: Array<string>
  readonly sites: Array<string>
  readonly people: Array<string>
  readonly teams: Array<string>
  readonly specs: Array<string>
  readonly translations: Array<string>
  readonly integrations: Array<string>
}

export const makeWriter = (
  organization: string,
  name: string,
  draw: Draw,
  source = "https://example.com"
): Writer => ({
  organization,
  name,
  draw,
  source,
  made: 0,
  collections: [],
  spaces: [],
  deleted: [],
  pages: [],
  proposals: [],
  comments: [],
  sites: [],
  people: [],
  teams: [],
  specs: [],
  translations: [],
  integrations: []
})

/** Draws from a number: the same number draws the same. By the finalizer of MurmurHash3. */
export const drawing = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0
    let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return ((value ^ (value >>> 16)) >>> 0) % below
  }
}

const pick = <A>({ draw }: Writer, all: ReadonlyArray<A>): A | undefined =>
  all.length === 0 ? undefined : all[draw(all.length)]

const fresh = (writer: Writer): string => `${writer.name}-${++writer.made}`

const fact = (path: string, field: string, value: unknown): Fact => ({ path, field, value })
const isThere = (path: string): Fact => fact(path, "status", 200)
const isGone = (path: string): Fact => fact(path, "status", 404)

type Kind = (writer: Writer) => Write | undefined

const organizationOf = ({ organization }: Writer): string => `/orgs/${organization}`

const titled = (writer: Writer, list: "collections" | "spaces", parent: string | undefined): Write => {
  const title = fresh(writer)
  const body = parent === undefined ? { title } : { title, parent }
  return {
    method: "POST",
    path: `${organizationOf(writer)}/${list}`,
    body,
    done: ({ id }: Made) => {
      writer[list].push(id)
      return [fact(`/${list}/${id}`, "title", title), fact(`/${list}/${id}`, "parent", parent)]
    }
  }
}

/** Changes one field of what is at a path. */
const renamed = (
  writer: Writer,
  path: string | undefined,
  method = "PATCH",
  field = "title"
): Write | undefined => {
  if (path === undefined) return undefined
  const value = fresh(writer)
  return { method, path, body: { [field]: value }, facts: [fact(path, field, value)] }
}

const moved = (writer: Writer, list: "collections" | "spaces"): Write | undefined => {
  const id = pick(writer, writer[list])
  if (id === undefined) return undefined
  const parent = writer.draw(3) === 0 ? undefined : pick(writer, writer.collections)
  return {
    method: "POST",
    path: `/${list}/${id}/move`,
    body: { parent: parent ?? null },
    facts: [fact(`/${list}/${id}`, "parent", parent)]
  }
}

const contents: ReadonlyArray<Kind> = [
  (writer) => titled(writer, "collections", undefined),
  (writer) => titled(writer, "spaces", pick(writer, writer.collections)),
  (writer) => titled(writer, "spaces", undefined),
  (writer) => renamed(writer, at("/spaces/", pick(writer, writer.spaces))),
  (writer) => renamed(writer, at("/collections/", pick(writer, writer.collections))),
  (writer) => moved(writer, "spaces"),
  (writer) => moved(writer, "collections"),
  (writer) => {
    const id = pick(writer, writer.spaces)
    if (id === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${id}/duplicate`,
      body: {},
      done: (copy: Made) => {
        writer.spaces.push(copy.id)
        return [isThere(`/spaces/${copy.id}`)]
      }
    }
  },
  (writer) => {
    const id = writer.spaces.length < 4 ? undefined : writer.spaces[writer.spaces.length - 1]
    if (id === undefined) return undefined
    // Nothing in it is looked for any more.
    writer.spaces.pop()
    writer.pages.splice(0, writer.pages.length, ...writer.pages.filter(({ space }) => space !== id))
    writer.proposals.splice(
      0,
      writer.proposals.length,
      ...writer.proposals.filter(({ space }) => space !== id)
    )
    writer.comments.splice(0, writer.comments.length, ...writer.comments.filter((path) => !path.includes(id)))
    return {
      method: "DELETE",
      path: `/spaces/${id}`,
      facts: [fact(`/spaces/${id}`, "deletedAt?", true)],
      done: () => void writer.deleted.push(id)
    }
  },
  (writer) => {
    const id = writer.deleted.pop()
    if (id === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${id}/restore`,
      facts: [fact(`/spaces/${id}`, "deletedAt?", false)],
      done: () => void writer.spaces.push(id)
    }
  }
]

const at = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : prefix + id

const revisionOf = (space: string, { revision }: Revised): Fact =>
  isThere(`/spaces/${space}/revisions/${revision}`)

const text = (writer: Writer): string => {
  const lines = Array.from({ length: 1 + writer.draw(4) }, () => `Words of ${fresh(writer)}.`)
  return lines.join("\n\n")
}

const pageAt = (content: string, page: string): string => `${content}/page/${page}?format=markdown`

const edits: ReadonlyArray<Kind> = [
  (writer) => {
    const space = pick(writer, writer.spaces)
    if (space === undefined) return undefined
    const [title, markdown] = [fresh(writer), text(writer)]
    const image = { name: `${title}.png`, contentType: "image/png", base64: "iVBORw0KGgo=" }
    const page = { operation: "insert_page", title, document: { markdown } }
    const more = writer.draw(3) === 0 ? [{ operation: "insert_files", files: [image] }] : []
    return {
      method: "POST",
      path: `/spaces/${space}/content`,
      body: { changes: [page, ...more] },
      done: (revised: Revised) => {
        const { id } = revised.changes![0]!.page!
        writer.pages.push({ space, id })
        const path = pageAt(`/spaces/${space}/content`, id)
        return [revisionOf(space, revised), fact(path, "title", title), fact(path, "markdown", markdown)]
      }
    }
  },
  (writer) => {
    const page = pick(writer, writer.pages)
    if (page === undefined) return undefined
    const [title, markdown] = [fresh(writer), text(writer)]
    const path = pageAt(`/spaces/${page.space}/content`, page.id)
    return {
      method: "POST",
      path: `/spaces/${page.space}/content`,
      body: { changes: [{ operation: "update_page", page: page.id, title, document: { markdown } }] },
      facts: [fact(path, "title", title), fact(path, "markdown", markdown)],
      done: (revised: Revised) => [revisionOf(page.space, revised)]
    }
  },
  (writer) => {
    const space = pick(writer, writer.spaces)
    if (space === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${space}/content/import`,
      body: { url: `${writer.source}/${fresh(writer)}.md`, source: "markdown" },
      done: (revised: Revised) => [revisionOf(space, revised)]
    }
  },
  (writer) => {
    const space = pick(writer, writer.spaces)
    if (space === undefined) return undefined
    const subject = fresh(writer)
    return {
      method: "POST",
      path: `/spaces/${space}/change-requests`,
      body: { subject },
      done: ({ number }: { readonly number: number }) => {
        const path = `/spaces/${space}/change-requests/${number}`
        writer.proposals.push({ space, path, pages: new Map() })
        return [fact(path, "subject", subject)]
      }
    }
  },
  (writer) => renamed(writer, pick(writer, writer.proposals)?.path, "PATCH", "subject"),
  (writer) => {
    const proposal = pick(writer, writer.proposals)
    if (proposal === undefined) return undefined
    const [title, markdown] = [fresh(writer), text(writer)]
    const known = writer.pages.filter(({ space }) => space === proposal.space)
    const page = writer.draw(2) === 0 ? undefined : pick(writer, known)
    const change =
      page === undefined
        ? { operation: "insert_page", title, document: { markdown } }
        : { operation: "update_page", page: page.id, document: { markdown } }
    return {
      method: "POST",
      path: `${proposal.path}/content?compat=false`,
      body: { changes: [change] },
      done: ({ changeRequest, changes }: Revised & { readonly changeRequest: Revised }) => {
        const id = page?.id ?? changes![0]!.page!.id
        proposal.pages.set(id, markdown)
        return [
          revisionOf(proposal.space, changeRequest),
          fact(pageAt(`${proposal.path}/content`, id), "markdown", markdown)
        ]
      }
    }
  },
  (writer) => {
    const proposal = pick(writer, writer.proposals)
    if (proposal === undefined) return undefined
    return { method: "POST", path: `${proposal.path}/update`, blurs: [`${proposal.path}/content`] }
  },
  (writer) => {
    const [proposal] = writer.proposals.splice(0, 1)
    if (proposal === undefined) return undefined
    return {
      method: "POST",
      path: `${proposal.path}/merge`,
      // Of a page that was changed here and there, some lines may come from either.
      blurs: [...proposal.pages.keys()].map((id) => pageAt(`/spaces/${proposal.space}/content`, id)),
      done: ({ result }: { readonly result: string }) => {
        if (result === "conflicts") return []
        return [
          fact(proposal.path, "status", "merged"),
          ...[...proposal.pages]
            .filter(([id]) => !writer.pages.some((page) => page.id === id))
            .map(([id, markdown]) => {
              writer.pages.push({ space: proposal.space, id })
              return fact(pageAt(`/spaces/${proposal.space}/content`, id), "markdown", markdown)
            })
        ]
      }
    }
  }
]

const talk: ReadonlyArray<Kind> = [
  (writer) => {
    const where = pick(writer, [
      ...writer.spaces.map((id) => `/spaces/${id}`),
      ...writer.proposals.map(({ path }) => path)
    ])
    if (where === undefined) return undefined
    return {
      method: "POST",
      path: `${where}/comments`,
      body: { body: { markdown: text(writer) } },
      done: ({ id }: Made) => {
        writer.comments.push(`${where}/comments/${id}`)
        return [isThere(`${where}/comments/${id}`)]
      }
    }
  },
  (writer) => {
    const comment = pick(writer, writer.comments)
    if (comment === undefined) return undefined
    const resolved = writer.draw(2) === 0
    return {
      method: "PUT",
      path: comment,
      body: { resolved, addedReactions: ["👍"] },
      facts: [fact(comment, "status", resolved ? "resolved" : "open")]
    }
  },
  (writer) => {
    const comment = pick(writer, writer.comments)
    if (comment === undefined) return undefined
    return {
      method: "POST",
      path: `${comment}/replies`,
      body: { body: { markdown: text(writer) } },
      done: ({ id }: Made) => [isThere(`${comment}/replies/${id}`)]
    }
  },
  (writer) => {
    const [comment] = writer.comments.splice(0, writer.comments.length < 3 ? 0 : 1)
    if (comment === undefined) return undefined
    return { method: "DELETE", path: comment, facts: [isGone(comment)] }
  }
]

const sites: ReadonlyArray<Kind> = [
  (writer) => {
    const title = fresh(writer)
    return {
      method: "POST",
      path: `${organizationOf(writer)}/sites`,
      body: { title, spaces: writer.spaces.slice(0, writer.draw(2)) },
      done: ({ id }: Made) => {
        writer.sites.push(`${organizationOf(writer)}/sites/${id}`)
        return [fact(`${organizationOf(writer)}/sites/${id}`, "title", title)]
      }
    }
  },
  (writer) => renamed(writer, pick(writer, writer.sites)),
  (writer) => {
    const [site, space] = [pick(writer, writer.sites), pick(writer, writer.spaces)]
    if (site === undefined || space === undefined) return undefined
    return {
      method: "POST",
      path: `${site}/site-spaces`,
      body: { spaceId: space },
      done: () => []
    }
  },
  (writer) => {
    const [site, space] = [pick(writer, writer.sites), pick(writer, writer.spaces)]
    if (site === undefined || space === undefined) return undefined
    return { method: "POST", path: `${site}/sections`, body: { spaceId: space } }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    return { method: "POST", path: `${site}/section-groups`, body: { title: fresh(writer) } }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    const published = writer.draw(2) === 0
    return {
      method: "POST",
      path: `${site}/${published ? "publish" : "unpublish"}`,
      facts: [fact(site, "published", published)]
    }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    return { method: "POST", path: `${site}/share-links`, body: { name: fresh(writer) } }
  }
]

const roles = ["read", "comment", "edit", "review", "create"]

const people: ReadonlyArray<Kind> = [
  (writer) => ({
    method: "POST",
    path: `${organizationOf(writer)}/invites`,
    body: { emails: [`${fresh(writer)}@example.com`], role: "read" },
    done: ({ users }: { readonly users: ReadonlyArray<string> }) => {
      writer.people.push(...users)
      return users.map((user) => fact(`${organizationOf(writer)}/members/${user}`, "role", "read"))
    }
  }),
  (writer) => {
    const user = pick(writer, writer.people)
    if (user === undefined) return undefined
    const [path, role] = [`${organizationOf(writer)}/members/${user}`, pick(writer, roles)]
    return { method: "PATCH", path, body: { role }, facts: [fact(path, "role", role)] }
  },
  (writer) => {
    const user = writer.people.length < 3 ? undefined : writer.people.shift()
    if (user === undefined) return undefined
    const path = `${organizationOf(writer)}/members/${user}`
    return { method: "DELETE", path, facts: [isGone(path)] }
  },
  (writer) => {
    const title = fresh(writer)
    return {
      method: "PUT",
      path: `${organizationOf(writer)}/teams`,
      body: { title, members: writer.people.slice(0, 2) },
      done: ({ id }: Made) => {
        writer.teams.push(`${organizationOf(writer)}/teams/${id}`)
        return [fact(`${organizationOf(writer)}/teams/${id}`, "title", title)]
      }
    }
  },
  (writer) => {
    const [team, user] = [pick(writer, writer.teams), pick(writer, writer.people)]
    if (team === undefined || user === undefined) return undefined
    return { method: "PUT", path: `${team}/members`, body: { add: [user] } }
  },
  (writer) => {
    const [space, user] = [pick(writer, writer.spaces), pick(writer, writer.people)]
    if (space === undefined || user === undefined) return undefined
    return {
      method: "PATCH",
      path: `/spaces/${space}/permissions/users/${user}`,
      body: { role: pick(writer, roles) }
    }
  },
  (writer) => ({ method: "POST", path: `${organizationOf(writer)}/ping` })
]

const others: ReadonlyArray<Kind> = [
  (writer) => {
    const slug = writer.draw(2) === 0 ? pick(writer, writer.specs) : undefined
    const name = slug ?? `spec-${fresh(writer)}`.toLowerCase()
    const title = fresh(writer)
    const path = `${organizationOf(writer)}/openapi/${name}`
    const spec = { openapi: "3.1.0", info: { title, version: "1" }, paths: {} }
    return {
      method: "PUT",
      path,
      body: { source: { text: JSON.stringify(spec) } },
      done: () => {
        if (slug === undefined) writer.specs.push(name)
        return [isThere(path)]
      }
    }
  },
  (writer) => {
    const title = fresh(writer)
    return {
      method: "POST",
      path: `${organizationOf(writer)}/translations`,
      body: { title },
      done: ({ id }: Made) => {
        writer.translations.push(`${organizationOf(writer)}/translations/${id}`)
        return [fact(`${organizationOf(writer)}/translations/${id}`, "title", title)]
      }
    }
  },
  (writer) => renamed(writer, pick(writer, writer.translations), "PUT"),
  (writer) => {
    const name = pick(writer, writer.integrations) ?? `i-${fresh(writer)}`.toLowerCase()
    const title = fresh(writer)
    const path = `/integrations/${name}`
    return {
      method: "POST",
      path,
      body: {
        organization: writer.organization,
        title,
        description: "",
        script: "x",
        scopes: [],
        secrets: { one: "1", two: "2" }
      },
      facts: [fact(path, "title", title)],
      done: () => {
        if (!writer.integrations.includes(name)) writer.integrations.push(name)
        return []
      }
    }
  },
  (writer) => {
    const name = pick(writer, writer.integrations)
    if (name === undefined) return undefined
    return {
      method: "POST",
      path: `/integrations/${name}/installations`,
      body: { organization: writer.organization },
      done: ({ id }: Made) => [isThere(`/integrations/${name}/installations/${id}`)]
    }
  }
]

/** Every kind of write: what people do most comes up most. */
const kinds: ReadonlyArray<Kind> = [...contents, ...edits, ...edits, ...talk, ...sites, ...people, ...others]

/** Draws the next write. There always is one: what needs what is not there is passed over. */
export const nextWrite = (writer: Writer): Write => {
  for (;;) {
    const write = kinds[writer.draw(kinds.length)]!(writer)
    if (write !== undefined) return write
  }
}
