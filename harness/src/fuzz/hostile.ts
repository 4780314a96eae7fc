/**
 * Hostile requests: malformed, oversized or ambiguous ones. The server must not respond to them with a server error.
 */
import * as fc from "fast-check"
import type { ApiOperation } from "./ApiOperation.ts"

/** A hostile mutation of a request. */
export type HostileMutation =
  /** Replaces the body and the content type. */
  | { readonly variant: "body"; readonly body: string; readonly type: string }
  /** Replaces the body by bytes that are not UTF-8. */
  | { readonly variant: "invalidUtf8" }
  /** Adds an undeclared field to the body. */
  | { readonly variant: "unknownField"; readonly name: string; readonly value: unknown }
  /** Replaces a leaf of the body by raw JSON. */
  | { readonly variant: "jsonValue"; readonly which: number; readonly raw: string }
  /** Replaces the last parameter of the path, without encoding it. */
  | { readonly variant: "path"; readonly end: string }
  /** Replaces the cursor of a list. */
  | { readonly variant: "cursor"; readonly cursor: string }
  /** Replaces the cursor of a list by one of another list, or by a modified one. */
  | { readonly variant: "otherCursor"; readonly which: number; readonly change: string }
  /** Appends to the query, without encoding. */
  | { readonly variant: "query"; readonly query: string }
  /** Sets a header. */
  | { readonly variant: "header"; readonly name: string; readonly value: string }
  /** Replaces the `Authorization` header by an invalid one. */
  | { readonly variant: "token"; readonly authorization: string }

const nest = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

const jsonType = "application/json"

/** Bodies that are not JSON, or not JSON objects, with their content types. */
const hostileBodies: ReadonlyArray<readonly [body: string, type: string]> = [
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
    nest("[", "]", 100_000),
    nest('{"a":', "}", 5_000),
    nest('{"changes":[', "]}", 2_000),
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

/** Raw JSON values that replace a leaf of a body. */
const hostileJsonValues: ReadonlyArray<string> = [
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
  nest("[", "]", 150)
]

const hostilePathSegments: ReadonlyArray<string> = [
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

const hostileCursors: ReadonlyArray<string> = [
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

const hostileQueries: ReadonlyArray<string> = [
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

const hostileHeaders: ReadonlyArray<readonly [name: string, value: string]> = [
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

const invalidAuthorizations: ReadonlyArray<string> = [
  "",
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Basic YTpi",
  `Bearer ${"x".repeat(4_000)}`
]

/** Returns an arbitrary of the hostile mutations that apply to an operation. */
export const hostileArbitrary = ({
  paramNames,
  query,
  payload
}: ApiOperation): fc.Arbitrary<HostileMutation> => {
  const forAll: ReadonlyArray<fc.Arbitrary<HostileMutation>> = [
    fc.constantFrom(...hostileQueries).map((query) => ({ variant: "query", query })),
    fc.constantFrom(...hostileHeaders).map(([name, value]) => ({ variant: "header", name, value })),
    fc.constantFrom(...invalidAuthorizations).map((authorization) => ({ variant: "token", authorization }))
  ]
  const forPaths: ReadonlyArray<fc.Arbitrary<HostileMutation>> =
    paramNames.length === 0
      ? []
      : [fc.constantFrom(...hostilePathSegments).map((end) => ({ variant: "path", end }))]
  const hasPages =
    query?.ast._tag === "Objects" && query.ast.propertySignatures.some(({ name }) => name === "page")
  const forLists: ReadonlyArray<fc.Arbitrary<HostileMutation>> = hasPages
    ? [
        fc.constantFrom(...hostileCursors).map((cursor) => ({ variant: "cursor", cursor })),
        fc.record({
          variant: fc.constant("otherCursor"),
          which: fc.nat(100),
          change: fc.constantFrom("", "A", "x", "==")
        })
      ]
    : []
  const forBodies: ReadonlyArray<fc.Arbitrary<HostileMutation>> =
    payload === undefined
      ? []
      : [
          fc.constantFrom(...hostileBodies).map(([body, type]) => ({ variant: "body", body, type })),
          fc.constant({ variant: "invalidUtf8" }),
          fc.record({
            variant: fc.constant("unknownField"),
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
            fc.record({
              variant: fc.constant("jsonValue"),
              which: fc.nat(100),
              raw: fc.constantFrom(...hostileJsonValues)
            })
          )
        ]
  return fc.oneof(...forAll, ...forPaths, ...forLists, ...forBodies) as fc.Arbitrary<HostileMutation>
}
