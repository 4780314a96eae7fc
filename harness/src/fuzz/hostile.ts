/** Requests that no client means: broken, oversized, confusing. No answer to them may be a server's fault. */
import * as fc from "fast-check"
import type { Declared } from "./Declared.ts"

/** What is done to a request, beside what it asks for. */
export type Hostile =
  /** The body is this text, of this type. */
  | { readonly way: "body"; readonly body: string; readonly type: string }
  /** The body is no text in UTF-8. */
  | { readonly way: "bytes" }
  /** The body has fields that are not declared. */
  | { readonly way: "fields"; readonly name: string; readonly value: unknown }
  /** One of the texts in the body is another, as it is written in JSON. */
  | { readonly way: "leaf"; readonly which: number; readonly raw: string }
  /** The end of the path is this, as it is sent. */
  | { readonly way: "path"; readonly end: string }
  /** The page of a list is this. */
  | { readonly way: "cursor"; readonly cursor: string }
  /** The page of a list is that of another list, or one that was changed. */
  | { readonly way: "other cursor"; readonly which: number; readonly change: string }
  /** The query is this, as it is sent. */
  | { readonly way: "query"; readonly query: string }
  /** A header is this. */
  | { readonly way: "header"; readonly name: string; readonly value: string }
  /** Nobody says who calls, or somebody who is not known. */
  | { readonly way: "token"; readonly authorization: string }

const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

const jsonType = "application/json"

/** Bodies that are no objects, or no JSON. */
const bodies: ReadonlyArray<readonly [body: string, type: string]> = [
  ...[
    "{",
    "}",
    "nul",
    '{"title":',
    '{"title": NaN}',
    '{"a": Infinity}',
    "{'title': 'x'}",
    '{"a":1,}',
    "\u0000",
    "\ufeff{}",
    '"\\ud800',
    "[]",
    "[[]]",
    "null",
    "true",
    "12345678901234567890",
    "1e400",
    '"text"',
    deep("[", "]", 100_000),
    deep('{"a":', "}", 5_000),
    deep('{"changes":[', "]}", 2_000),
    '{"a":1,"a":2}',
    `{"${"x".repeat(100_000)}":1}`
  ].map((body) => [body, jsonType] as const),
  ["{}", "text/plain"],
  ["{}", "application/xml"],
  ["a=b", "application/x-www-form-urlencoded"],
  ["--x\r\n\r\n--x--", "multipart/form-data; boundary=x"],
  ["{}", "application/json; charset=utf-16"],
  ["{}", "application/merge-patch+json"],
  ["{}", ", ,;;="]
]

/** What a text becomes, as JSON. */
const leaves: ReadonlyArray<string> = [
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"a\\u0000b"',
  '"\\u0001\\u001b[2J\\r\\n\\t\\u007f"',
  '"\\u202e\\u2028\\u2029\\ufffe\\uffff"',
  JSON.stringify("x".repeat(300_000)),
  JSON.stringify("é".repeat(50_000)),
  JSON.stringify("[".repeat(20_000)),
  JSON.stringify("> ".repeat(5_000)),
  JSON.stringify("*a ".repeat(5_000)),
  JSON.stringify("![".repeat(5_000)),
  JSON.stringify(`|${"a|".repeat(2_000)}\n|${"-|".repeat(2_000)}`),
  JSON.stringify("<a ".repeat(3_000)),
  "1e400",
  "-0",
  "123456789012345678901234567890",
  "9007199254740993",
  "1e-400",
  "0.1e1",
  "null",
  "true",
  "[]",
  "{}",
  '{"__proto__":{"polluted":true}}',
  '{"toString":1,"valueOf":1,"then":1}',
  deep("[", "]", 150)
]

const ends: ReadonlyArray<string> = [
  "%",
  "%zz",
  "%c3%28",
  "%ED%A0%80",
  "%00",
  "a%00b",
  "%0d%0aSet-Cookie:x=1",
  "..",
  "%2e%2e",
  "%2e%2e%2f%2e%2e",
  ".",
  "",
  "/",
  "//",
  ";a=b",
  "a%2Fb%2Fc",
  "%25%32%46",
  "x".repeat(3_000),
  "%F0%9F%98%80".repeat(50),
  "__proto__",
  "constructor",
  "*",
  ":id",
  "a#b",
  "~".repeat(100)
]

const cursors: ReadonlyArray<string> = [
  "x",
  "null",
  "{}",
  "W10",
  "bnVsbA",
  "eyJhIjoxfQ",
  "WzEsMl0",
  "AAAA",
  "////",
  "%00",
  "é",
  "=".repeat(10),
  "A".repeat(1_800)
]

const queries: ReadonlyArray<string> = [
  "limit=1&limit=2",
  "limit[]=5",
  "limit=%zz",
  "%=%&&==&?",
  "__proto__=1&constructor=2&hasOwnProperty=3",
  `${"a=b&".repeat(3_000)}limit=0`,
  "limit=00000000000000000000000000001",
  "limit=1e2",
  "limit=%31",
  "limit=+1",
  "limit=%EF%BC%95",
  "page=&limit=",
  "limit",
  "%c3%28=1",
  "query=%00",
  "query=%ED%A0%80",
  `query=${"%22".repeat(500)}`,
  `query=${"a%20".repeat(120)}`,
  "format=markdown&format=document",
  "search=%25%5F%5C%27",
  "title=%00",
  "order=ASC",
  "authors=&authors=x"
]

const headers: ReadonlyArray<readonly [name: string, value: string]> = [
  ["if-match", "*"],
  ["if-match", '"a", W/"b", c'],
  ["if-match", '"'.repeat(5_000)],
  ["if-none-match", "*"],
  ["if-none-match", 'W/"x"'],
  ["accept", "text/html"],
  ["accept", "application/json;q=0"],
  ["accept", ","],
  ["content-encoding", "gzip"],
  ["content-encoding", "identity"],
  ["idempotency-key", "x".repeat(1_000)],
  ["idempotency-key", ""],
  ["x-request-id", "a\tb{}"],
  ["x-forwarded-host", "evil.invalid"],
  ["host", "evil.invalid"],
  ["origin", "https://evil.invalid"],
  ["range", "bytes=0-1"],
  ["x-http-method-override", "DELETE"],
  ["cookie", "x".repeat(6_000)]
]

const tokens: ReadonlyArray<string> = [
  "",
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Basic YTpi",
  `Bearer ${"x".repeat(4_000)}`
]

/** The hostile things that can be done to an operation's requests. */
export const hostileOf = ({ params, query, payload }: Declared): fc.Arbitrary<Hostile> => {
  const always: ReadonlyArray<fc.Arbitrary<Hostile>> = [
    fc.constantFrom(...queries).map((query) => ({ way: "query", query })),
    fc.constantFrom(...headers).map(([name, value]) => ({ way: "header", name, value })),
    fc.constantFrom(...tokens).map((authorization) => ({ way: "token", authorization }))
  ]
  const ofParams: ReadonlyArray<fc.Arbitrary<Hostile>> =
    params.length === 0 ? [] : [fc.constantFrom(...ends).map((end) => ({ way: "path", end }))]
  const hasPages =
    query?.ast._tag === "Objects" && query.ast.propertySignatures.some(({ name }) => name === "page")
  const ofLists: ReadonlyArray<fc.Arbitrary<Hostile>> = hasPages
    ? [
        fc.constantFrom(...cursors).map((cursor) => ({ way: "cursor", cursor })),
        fc.record({
          way: fc.constant("other cursor"),
          which: fc.nat(100),
          change: fc.constantFrom("", "A", "x", "==")
        })
      ]
    : []
  const ofBodies: ReadonlyArray<fc.Arbitrary<Hostile>> =
    payload === undefined
      ? []
      : [
          fc.constantFrom(...bodies).map(([body, type]) => ({ way: "body", body, type })),
          fc.constant({ way: "bytes" }),
          fc.record({
            way: fc.constant("fields"),
            name: fc.constantFrom(
              "x-unknown",
              "__proto__",
              "constructor",
              "toString",
              "id",
              "object",
              "organization"
            ),
            value: fc.jsonValue({ maxDepth: 4 })
          }),
          ...[1, 2, 3].map(() =>
            fc.record({ way: fc.constant("leaf"), which: fc.nat(100), raw: fc.constantFrom(...leaves) })
          )
        ]
  return fc.oneof(...always, ...ofParams, ...ofLists, ...ofBodies) as fc.Arbitrary<Hostile>
}
