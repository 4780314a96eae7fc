/** Steps on uploads: requests of signed URLs, and files that are sent to them. */
import assert from "node:assert/strict"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import { asUserWho, defineStep, errorTagOf, type Feature, type StepContext } from "../definition/Step.ts"
import type { UploadState } from "../state/OutsideModel.ts"
import type { ErrorTag, WorkspaceModel } from "../state/WorkspaceModel.ts"

/** The maximum number of uploads of a user in an organization that have not expired. */
const maximumUploads = 100

/** How long the URL of an upload is valid, in milliseconds, from the start of the next second. */
const urlLifetimeMs = 60 * 60 * 1_000

/** How long an upload counts, in milliseconds. */
const retentionMs = 24 * urlLifetimeMs

/** The sizes of files in bytes, by name. A font has at most 5 MiB. */
const sizes = { small: 12, empty: 0, large: 5 * 1024 * 1024 + 1 } as const

interface Requesting {
  readonly organization: number
  readonly kind: "import_file" | "customization_font"
  readonly size: keyof typeof sizes
}

/** Whether content of an organization is shared with a user. A guest can upload only then. */
const hasGrant = (model: WorkspaceModel, user: string, organization: string): boolean =>
  model.grants.some(
    (grant) =>
      model.organizationOf(grant.target) === organization &&
      (grant.user === user || (grant.team !== undefined && model.teams.get(grant.team)!.users.has(user)))
  )

const accessError = (model: WorkspaceModel, user: string, organization: string): ErrorTag | undefined =>
  model.membershipError(user, organization, null) ??
  (model.roleIn(user, organization) === null && !hasGrant(model, user, organization)
    ? "Forbidden"
    : undefined)

const request = async (from: StepContext, given: Requesting & ActorChoice): Promise<void> => {
  const { model, actors } = from
  const organization = nthOf(actors.organizations, given.organization)!
  const context = asUserWho(from, given, (user) => accessError(model, user, organization) === undefined)
  const { user } = context
  const size = sizes[given.size]
  const isTooLarge = given.kind === "customization_font" && size > 5 * 1024 * 1024
  const own = [...model.uploads.values()].filter(
    (one) => one.user === user && one.organization === organization && one.createdAt + retentionMs > model.now
  )
  const expectedError =
    (size === 0 ? "InvalidInput" : undefined) ??
    accessError(model, user, organization) ??
    (isTooLarge ? "InvalidInput" : own.length >= maximumUploads ? "Conflict" : undefined)
  const input = { file: { name: "handbook.md", type: "text/markdown", size }, kind: given.kind }
  const value = await context.expect(["uploads", "create", [organization, input]], expectedError)
  if (expectedError !== undefined) return
  const { key, url } = value as { readonly key: string; readonly url: string }
  assert.ok(!model.uploads.has(key), "An upload has the key of another one.")
  model.uploads.set(key, { organization, user, url, size, createdAt: model.now })
}

/** Sends a file to the URL of an upload, which requires no token. */
const send = async (
  { api, model }: StepContext,
  given: { readonly upload: number; readonly body: "declared" | "shorter" | "otherSignature" }
): Promise<void> => {
  const upload: UploadState | undefined = nthOf(
    [...model.uploads.values()].filter(({ size }) => size === sizes.small),
    given.upload
  )
  if (upload === undefined) return
  const url = given.body === "otherSignature" ? upload.url.replace(/signature=./, "signature=~") : upload.url
  const bytes = new Uint8Array(given.body === "shorter" ? upload.size - 1 : upload.size).fill(97)
  const outcome = await api.send(url, bytes)
  const isExpired = model.now >= Math.ceil(upload.createdAt / 1_000) * 1_000 + urlLifetimeMs
  const expected = {
    declared: isExpired ? "Gone" : undefined,
    shorter: isExpired ? "Gone" : "InvalidInput",
    otherSignature: "NotFound"
  }
  assert.equal(errorTagOf(outcome), expected[given.body])
}

/** The feature of uploads. Users see an upload only by its key, so nothing is compared. */
export const uploads: Feature = {
  steps: {
    requestUpload: defineStep<Requesting>({
      weight: 2,
      choices: {
        organization: nth,
        kind: choose({ import_file: 2, customization_font: 1 }),
        size: choose({ small: 5, empty: 1, large: 1 })
      },
      run: request
    }),
    sendUpload: defineStep<{ upload: number; body: "declared" | "shorter" | "otherSignature" }>({
      weight: 2,
      choices: { upload: nth, body: choose({ declared: 3, shorter: 1, otherSignature: 1 }) },
      run: send
    })
  },
  compare: () => Promise.resolve()
}
