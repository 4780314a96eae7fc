/** Steps on Git synchronization: requests of imports and exports, of repositories that do not exist. */
import assert from "node:assert/strict"
import { Policy } from "@lectern/core"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import {
  asUserWithRole,
  defineStep,
  errorTagOf,
  type Feature,
  type Observer,
  type StepContext,
  selectFocused
} from "../definition/Step.ts"
import type { GitOperationState } from "../state/OutsideModel.ts"
import { type ErrorTag, type Item, spacesOf } from "../state/WorkspaceModel.ts"

interface Shown {
  readonly ref: string
  readonly repoName: string
  readonly webhook?: string
  readonly waiting?: number
  readonly operation: { readonly direction: string; readonly state: string }
}

/** The maximum number of operations of a space that have not ended. */
const maximumQueueLength = 20

/** The times of the events that start operations. */
const timestamps = { early: "2026-01-15T09:30:00.000Z", late: "2026-01-15T10:30:00.000Z" } as const

interface Requesting {
  readonly space: number
  readonly direction: "import" | "export"
  readonly repository: "handbook" | "guides"
  readonly branch: "main" | "next"
  readonly timestamp: keyof typeof timestamps | "none"
}

const request = async (from: StepContext, given: Requesting & ActorChoice): Promise<void> => {
  const space = nthOf(spacesOf(from.model), given.space)
  if (space === undefined) return
  const context = asUserWithRole(from, given, "admin", space)
  const { model, user } = context
  const { direction, repository } = given
  const known = model.gitSyncs.get(space.id)
  const expectedError: ErrorTag | undefined =
    model.accessError(user, space, "admin", "change") ??
    ((known?.queue.length ?? 0) >= maximumQueueLength ? "Conflict" : undefined)
  const timestamp = given.timestamp === "none" ? undefined : timestamps[given.timestamp]
  const ref = `refs/heads/${given.branch}`
  const input = {
    // The password must never be shown.
    url: `https://ada:secret@git.invalid/acme/${repository}.git`,
    ref,
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(direction === "export" ? { commitMessage: "Export" } : {})
  }
  await context.expect(["gitSync", `${direction}Repository`, [space.id, input]], expectedError)
  if (expectedError !== undefined) return
  if (known?.timestamp !== undefined && timestamp !== undefined && timestamp < known.timestamp) return
  const operation: GitOperationState = { direction, repository: `acme/${repository}`, ref }
  const queue = [...(known?.queue ?? []), operation]
  model.gitSyncs.set(space.id, { started: queue[0]!, queue, timestamp: timestamp ?? known?.timestamp })
}

const compareSpace = async ({ api, model, user }: Observer, space: Item): Promise<void> => {
  const known = model.gitSyncs.get(space.id)
  const expectedError =
    model.accessError(user, space, "read", "read") ?? (known === undefined ? "NotFound" : undefined)
  const outcome = await api.call(user, ["gitSync", "getInfo", [space.id]])
  assert.equal(errorTagOf(outcome), expectedError)
  if (!outcome.ok || known === undefined) return
  const { ref, repoName, webhook, waiting, operation } = outcome.value as Shown
  assert.deepEqual(
    {
      ref,
      repoName,
      hasWebhook: webhook !== undefined,
      waiting: waiting ?? 0,
      direction: operation.direction,
      state: operation.state
    },
    {
      ref: known.started.ref,
      repoName: known.started.repository,
      hasWebhook: Policy.spacePermissions(model.roleOn(user, space), null).triggerGitSync,
      waiting: Math.max(0, known.queue.length - 1),
      direction: (known.queue.at(-1) ?? known.started).direction,
      state: known.queue.length > 0 ? "running" : "failure"
    }
  )
  assert.ok(!JSON.stringify(outcome.value).includes("secret"), "The synchronization shows a password.")
}

/** The feature of Git synchronization. */
export const git: Feature = {
  steps: {
    requestGitSync: defineStep<Requesting>({
      weight: 3,
      choices: {
        space: nth,
        direction: choose({ import: 1, export: 1 }),
        repository: choose({ handbook: 2, guides: 1 }),
        branch: choose({ main: 2, next: 1 }),
        timestamp: choose({ none: 2, early: 1, late: 1 })
      },
      run: request
    })
  },
  compare: async (observer) => {
    for (const space of selectFocused(spacesOf(observer.model), observer.focus)) {
      await compareSpace(observer, space)
    }
  }
}
