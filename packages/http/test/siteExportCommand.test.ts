/** `lectern export --html` and `--epub` as processes, on the database of a server that has stopped. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { call, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

const markdown = `Text of the page with a [link](https://acme.example/).

{% hint style="info" %}
A hint
{% endhint %}

{% tabs %}
{% tab title="One" %}
\`\`\`js
one()
\`\`\`
{% endtab %}
{% tab title="Two" %}
Second
{% endtab %}
{% endtabs %}

| A | B |
| - | - |
| 1 | 2 |

$$
x^2
$$

<details>

<summary>More</summary>

Hidden[^1]

</details>

[^1]: A note.
`

/** The validator of EPUB, whose Debian package has a JAR. */
const validator = ["-jar", "/usr/share/java/epubcheck.jar"]

const isValidatorInstalled = (): boolean => {
  try {
    execFileSync("java", ["-version"], { stdio: "pipe" })
    return existsSync(validator[1]!)
  } catch {
    return false
  }
}

const publish = async (database: string, isPublic: boolean) => {
  const server = await serve(database)
  const [organization] = (await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")).items
  const post = <A>(path: string, body: unknown) =>
    call<A>(server, `/v1${path}`, { method: "POST", body: JSON.stringify(body) })
  const { id: space } = await post<{ id: string }>(`/orgs/${organization!.id}/spaces`, { title: "Guide" })
  await post(`/spaces/${space}/content`, {
    changes: [
      { operation: "insert_page", title: "Start", document: { markdown } },
      { operation: "insert_page", title: "Second & last", document: { markdown: "The second page." } }
    ]
  })
  const site = await post<{ id: string }>(`/orgs/${organization!.id}/sites`, {
    title: "Docs",
    spaces: [space],
    ...(isPublic ? {} : { visibility: "visitor-auth" })
  })
  const published = await post<{ urls: { published: string } }>(
    `/orgs/${organization!.id}/sites/${site.id}/publish`,
    {}
  )
  expect(await server.end("SIGTERM")).toBe(0)
  return { url: published.urls.published, publicUrl: server.url }
}

it("exports a site as HTML with a search, and as a valid book in EPUB", async () => {
  const folder = temporaryFolder()
  const database = `sqlite:${join(folder, "lectern.db")}`
  const { url, publicUrl } = await publish(database, true)
  const env = { LECTERN_DATABASE_URL: database, LECTERN_PUBLIC_URL: publicUrl }
  const html = await runCommand(["export", "--html", "--site", url, "--to", join(folder, "public")], env)
  expect([html.code, html.errors]).toEqual([0, ""])
  const files = readdirSync(join(folder, "public"), { recursive: true, encoding: "utf8" })
  expect(files).toEqual(expect.arrayContaining(["index.html"]))
  const pages = files.filter((path) => path.endsWith(".html"))
  const texts = pages.map((path) => readFileSync(join(folder, "public", path), "utf8"))
  expect(texts.some((text) => text.includes("Text of the page") && text.includes("A hint"))).toBe(true)
  expect(texts.some((text) => text.includes("The second page."))).toBe(true)

  const book = join(folder, "docs.epub")
  const epub = await runCommand(["export", "--epub", "--site", url, "--to", book, "--json"], env)
  expect([epub.code, epub.errors]).toEqual([0, ""])
  expect(JSON.parse(epub.output)).toMatchObject({ path: book, pages: 2 })
  if (isValidatorInstalled()) {
    const report = execFileSync("java", [...validator, book], { encoding: "utf8", stdio: "pipe" })
    expect(report).toContain("No errors or warnings detected")
  } else console.warn("Install the Debian package epubcheck to validate the book.")
}, 120_000)

it("rejects the export of a site with visitor authentication", async () => {
  const folder = temporaryFolder()
  const database = `sqlite:${join(folder, "lectern.db")}`
  const { url, publicUrl } = await publish(database, false)
  const env = { LECTERN_DATABASE_URL: database, LECTERN_PUBLIC_URL: publicUrl }
  const { code, errors } = await runCommand(
    ["export", "--html", "--site", url, "--to", join(folder, "public")],
    env
  )
  expect(code).toBe(1)
  expect(errors).toContain("requires visitor authentication")
}, 120_000)
