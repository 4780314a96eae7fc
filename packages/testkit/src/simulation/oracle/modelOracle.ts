/**
 * The model of a workspace as the oracle of a simulation: the committed calls, applied to it in the order of their commits, must end as
 * it predicts, and the store must have its contents in the end. Unlike the serial execution, it shares no code with the workspace.
 */
import { WorkspaceModel } from "../../model/state/WorkspaceModel.ts"
import { type ModelRule, type SimulatedCall, toModelCall } from "./ModelRule.ts"
import { peopleRules } from "./peopleRules.ts"
import { treeRules } from "./treeRules.ts"

const rules: Readonly<Record<string, ModelRule>> = { ...treeRules, ...peopleRules }

/** How a call ended. Only a success or a failure is compared. */
export interface CallEnd {
  readonly kind: "success" | "failure" | "unknown" | "defect"
  /** The result of a success. */
  readonly value?: unknown
  /** The tag of the error of a failure, and its reason. */
  readonly error?: string
}

type Row = Readonly<Record<string, unknown>>

/** Returns the rows of a table of a store, by its name. */
type RowsOf = (table: string) => ReadonlyArray<Row>

/** The model, and its comparison with a simulation. */
export interface ModelOracle {
  /** Compares how a call ends with the prediction, in the state after the commits so far. Returns the difference. */
  readonly compare: (call: SimulatedCall, outcome: CallEnd, timeMs: number) => string | undefined
  /** Compares a committed call, and applies it. Returns the difference. */
  readonly commit: (call: SimulatedCall, outcome: CallEnd, timeMs: number) => string | undefined
  /** Compares the rows of a store with the model. Returns the first difference. */
  readonly findDifference: (rowsOf: RowsOf) => string | undefined
}

/** Returns how a call ended, as the model predicts it; undefined if it has no result, or none that a rule determines. */
const endOf = (outcome: CallEnd): { readonly error: string | undefined } | undefined => {
  if (outcome.kind === "success") return { error: undefined }
  return outcome.kind === "failure" ? { error: (outcome.error ?? "").split(" ")[0] } : undefined
}

const describe = (error: string | undefined): string => error ?? "succeed"

/** Returns the contents of the model as lines, in the order of siblings. */
const linesOfModel = (model: WorkspaceModel): ReadonlyArray<string> => [
  ...[...model.childIds].flatMap(([parent, ids]) =>
    ids.map((id, index) => {
      const { kind, organization, title, deletedAt } = model.items.get(id)!
      const isRemoved = deletedAt === undefined ? "" : " in the trash"
      return `${kind} ${id} "${title}" of ${organization} at ${index} in ${parent}${isRemoved}`
    })
  ),
  ...[...model.sites.values()].map(
    ({ id, title, visibility, published }) => `site ${id} "${title}" ${visibility} ${published}`
  ),
  ...[...model.members].flatMap(([organization, users]) =>
    [...users].map(([user, role]) => `member ${user} of ${organization}: ${role}`)
  )
]

const byPosition = (one: Row, other: Row): number => (String(one.position) < String(other.position) ? -1 : 1)

/** Returns the same contents of a store as lines. */
const linesOfStore = (rowsOf: RowsOf): ReadonlyArray<string> => {
  const items = (["space", "collection"] as const).flatMap((kind) =>
    rowsOf(`${kind}s`).map((row): Row & { readonly kind: string } => ({ ...row, kind }))
  )
  const siblings = Map.groupBy(items, ({ organization, parent }) => String(parent ?? organization))
  return [
    ...[...siblings].flatMap(([parent, rows]) =>
      rows.toSorted(byPosition).map(({ kind, id, title, organization, deletedAt }, index) => {
        const isRemoved = deletedAt == null ? "" : " in the trash"
        return `${kind} ${String(id)} "${String(title)}" of ${String(organization)} at ${index} in ${parent}${isRemoved}`
      })
    ),
    ...rowsOf("sites").map(
      ({ id, title, visibility, published }) =>
        `site ${String(id)} "${String(title)}" ${String(visibility)} ${String(published)}`
    ),
    ...rowsOf("members").map(
      ({ user, organization, role }) => `member ${String(user)} of ${String(organization)}: ${String(role)}`
    )
  ]
}

/** Creates the oracle of a simulation. */
export const makeModelOracle = (): ModelOracle => {
  const model = new WorkspaceModel(0)
  const answer = (call: SimulatedCall, timeMs: number) => {
    model.now = timeMs
    return rules[call.operation]?.(toModelCall(model, call))
  }
  const difference = (expected: ReturnType<typeof answer>, outcome: CallEnd): string | undefined => {
    const end = endOf(outcome)
    if (expected === undefined || expected.error === "unpredicted" || end === undefined) return undefined
    return end.error === expected.error
      ? undefined
      : `The model predicts ${describe(expected.error)}, and the call ended with ${describe(end.error)}.`
  }
  return {
    compare: (call, outcome, timeMs) => difference(answer(call, timeMs), outcome),
    commit: (call, outcome, timeMs) => {
      const expected = answer(call, timeMs)
      const different = difference(expected, outcome)
      if (different === undefined && outcome.kind === "success") expected?.apply(outcome.value)
      return different
    },
    findDifference: (rowsOf) => {
      const [expected, found] = [new Set(linesOfModel(model)), new Set(linesOfStore(rowsOf))]
      const added = [...found].find((line) => !expected.has(line))
      const missing = [...expected].find((line) => !found.has(line))
      return added === undefined && missing === undefined
        ? undefined
        : `The store has ${added ?? "nothing else"}\n  instead of\n${missing ?? "nothing"}`
    }
  }
}
