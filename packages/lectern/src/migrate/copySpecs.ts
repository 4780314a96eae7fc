/** Copies OpenAPI specs, translation settings and the glossary. */
import { CreateTranslation, UpdateSpec } from "@lectern/model"
import { Effect } from "effect"
import type { Fields, Item } from "./ApiClient.ts"
import {
  ensureCopy,
  type Findings,
  type MigrationContext,
  onceComplete,
  onceDone,
  step,
  textOf
} from "./Context.ts"
import { organizationPath } from "./copySpaces.ts"
import { transferFields } from "./transferFields.ts"

const copySpec = Effect.fnUntraced(function* (context: MigrationContext, spec: Item, findings: Findings) {
  const { source, target, journal } = context
  const slug = textOf(spec.slug)
  const from = `${organizationPath(journal.migration.fromOrganization)}/openapi/${encodeURIComponent(slug)}`
  const to = `${organizationPath(journal.migration.toOrganization)}/openapi/${encodeURIComponent(slug)}`
  const readText = Effect.gen(function* () {
    const raw = yield* Effect.result(source.get(`${from}/versions/latest/content/raw`))
    if (raw._tag === "Success" && typeof raw.success.text === "string") return raw.success.text
    const content = yield* source.get(`${from}/versions/latest/content`)
    const file = yield* Effect.result(source.download(textOf(content.url)))
    if (file._tag === "Success") return new TextDecoder().decode(file.success.body)
    const [first] = Object.values((content.filesystem ?? {}) as Fields)
    if (first === undefined) return yield* file.failure
    findings.changed("The text of the spec cannot be read: the copy is its JSON.")
    return JSON.stringify(first)
  })
  yield* onceComplete(
    context,
    `spec-source/${slug}`,
    findings,
    Effect.gen(function* () {
      const hasUrl = typeof spec.sourceURL === "string" && spec.sourceURL !== ""
      if (!hasUrl && typeof spec.lastVersion !== "string") {
        return findings.missing("The spec has neither a URL nor a version: its source was never read.")
      }
      const origin = hasUrl ? { url: spec.sourceURL } : { text: yield* readText }
      const copy = yield* target.send({
        method: "PUT",
        path: to,
        body: { source: origin },
        isRepeatable: true
      })
      // References can have the slug or the id.
      yield* journal.finish(`spec/${spec.id}`, textOf(copy.id))
      yield* journal.finish(`spec/${slug}`, slug)
    })
  )
  const { values } = transferFields(UpdateSpec.fields, spec)
  if (journal.idOf(`spec/${slug}`) === undefined || Object.keys(values).length === 0) return
  yield* onceDone(
    context,
    `spec-settings/${slug}`,
    target.send({ method: "PATCH", path: to, body: values, isRepeatable: true })
  )
})

/** Copies OpenAPI specs: their URL, or the text of the latest version. */
export const copySpecs = Effect.fnUntraced(function* (context: MigrationContext) {
  const path = `${organizationPath(context.journal.migration.fromOrganization)}/openapi`
  const specs = yield* step(context, "specs", "OpenAPI specs", () => context.source.list(path))
  for (const spec of (specs ?? []).toReversed()) {
    yield* step(context, `spec/${spec.id}`, `OpenAPI spec ${textOf(spec.slug)}`, (findings) =>
      copySpec(context, spec, findings)
    )
  }
})

/** Copies translation settings. */
export const copyTranslations = Effect.fnUntraced(function* (context: MigrationContext) {
  const { source, target, journal } = context
  const from = `${organizationPath(journal.migration.fromOrganization)}/translations`
  const to = `${organizationPath(journal.migration.toOrganization)}/translations`
  const settings = yield* step(context, "translations", "translations", () => source.list(from))
  for (const setting of (settings ?? []).toReversed()) {
    yield* step(context, `translation/${setting.id}`, `translation ${textOf(setting.title)}`, (findings) => {
      const { values } = transferFields({ title: CreateTranslation.fields.title }, setting)
      if (values.title === undefined) {
        return Effect.sync(() =>
          findings.missing("The settings have no title: create them again in the copy.")
        )
      }
      return ensureCopy(context, "translation", setting.id, {
        findCreated: (isUnknown) =>
          Effect.map(
            target.list(to),
            (items) => items.find((item) => isUnknown(item.id) && item.title === values.title)?.id
          ),
        create: (idempotencyKey) =>
          Effect.map(target.send({ method: "POST", path: to, body: values, idempotencyKey }), ({ id }) =>
            textOf(id)
          )
      })
    })
  }
})

const maximumOperations = 100

const textOfTranslations = ({ translations }: Item): string =>
  JSON.stringify(
    Object.entries((translations ?? {}) as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1))
  )

/** Copies the entries of the glossary that the target does not have. */
export const copyGlossary = (context: MigrationContext) =>
  step(context, "glossary", "glossary", () =>
    Effect.gen(function* () {
      const { source, target, journal } = context
      if (journal.idOf("glossary") !== undefined) return
      const entries = (yield* source.list(
        `${organizationPath(journal.migration.fromOrganization)}/translations-glossary`
      )).toReversed()
      const path = `${organizationPath(journal.migration.toOrganization)}/translations-glossary`
      for (let attempt = 0; ; attempt++) {
        const present = new Set((yield* target.list(path)).map(textOfTranslations))
        const missing = entries
          .filter((entry) => !present.has(textOfTranslations(entry)))
          .slice(0, maximumOperations)
        if (missing.length === 0) return yield* journal.finish("glossary", "1")
        const operations = missing.map(({ translations }) => ({ type: "insert", translations }))
        const result = yield* Effect.result(target.send({ method: "PUT", path, body: { operations } }))
        if (
          result._tag === "Failure" &&
          (attempt >= 5 || (result.failure.status !== 0 && result.failure.status < 500))
        )
          return yield* result.failure
      }
    })
  )
