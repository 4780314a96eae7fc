/**
 * A program that starts a run of a translation, and is killed during it: `node killedTranslation.ts <file> <organization> <translation>
 * <user>`. Its model never responds. It prints a line when the model has received the first request.
 */
import { modelAnswers } from "@lectern/answers"
import { converters } from "@lectern/converters"
import {
  CurrentUser,
  GitPacks,
  ImportReader,
  MarkdownEngine,
  type OrganizationId,
  SpecParser,
  type TranslationId,
  UserId
} from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect, Layer } from "effect"

const [, , filename = "", organization = "", translation = "", user = ""] = process.argv

const { markdownEngine, importReader, gitPacks, specParser } = converters()

const core = makeCoreApi(
  Layer.mergeAll(
    SqliteStorage.layer({ filename }),
    Layer.succeed(MarkdownEngine, markdownEngine),
    Layer.succeed(ImportReader, importReader),
    Layer.succeed(GitPacks, gitPacks),
    Layer.succeed(SpecParser, specParser)
  )
)

const start = Effect.gen(function* () {
  const { translations } = yield* modelAnswers({
    url: "http://127.0.0.1:9/",
    name: "silent",
    fetch: () =>
      Effect.andThen(
        Effect.sync(() => console.log("requested")),
        Effect.never
      )
  })
  yield* CurrentUser.provide(UserId.make(user))(
    translations.start({
      organization: organization as OrganizationId,
      translation: translation as TranslationId
    })
  )
})

await core.runtime.runPromise(Effect.provideService(start, Clock.Clock, core.clock))
setInterval(() => {}, 1_000)
