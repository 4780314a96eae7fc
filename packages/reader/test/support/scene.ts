/** A server with a published site, for tests of pages. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { deflateSync } from "node:zlib"
import { converters } from "@lectern/converters"
import { createWorkspace, type EmbeddedWorkspace, type Fetch, SignIns, signInLinkUrl } from "@lectern/core"
import { type HttpOptions, toNodeListener } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { sqlite } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { blocksPage, installPage, petstore } from "./pages.ts"

/** A server on a workspace in memory. */
export interface PageServer {
  readonly url: string
  readonly workspace: EmbeddedWorkspace
  /** The first user, who administers the organization. */
  readonly user: string
  readonly organization: string
  /** The API token of the user. */
  readonly token: string
  /** Creates a link that signs the user in, and returns its URL. */
  readonly createSignInLink: () => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts a server with an empty organization. `prefix` is the path that it is mounted at. */
export const startPageServer = async (
  options: HttpOptions & { readonly fetcher?: Fetch; readonly publicUrl?: string } = {}
): Promise<PageServer> => {
  const { fetcher, publicUrl, ...httpOptions } = options
  let listener: RequestListener | undefined
  const server = createServer((request, response) => listener?.(request, response))
  // A connection that the server closes while the client sends its next request would fail the request.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.prefix ?? ""}`
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: publicUrl ?? url,
    logger: (entry) => {
      if (entry.level === "Error" || entry.level === "Fatal") console.error(entry.message, entry.cause ?? "")
    },
    ...(fetcher === undefined ? {} : { fetcher }),
    ...converters()
  })
  listener = toNodeListener(workspace, { reader: makeReader, ...httpOptions })
  const created = await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  })
  return {
    url,
    workspace,
    user: created!.administrator,
    organization: created!.organization,
    token: created!.secret,
    createSignInLink: async () => {
      const { secret } = await workspace.runtime.runPromise(
        Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email: "ada@example.com" } }))
      )
      return signInLinkUrl(url, secret)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await workspace.dispose()
    }
  }
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  let crc = 0xffffffff
  for (const byte of body) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(data.length, 0)
  body.copy(result, 4)
  result.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4)
  return result
}

/** Creates an image with a gradient, in PNG. */
export const gradientPng = (width: number, height: number): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (width * 3 + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (width * 3 + 1) + 1 + x * 3
      rows.set([60 + (x * 150) / width, 90 + (y * 90) / height, 230 - (x * 60) / width], at)
    }
  }
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array())
  ])
}

/** The test site with the ids that tests refer to. */
export interface TestSite {
  readonly site: string
  /** The URL of the published site, with a final slash. */
  readonly url: string
  readonly guide: string
  readonly guideNext: string
  readonly api: string
}

/** Creates and publishes a site: a guide in two variants, and an API reference, in two sections. */
export const createTestSite = async ({ workspace, user, organization }: PageServer): Promise<TestSite> => {
  const as = workspace.as(user)
  await as.openApiSpecs.create({
    organization,
    input: { slug: "petstore", source: { text: JSON.stringify(petstore) } }
  })
  await workspace.work.drain()
  const createGuide = async (title: string): Promise<string> => {
    const { id } = await as.spaces.create({ organization, input: { title } })
    const content = { space: id }
    await as.content.edit({
      content,
      input: {
        changes: [
          {
            operation: "insert_files",
            files: [
              {
                ref: "gradient",
                name: "gradient.png",
                contentType: "image/png",
                base64: Buffer.from(gradientPng(960, 420)).toString("base64")
              }
            ]
          }
        ]
      }
    })
    const [uploaded] = (await as.content.listFiles({ content })).items
    const file = uploaded!.id
    await as.content.edit({
      content,
      input: {
        changes: [
          {
            operation: "insert_page",
            title: "Welcome",
            emoji: "1f44b",
            description: "Lectern is a documentation workspace that you can embed.",
            cover: { ref: { kind: "file", file } },
            document: {
              markdown: `# Welcome\n\nWelcome to ${title}. Start with the [installation](guides/install.md).\n`
            }
          },
          { operation: "insert_page", ref: "guides", type: "group", title: "Guides" }
        ]
      }
    })
    const { pages } = await as.content.listPages({ content })
    const group = pages.find(({ type }) => type === "group")!.id
    await as.content.edit({
      content,
      input: {
        changes: [
          {
            operation: "insert_page",
            into: group,
            title: "Install",
            icon: "download",
            description: "Run it in five minutes.",
            document: { markdown: installPage }
          },
          {
            operation: "insert_page",
            into: group,
            title: "Blocks",
            icon: "cubes",
            description: "A page with every block.",
            document: { markdown: blocksPage.replaceAll("FILE", file) }
          },
          {
            operation: "insert_page",
            into: group,
            title: "Secret",
            hidden: true,
            document: { markdown: "Hidden from the navigation." }
          },
          {
            operation: "insert_page",
            type: "link",
            title: "Website",
            target: { kind: "url", url: "https://example.com/" }
          }
        ]
      }
    })
    const install = (await as.content.listPages({ content })).pages
      .flatMap((page) => ("pages" in page ? page.pages : []))
      .find(({ title }) => title === "Install")!
    await as.content.edit({
      content,
      input: {
        changes: [
          {
            operation: "insert_page",
            into: install.id,
            title: "On Linux",
            document: { markdown: "## Packages\n\nInstall the package of your distribution.\n" }
          },
          {
            operation: "insert_page",
            into: install.id,
            title: "With Docker",
            document: {
              markdown: "Pull the image.\n\n```yaml\nservices:\n  docs:\n    image: lectern\n```\n"
            }
          }
        ]
      }
    })
    return id
  }
  const guide = await createGuide("Guide 2.0")
  const guideNext = await createGuide("Guide 3.0 (beta)")
  const { id: api } = await as.spaces.create({ organization, input: { title: "API" } })
  await as.content.edit({
    content: { space: api },
    input: {
      changes: [
        {
          operation: "insert_page",
          title: "Overview",
          document: {
            markdown: "The API of the store. See [the guide](/spaces/GUIDE).\n".replace("GUIDE", guide)
          }
        },
        {
          operation: "insert_page",
          type: "computed",
          title: "Reference",
          computed: {
            type: "builtin:openapi",
            dependencies: { spec: { ref: { kind: "openapi", spec: "petstore" } } },
            props: { models: true }
          }
        }
      ]
    }
  })
  const site = await as.sites.create({ organization, input: { title: "Acme Docs", spaces: [guide] } })
  const target = { organization, site: site.id }
  const first = await as.siteSections.add({ ...target, input: { spaceId: api, title: "API", icon: "code" } })
  void first
  const structure = await as.publishedSites.getStructure({ ...target })
  if (structure.type !== "sections") throw new Error("The site has no sections.")
  const [section] = structure.structure.filter((item) => item.object === "site-section")
  await as.siteSpaces.add({ ...target, input: { spaceId: guideNext, sectionId: section!.id } })
  const published = await as.sites.publish(target)
  return { site: site.id, url: published.urls.published!, guide, guideNext, api }
}
