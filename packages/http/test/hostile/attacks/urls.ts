/** Attacks by URLs and headers, which Node limits to 16 kB, and by the languages that they contain. */
import { type Attack, attackWith, fill, fillWith } from "../Attack.ts"
import type { Scene } from "../scene.ts"

const size = 14_000

const get = (
  parser: string,
  name: string,
  path: (scene: Scene) => string,
  headers: Record<string, string> = {}
): Attack => attackWith(parser, name, (scene) => ({ method: "GET", path: path(scene), headers }))

const search = (name: string, query: string) =>
  get("search", name, ({ space }) => `${space}/search?query=${encodeURIComponent(query).slice(0, size)}`)
const condition = (name: string, text: string): Attack =>
  attackWith("condition", name, ({ site }) => ({
    method: "POST",
    path: `${site}/sections`,
    body: { title: "S", condition: text }
  }))
const cursor = (name: string, text: string) =>
  get(
    "cursor",
    name,
    ({ organization }) =>
      `${organization}/members?page=${Buffer.from(text).toString("base64url").slice(0, size)}`
  )
const jwt = (name: string, token: string) =>
  get("JWT", name, ({ site }) => `${site}/published?visitorAuthToken=${token.slice(0, size)}`)
const base64 = (text: string) => Buffer.from(text).toString("base64url")
const header = (name: string, headers: Record<string, string>) =>
  get("header", name, ({ organization }) => organization, headers)

/** Attacks by URLs and headers. */
export const urlAttacks: ReadonlyArray<Attack> = [
  search(
    "words of a query",
    fillWith((i) => i.toString(36), " ", 12_000)
  ),
  search("quotes of a query", fill(`"a" "`, 4_000)),
  search("prefixes of a query", fill("a* ", 8_000)),
  search("operators of a query", fill("NEAR(a OR ", 6_000)),
  search("pictograms of a query", fill("👩‍👩‍👧", 1_800)),
  condition("negations", fill("!", 900_000)),
  condition("parentheses", fill("(", 900_000)),
  condition("members", `visitor.claims${fill(".a", 900_000)}`),
  condition(
    "alternatives",
    fillWith((i) => `visitor.claims.a${i}`, "||", 900_000)
  ),
  condition("a string of escapes", `"${fill("\\u0041", 900_000)}"`),
  condition("a condition of 1,000 negations", fill("!", 1000)),
  condition("a condition of nested calls", fill("visitor.claims.a.includes(", 1000)),
  cursor("a cursor of lists", fill("[", 10_000)),
  cursor("a cursor of values", `{"v":[${fillWith(() => "1", ",", 9_000)}]}`),
  cursor("a cursor of bytes", fill("\u0000", 10_000)),
  jwt("dots", fill(".", size)),
  jwt(
    "claims without a signature",
    `${base64(`{"alg":"none"}`)}.${base64(`{${fillWith((i) => `"k${i}":1`, ",", 9_000)}}`)}.`
  ),
  jwt("a nested payload", `${base64(`{"alg":"HS256"}`)}.${base64(fill("[", 9_000))}.${base64("signature")}`),
  jwt("a long header", `${base64(`{"alg":"HS256","kid":"${fill("a", 9_000)}"}`)}.e30.e30`),
  get("path", "encoded percent signs", ({ space }) => `${space}/${fill("%25", size)}`),
  get("path", "encoded percent signs of no operation", () => `/v1/${fill("%25", size)}`),
  get("path", "encoded letters", () => `/v1/${fill("%61", size)}`),
  header("a long token", { authorization: `Bearer ${fill("a", size)}` }),
  header("spaces before a token", { authorization: `Bearer ${fill(" ", size)}a` }),
  header("entity tags", { "if-none-match": fill(`"a",W/`, size) }),
  header("media types", { accept: fill("a/b;q=0.1,", size) }),
  header("encodings", { "accept-encoding": fill("gzip;q=0.5,", size) }),
  header("forwarded addresses", { "x-forwarded-for": fill("1.2.3.4,", size), forwarded: "" }),
  header("forwarded elements", { forwarded: fill(`for="[::1]:1";by=x,`, size) }),
  header("cookies", { cookie: fill("a=b;", size) }),
  header("ranges", { range: `bytes=${fill("0-0,", size)}` }),
  header("a trace", { traceparent: fill("0", size), "x-request-id": "" }),
  attackWith("header", "a content type of parameters", ({ organization }) => ({
    method: "PATCH",
    path: organization,
    body: "{}",
    headers: { "content-type": `application/json;${fill(" a=b;", size)}` }
  })),
  get("URL", "segments", () => `/v1/${fill("a/", size)}`),
  get("URL", "slashes", () => fill("/", size)),
  get("URL", "encoded slashes", ({ space }) => `${space}/content/path/${fill("%2F", size)}`),
  get("URL", "encoded percent signs", ({ space }) => `${space}/content/path/${fill("%25", size)}`),
  get("URL", "malformed escapes", ({ space }) => `${space}/content/path/${fill("%", size)}`),
  get("URL", "a path of pages", ({ space }) => `${space}/content/path/${fill("a/", 1_900)}`),
  get("URL", "semicolons", () => `/v1/orgs${fill(";", size)}`),
  get(
    "URL",
    "parameters",
    ({ organization }) => `${organization}/members?${fillWith((i) => `a${i}=1`, "&", size)}`
  ),
  get(
    "URL",
    "values of one parameter",
    ({ organization }) => `${organization}/members?${fill("limit=1&", size)}`
  ),
  get("URL", "nested parameters", ({ organization }) => `${organization}/members?a${fill("[a]", size)}=1`),
  get("URL", "an unknown path", () => `/${fill("a", size)}`),
  get("URL", "a long id", () => `/v1/spaces/${fill("a", size)}`),
  get("URL", "a file", ({ space }) => `/files/${space.slice(11)}/${fill("a", size)}/x?type=a&signature=b`)
]
