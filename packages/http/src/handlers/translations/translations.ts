import { TranslationsApi } from "@lectern/client"
import { Translations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const translations = Effect.map(Translations, (translations) =>
  implement(TranslationsApi, {
    listTranslations: translations.list,
    createTranslation: translations.create,
    getTranslation: translations.get,
    updateTranslation: translations.update,
    deleteTranslation: translations.remove
  })
)
