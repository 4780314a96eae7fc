/** Handlers of the operations on translation settings. */

import { TranslationsApi } from "@lectern/client"
import { Translations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on translation settings, implemented. */
export const translations = Effect.map(Translations, (translations) =>
  implement(TranslationsApi, {
    listTranslations: ({ params, query }) => translations.list(params.organizationId, query),
    createTranslation: ({ params, payload }) => translations.create(params.organizationId, payload),
    getTranslation: ({ params }) => translations.get(params.organizationId, params.translationSettingsId),
    updateTranslation: ({ params, payload }) =>
      translations.update(params.organizationId, params.translationSettingsId, payload),
    deleteTranslation: ({ params }) =>
      translations.remove(params.organizationId, params.translationSettingsId)
  })
)
