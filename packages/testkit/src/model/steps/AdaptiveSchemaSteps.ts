/** Steps on the adaptive schemas of sites, and the conditions that they suggest. */
import assert from "node:assert/strict"
import { type ActorChoice, choose } from "../definition/choices.ts"
import {
  defineStep,
  errorTagOf,
  type Feature,
  type Observer,
  type StepContext,
  selectFocused
} from "../definition/Step.ts"
import type { AdaptiveSchemaName, Site } from "../state/SiteModel.ts"
import { type OneSite, resolveSite, siteChoice } from "./SiteChoice.ts"
import { siteError } from "./SiteCompare.ts"

const objectOf = (properties: object) => ({ type: "object", properties, additionalProperties: false })

/** The schemas of claims, with the conditions that each suggests. */
const schemas: Readonly<
  Record<AdaptiveSchemaName, { readonly jsonSchema: object; readonly conditions: ReadonlyArray<string> }>
> = {
  none: { jsonSchema: objectOf({}), conditions: [] },
  plan: {
    jsonSchema: objectOf({ plan: { type: "string", enum: ["pro"] }, name: { type: "string" } }),
    conditions: ['visitor.claims.plan == "pro"', 'visitor.claims.plan != "pro"']
  },
  nested: {
    jsonSchema: objectOf({
      account: objectOf({ "beta tester": { type: "boolean" }, seats: { type: "number" } }),
      products: { type: "array", items: { type: "string", enum: ["api"] } }
    }),
    conditions: [
      'visitor.claims.account["beta tester"]',
      '!visitor.claims.account["beta tester"]',
      "visitor.claims.account.seats > 0",
      "visitor.claims.account.seats == 0",
      'visitor.claims.products.includes("api")'
    ]
  }
}

/** A schema that permits other claims, which is invalid. */
const open = { type: "object", properties: {}, additionalProperties: true }

interface Setting extends OneSite {
  readonly schema: AdaptiveSchemaName | "open"
}

const set = async (from: StepContext, given: Setting & ActorChoice): Promise<void> => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization, context } = chosen
  const { schema } = given
  const jsonSchema = schema === "open" ? open : schemas[schema].jsonSchema
  const expectedError =
    schema === "open" ? "InvalidInput" : siteError(context.model, context.user, site, organization, "create")
  const value = await context.expect(
    ["siteSettings", "updateAdaptiveSchema", [organization, site.id, { jsonSchema }]],
    expectedError
  )
  if (expectedError !== undefined || schema === "open") return
  site.adaptiveSchema = schema
  assert.deepEqual((value as { jsonSchema: object }).jsonSchema, jsonSchema)
}

const compareSite = async ({ api, model, user }: Observer, site: Site): Promise<void> => {
  const at = [site.organization, site.id]
  const hidden = siteError(model, user, site, site.organization, "read")
  const schema = site.adaptiveSchema
  const found = await api.call(user, ["siteSettings", "getAdaptiveSchema", at])
  assert.equal(errorTagOf(found), hidden ?? (schema === undefined ? "NotFound" : undefined))
  if (found.ok && schema !== undefined) {
    assert.deepEqual((found.value as { jsonSchema: object }).jsonSchema, schemas[schema].jsonSchema)
  }
  const suggested = await api.call(user, ["siteSettings", "listTemplateConditions", at])
  assert.equal(errorTagOf(suggested), hidden)
  if (!suggested.ok) return
  const { items } = suggested.value as { items: ReadonlyArray<{ condition: string }> }
  assert.deepEqual(
    items.map(({ condition }) => condition),
    schema === undefined ? [] : schemas[schema].conditions
  )
}

/** The feature of adaptive schemas. */
export const adaptiveSchemas: Feature = {
  steps: {
    setAdaptiveSchema: defineStep<Setting>({
      weight: 2,
      choices: { site: siteChoice, schema: choose({ none: 1, plan: 2, nested: 2, open: 1 }) },
      run: set
    })
  },
  compare: async (observer) => {
    for (const site of selectFocused([...observer.model.sites.values()], observer.focus)) {
      await compareSite(observer, site)
    }
  }
}
