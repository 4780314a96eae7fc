/** Reads the source of a spec: fetches its document and the documents that it references, and parses them. */

import type { Fetch, StorageUnavailable } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import type { SpecVersionRow } from "@lectern/kernel/tables"
import type { UpstreamFailed, UpstreamTimeout } from "@lectern/model/errors"
import {
  maximumBytes,
  ProcessErrorCode,
  SpecProblem,
  type SpecProblemCode
} from "@lectern/model/openapi-specs"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Schema } from "effect"
import { unlessTransient } from "../conversion/catchUnreadable.ts"
import type { ParsedDocument, ReferencedFile } from "./parseDocument.ts"
import type { ParseSpec } from "./SpecParser.ts"
import { maximumProblems, problemOf } from "./specProblems.ts"

/** The timeout for fetching a document, in milliseconds. */
const fetchMillis = 30_000

/** The maximum number of documents of a spec. */
const maximumFiles = 50

/** The maximum length of a reference in a message. */
const maximumQuoted = 200

/** A document as it was received. */
export interface SourceDocument {
  readonly body: Uint8Array
  /** The URL that it was fetched from; undefined if it was uploaded. */
  readonly url: string | undefined
}

/** The stored content of a version, with its warnings. A different hash is a new version. */
export interface SpecContent extends Pick<SpecVersionRow, "hash" | "contentType" | "document" | "files"> {
  readonly problems: ReadonlyArray<SpecProblem>
}

/** The error of a source that cannot be fetched or parsed. */
export class SpecReadError extends Schema.TaggedError<SpecReadError>()("SpecReadError", {
  code: ProcessErrorCode,
  problems: Schema.Array(SpecProblem)
}) {}

const readError = (code: ProcessErrorCode, problem: SpecProblem): SpecReadError =>
  new SpecReadError({ code, problems: [problem] })

/** Whether the text of a document is JSON, for its media type and its default name. */
export const isJsonDocument = (body: Uint8Array): boolean =>
  new TextDecoder().decode(body.subarray(0, 1024)).trimStart().startsWith("{")

/** The name of a document among the files of a spec: the last segment of its URL, or a default name. */
const fileNameOf = ({ url, body }: SourceDocument): string => {
  const last = url === undefined ? undefined : new URL(url).pathname.split("/").at(-1)
  return last === undefined || last === "" ? `openapi.${isJsonDocument(body) ? "json" : "yaml"}` : last
}

/** The problem of a document that cannot be fetched. */
const fetchProblem = (error: UpstreamFailed | UpstreamTimeout): SpecProblem => {
  if (error._tag === "UpstreamTimeout") return problemOf("FETCH_TIMEOUT", error.message)
  return problemOf(error.reason === "ResponseTooLarge" ? "TOO_LARGE" : "FETCH_ERROR", error.message)
}

/** Joins documents to a JSON object of documents by name, without a copy of them as text. */
const joinDocuments = (documents: ReadonlyMap<string, ParsedDocument>): Uint8Array => {
  const parts = Array.from(documents, ([name, { json }], index) => [
    utf8ToBytes(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`),
    json
  ]).flat()
  parts.push(utf8ToBytes("}"))
  const joined = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** A reference to follow. `name` is its name among the files of the spec. */
interface QueuedFile extends ReferencedFile {
  readonly from: string | undefined
  readonly name: string
  /** The document that has the reference. */
  readonly referencedBy: string
}

/** Creates the functions that read sources, over a fetcher and a parser. */
export const makeSpecReader = (fetch: Fetch, parse: ParseSpec) => {
  /** Fetches a document. Fails with `SpecReadError`. */
  const download = (url: string): Effect.Effect<SourceDocument, SpecReadError> =>
    fetch({
      url,
      accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
      maximumBytes,
      timeoutMillis: fetchMillis
    }).pipe(
      Effect.mapError((error) =>
        readError(error._tag === "UpstreamTimeout" ? "FETCH_TIMEOUT" : "FETCH_ERROR", fetchProblem(error))
      )
    )

  const parseFile = (
    body: Uint8Array,
    file: string,
    isFirst: boolean
  ): Effect.Effect<ParsedDocument, SpecReadError | StorageUnavailable> =>
    Effect.catchTag(parse(body, isFirst), "ParseFailed", (error) =>
      unlessTransient(error, ({ problems }) =>
        Effect.fail(
          new SpecReadError({
            code: "PARSE_ERROR",
            problems: problems.map((problem) => ({ ...problem, file }))
          })
        )
      )
    )

  /** Parses a document and, transitively, the documents that it references, each once. */
  const readDocuments = Effect.fnUntraced(function* (
    first: SourceDocument
  ): Effect.fn.Return<SpecContent, SpecReadError | StorageUnavailable> {
    const mainName = fileNameOf(first)
    const main = yield* parseFile(first.body, mainName, true)
    const documents = new Map([[mainName, main]])
    const seen = new Set(first.url === undefined ? [] : [first.url])
    const queue: Array<QueuedFile> = []
    const enqueue = ({ files }: ParsedDocument, referencedBy: string, from: string | undefined) => {
      for (const { file, position } of files) queue.push({ file, position, from, name: file, referencedBy })
    }
    enqueue(main, mainName, first.url)
    let remainingBytes = maximumBytes - first.body.length
    for (const { file, from, name, referencedBy, position } of queue) {
      const fail = (code: ProcessErrorCode, problem: SpecProblemCode, message: string) =>
        readError(code, { ...problemOf(problem, message), file: referencedBy, ...position })
      const shown = file.slice(0, maximumQuoted)
      const url = URL.canParse(file, from) ? new URL(file, from).href : undefined
      if (url === undefined) {
        return yield* fail(
          "PARSE_ERROR",
          "REFERENCE_NOT_FOUND",
          `The reference "${shown}" is relative, and the document has no URL. Create the spec from a URL.`
        )
      }
      if (seen.has(url)) continue
      seen.add(url)
      if (seen.size > maximumFiles) {
        return yield* fail(
          "PARSE_ERROR",
          "TOO_MANY_FILES",
          `The spec has more than ${maximumFiles} documents.`
        )
      }
      const source = yield* Effect.mapError(download(url), ({ code, problems: [problem] }) =>
        fail(code, problem!.code, `The reference "${shown}" cannot be fetched: ${problem!.message}`)
      )
      remainingBytes -= source.body.length
      if (remainingBytes < 0) {
        const message = `The documents of the spec are larger than ${maximumBytes} bytes in all.`
        return yield* fail("PARSE_ERROR", "TOO_LARGE", message)
      }
      const document = yield* parseFile(source.body, name, false)
      documents.set(name, document)
      enqueue(document, name, source.url)
    }
    const hashes = Array.from(documents, ([name, { hash }]) => `${name} ${hash}`).join("\n")
    return {
      hash: sha256Hex(hashes),
      contentType: isJsonDocument(first.body) ? "application/json" : "application/yaml",
      document: first.body,
      files: joinDocuments(documents),
      problems: Array.from(documents, ([file, { problems }]) =>
        problems.map((problem) => ({ ...problem, file }))
      )
        .flat()
        .slice(0, maximumProblems)
    }
  })

  return { download, readDocuments }
}
