/** The mixed load of the soak test: reads, searches, edits, comments, and merges of change requests. */

/** Sends requests to a server as one user. */
export interface SoakClient {
  readonly get: (path: string) => Promise<unknown>
  readonly post: (path: string, body: unknown) => Promise<unknown>
}

/** Creates the client of a server. Its requests fail after 60 s, and reject on every response that is not successful. */
export const makeSoakClient = (url: string, token: string): SoakClient => {
  const request = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await fetch(url + path, {
      ...init,
      signal: AbortSignal.timeout(60_000),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return text === "" ? undefined : JSON.parse(text)
  }
  return {
    get: (path) => request(path, { method: "GET" }),
    post: (path, body) => request(path, { method: "POST", body: JSON.stringify(body) })
  }
}

interface SoakSpace {
  readonly id: string
  readonly pages: ReadonlyArray<string>
}

/** The spaces that the load reads and writes. */
export interface SoakScene {
  readonly organization: string
  readonly spaces: ReadonlyArray<SoakSpace>
}

const spaceCount = 10
const pagesPerSpace = 20

const vocabulary =
  "alpha bridge canyon delta ember forest granite harbor island jungle kettle lantern meadow north ocean prairie quartz river summit timber".split(
    " "
  )

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)
const pickOne = <A>(values: ReadonlyArray<A>): A => values[randomBelow(values.length)]!

/** Returns Markdown of about 5 kB. */
const randomMarkdown = (): string =>
  Array.from(
    { length: 12 },
    (_, index) => `## Section ${index}\n\n${Array.from({ length: 60 }, () => pickOne(vocabulary)).join(" ")}.`
  ).join("\n\n")

/** Creates the spaces, with pages. */
export const createSoakScene = async (client: SoakClient): Promise<SoakScene> => {
  const { items } = (await client.get("/v1/orgs")) as {
    readonly items: ReadonlyArray<{ readonly id: string }>
  }
  const organization = items[0]!.id
  const spaces: Array<SoakSpace> = []
  for (let number = 0; number < spaceCount; number++) {
    const { id } = (await client.post(`/v1/orgs/${organization}/spaces`, { title: `Soak ${number}` })) as {
      readonly id: string
    }
    const { changes } = (await client.post(`/v1/spaces/${id}/content`, {
      changes: Array.from({ length: pagesPerSpace }, (_, page) => ({
        operation: "insert_page",
        title: `Page ${page}`,
        document: { markdown: randomMarkdown() }
      }))
    })) as { readonly changes: ReadonlyArray<{ readonly page: { readonly id: string } }> }
    spaces.push({ id, pages: changes.map(({ page }) => page.id) })
  }
  return { organization, spaces }
}

const updatePage = (space: SoakSpace) => ({
  changes: [
    { operation: "update_page", page: pickOne(space.pages), document: { markdown: randomMarkdown() } }
  ]
})

/** The operations with their share of the load, in percent. */
const mix: ReadonlyArray<
  readonly [name: string, percent: number, run: (client: SoakClient, space: SoakSpace) => Promise<unknown>]
> = [
  [
    "read",
    65,
    (client, { id, pages }) =>
      client.get(
        pickOne([
          `/v1/spaces/${id}`,
          `/v1/spaces/${id}/content/pages`,
          `/v1/spaces/${id}/content/page/${pickOne(pages)}?format=markdown`,
          `/v1/spaces/${id}/content/page/${pickOne(pages)}`,
          `/v1/spaces/${id}/comments?limit=20`,
          `/v1/user`
        ])
      )
  ],
  ["search", 12, (client, { id }) => client.get(`/v1/spaces/${id}/search?query=${pickOne(vocabulary)}`)],
  ["edit", 13, (client, space) => client.post(`/v1/spaces/${space.id}/content`, updatePage(space))],
  [
    "comment",
    7,
    (client, { id, pages }) =>
      client.post(`/v1/spaces/${id}/comments`, { body: { markdown: "Noted." }, page: pickOne(pages) })
  ],
  [
    "merge",
    3,
    async (client, space) => {
      const { number } = (await client.post(`/v1/spaces/${space.id}/change-requests`, {
        subject: "Soak"
      })) as {
        readonly number: number
      }
      const path = `/v1/spaces/${space.id}/change-requests/${number}`
      const page = { operation: "insert_page", title: "Draft", document: { markdown: randomMarkdown() } }
      const { changes } = (await client.post(`${path}/content?compat=false`, { changes: [page] })) as {
        readonly changes: ReadonlyArray<{ readonly page: { readonly id: string } }>
      }
      await client.post(`${path}/merge`, {})
      // The size of the space must not grow: a larger space is slower.
      await client.post(`/v1/spaces/${space.id}/content`, {
        changes: [{ operation: "delete_page", page: changes[0]!.page.id }]
      })
    }
  ]
]

/** The result of one operation of the load. */
export interface OperationResult {
  readonly name: string
  readonly durationMs: number
  readonly error: string | undefined
}

/** Runs one random operation, and measures it. It never rejects. */
export const runRandomOperation = async (client: SoakClient, scene: SoakScene): Promise<OperationResult> => {
  const drawn = randomBelow(100)
  let until = 0
  const [name, , run] =
    mix.find(([, percent]) => {
      until += percent
      return drawn < until
    }) ?? mix[0]!
  const started = performance.now()
  try {
    await run(client, pickOne(scene.spaces))
    return { name, durationMs: performance.now() - started, error: undefined }
  } catch (error) {
    return { name, durationMs: performance.now() - started, error: String(error) }
  }
}

/** Returns the number of operations per second that `clients` closed-loop clients complete. */
export const measureCapacity = async (
  client: SoakClient,
  scene: SoakScene,
  clients: number,
  seconds: number
): Promise<number> => {
  const started = performance.now()
  let completed = 0
  const runClient = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      const { error } = await runRandomOperation(client, scene)
      if (error !== undefined) throw new Error(`The load failed while the capacity was measured: ${error}`)
      completed++
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  return completed / ((performance.now() - started) / 1000)
}

/** Starts operations at a fixed rate until `stop` is called. An operation does not wait for earlier ones. */
export const startLoad = (
  client: SoakClient,
  scene: SoakScene,
  operationsPerSecond: number,
  onResult: (result: OperationResult) => void
): { readonly stop: () => Promise<void> } => {
  const pending = new Set<Promise<void>>()
  const started = performance.now()
  let issued = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * operationsPerSecond)
    for (; issued < due; issued++) {
      const operation: Promise<void> = runRandomOperation(client, scene).then((result) => {
        pending.delete(operation)
        onResult(result)
      })
      pending.add(operation)
    }
  }, 20)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(pending)
    }
  }
}
