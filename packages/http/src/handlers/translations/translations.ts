/** Handlers of the endpoints for translation settings. */
import { TranslationsApi } from "@lectern/client"
import { Translations } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for translation settings. */
export const translations = Effect.map(Translations, (translations) =>
  implement(TranslationsApi, {
    listTranslations: serve(translations.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createTranslation: serve(translations.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getTranslation: serve(translations.get, ({ params }) => ({
      organization: params.organizationId,
      translation: params.translationSettingsId
    })),
    updateTranslation: serve(translations.update, ({ params, payload }) => ({
      organization: params.organizationId,
      translation: params.translationSettingsId,
      input: payload
    })),
    deleteTranslation: serve(translations.remove, ({ params }) => ({
      organization: params.organizationId,
      translation: params.translationSettingsId
    }))
  })
)
