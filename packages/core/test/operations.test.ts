/** Properties of every operation of every service, listed by `Operations`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { OperationDefinition, Operations } from "@lectern/core"
import { isFastRun, runs } from "@lectern/harness"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { compileErrors } from "./support/compileErrors.ts"
import { createTargets, missingTargets, type OpenOperations, openOperations } from "./support/operations.ts"

const testFolder = dirname(fileURLToPath(import.meta.url))

let workspace: OpenOperations
let targets: Awaited<ReturnType<typeof createTargets>>

beforeAll(async () => {
  workspace = await openOperations()
  targets = await createTargets(workspace)
})
afterAll(() => workspace.close())

const serviceOf = ({ name }: OperationDefinition): string => name.slice(0, name.indexOf("."))

/** An operation as a line of a policy file. */
const policyLine = ({ name, kind, parameters, rule }: OperationDefinition): string => {
  const policy =
    rule.kind === "policy"
      ? [
          `policy ${rule.action}, role ${rule.role}`,
          ...(rule.byInput === undefined ? [] : [`by input ${rule.byInput.join(" and ")}`]),
          ...(rule.visitors === undefined ? [] : [`visitors ${rule.visitors}`])
        ].join(", ")
      : `${rule.kind}: ${rule.why}`
  return `${name}  ${kind}(${parameters.join(", ")})  ${policy}`
}

describe("the policy of operations", () => {
  const folder = join(testFolder, "policy")
  const isUpdating = process.env.LECTERN_UPDATE_GOLDEN === "1"
  const hint =
    "The operations differ from packages/core/test/policy. If the change is intended, run " +
    "`LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/core/test/operations.test.ts`, and review the diff."

  it("matches the golden files in test/policy", () => {
    const expected = new Map(
      [...Map.groupBy(workspace.definitions, serviceOf)].map(([service, definitions]) => [
        `${service}.txt`,
        `${definitions.map(policyLine).join("\n")}\n`
      ])
    )
    if (isUpdating) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      for (const [name, text] of expected) writeFileSync(join(folder, name), text)
    }
    const stored = existsSync(folder)
      ? Object.fromEntries(
          readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")])
        )
      : {}
    expect(stored, hint).toEqual(Object.fromEntries(expected))
  })

  it("lists the commands that declare no locks in serializableCommands.txt, each with its reason", () => {
    const path = join(testFolder, "serializableCommands.txt")
    const undeclared = workspace.definitions.filter(
      ({ kind, locks }) => kind === "command" && locks === undefined
    )
    const text = undeclared.map(({ name, serializable }) => `${name}  ${serializable ?? ""}\n`).join("")
    if (isUpdating) writeFileSync(path, text)
    expect(existsSync(path) ? readFileSync(path, "utf8") : "", hint).toBe(text)
    for (const { name, serializable } of undeclared) expect(serializable, name).toBeTypeOf("string")
  })

  it("lists every operation of the services once", () => {
    const names = workspace.definitions.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.toSorted()).toEqual([...workspace.operations.keys()].toSorted())
  })
})

describe("the types of operations", () => {
  type Options = Parameters<Operations["Service"]["query"]>[1]

  it("require an authorization", () => {
    expectTypeOf<Options>().toHaveProperty("authorize")
    expectTypeOf<Omit<Options, "authorize">>().not.toExtend<Options>()
  })

  it.skipIf(isFastRun)("do not compile without `authorize`, and the error names it", () => {
    const program = (options: string) => `import { Operations } from "@lectern/core"
import { Effect, Schema } from "effect"

export const program = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const rule = allow.signedIn("a test")
  return { rule, get: query("Test.get", { ${options} }, function* ({ id }) { return id }) }
})
`
    const errors = compileErrors({
      withRule: program("parameters: { id: Schema.String }, authorize: rule"),
      withoutRule: program("parameters: { id: Schema.String }")
    })
    expect(errors.withRule).toEqual([])
    expect(errors.withoutRule).toHaveLength(1)
    expect(errors.withoutRule[0]).toContain("Property 'authorize' is missing")
  })
})

/** The ids among the parameters, which the span of an operation records. */
const idsOf = (
  { parameters }: OperationDefinition,
  values: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  const ids: Record<string, unknown> = {}
  for (const name of parameters) {
    const value = values[name]
    if (["input", "signature", "email"].includes(name)) continue
    if (typeof value === "string") ids[`lectern.${name}`] = value
    else if (typeof value === "object" && value !== null && "space" in value)
      ids["lectern.space"] = value.space
  }
  for (const name of ["pdf", "archive"]) {
    if (name in values) ids["lectern.revision"] = (values[name] as { readonly revision: string }).revision
  }
  return ids
}

describe("a call of an operation", () => {
  /** Calls an operation, and returns its outcome with the spans and the counts that it adds. */
  const observe = async (
    { spans, call, durations }: OpenOperations,
    user: string | undefined,
    name: string,
    parameters: Readonly<Record<string, unknown>>
  ) => {
    const [from, before] = [spans.length, await durations()]
    const { outcome } = await call(user, name, parameters)
    const counts = (await durations()).filter(
      (one) =>
        one.count !== before.find((o) => o.operation === one.operation && o.outcome === one.outcome)?.count
    )
    return {
      outcome,
      spans: spans
        .slice(from)
        .map((span) => ({ name: span.name, attributes: Object.fromEntries(span.attributes) })),
      counts: counts.map(({ operation, outcome }) => ({ operation, outcome })),
      added:
        (await durations()).reduce((sum, { count }) => sum + count, 0) -
        before.reduce((sum, { count }) => sum + count, 0)
    }
  }

  const expectObserved = async (
    opened: OpenOperations,
    user: string | undefined,
    name: string,
    parameters: Readonly<Record<string, unknown>>,
    expectedOutcome?: string
  ): Promise<string> => {
    const { outcome, spans, counts, added } = await observe(opened, user, name, parameters)
    if (expectedOutcome !== undefined) expect(outcome, name).toBe(expectedOutcome)
    const { definition } = opened.operations.get(name)!
    expect(spans, name).toEqual([
      {
        name,
        attributes: {
          ...(user === undefined ? {} : { "lectern.caller": user }),
          ...idsOf(definition, parameters),
          "lectern.outcome": outcome
        }
      }
    ])
    expect({ counts, added }, name).toEqual({ counts: [{ operation: name, outcome }], added: 1 })
    return outcome
  }

  it("adds one span with the caller, the ids and the outcome, and one duration, for every operation", async () => {
    const outcomes = new Set<string>()
    for (const definition of workspace.definitions) {
      const user = definition.rule.kind === "operator" ? undefined : targets.outsider
      outcomes.add(await expectObserved(workspace, user, definition.name, missingTargets(definition)))
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(["success", "NotFound", "InvalidInput"]))
  })

  it("records success, Forbidden, Conflict and InvalidInput as outcomes", async () => {
    const { owner, outsider, parameters } = targets
    const { organization, space } = parameters as { organization: string; space: string }
    await expectObserved(workspace, owner, "Spaces.get", { space }, "success")
    await expectObserved(
      workspace,
      owner,
      "Content.edit",
      { content: { space }, input: { changes: [{ operation: "insert_page", title: "Otter" }] } },
      "success"
    )
    await expectObserved(workspace, owner, "Spaces.restore", { space }, "Conflict")
    await expectObserved(workspace, owner, "Spaces.update", { space, input: { title: 7 } }, "InvalidInput")
    await workspace.succeed(undefined, "Administration.setMember", {
      organization,
      user: outsider,
      input: { role: "read" }
    })
    await expectObserved(workspace, outsider, "Spaces.update", { space, input: {} }, "Forbidden")
    await workspace.succeed(owner, "Members.remove", { organization, user: outsider })
    await expectObserved(workspace, outsider, "Spaces.update", { space, input: {} }, "NotFound")
  })

  it("adds one span if its transaction is retried", async () => {
    const storage = FaultyStorage.make(MemoryStorage.layer())
    const opened = await openOperations(storage.layer)
    const { owner, parameters } = await createTargets(opened)
    storage.inject(Fault.conflict(Fault.at.verb("insert", "spaces")))
    const { organization } = parameters
    await expectObserved(opened, owner, "Spaces.create", { organization, input: {} }, "success")
    expect(storage.countPendingFaults()).toBe(0)
    storage.inject(Fault.fail(Fault.at.verb("insert", "spaces")))
    await expectObserved(opened, owner, "Spaces.create", { organization, input: {} }, "StorageUnavailable")
    await opened.close()
  })

  it("does not record credentials and e-mail addresses", async () => {
    const from = workspace.spans.length
    await workspace.call(undefined, "Administration.findUser", { email: "secret-value" })
    for (const name of ["Content.download", "Pdfs.download"]) {
      const { definition } = workspace.operations.get(name)!
      await workspace.call(undefined, name, { ...missingTargets(definition), signature: "secret-value" })
    }
    const recorded = workspace.spans.slice(from).flatMap(({ attributes }) => [...attributes.values()])
    expect(workspace.spans.length - from).toBe(3)
    expect(recorded).not.toContain("secret-value")
  })
})

/** Values that no operation accepts as its input. Inputs are objects; `undefined` and `null` count as empty objects. */
const invalidInput = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.bigInt())

describe("a call with an invalid input", () => {
  const withInput = () =>
    workspace.definitions.filter(
      ({ rule, parameters }) =>
        rule.kind === "policy" && parameters.includes("input") && parameters.length > 1
    )

  /** Values for the parameters of an operation, with the ids of existing resources where the scene has them. */
  const visibleTargets = (definition: OperationDefinition) => ({
    ...missingTargets(definition),
    ...Object.fromEntries(
      definition.parameters
        .filter((name) => name in targets.parameters)
        .map((name) => [name, targets.parameters[name]])
    )
  })

  it("fails with NotFound if the caller cannot see the target", async () => {
    const calls = fc.record({ operation: fc.constantFrom(...withInput()), input: invalidInput })
    await fc.assert(
      fc.asyncProperty(calls, async ({ operation, input }) => {
        const parameters = { ...visibleTargets(operation), input }
        const { outcome } = await workspace.call(targets.outsider, operation.name, parameters)
        expect(outcome, operation.name).toBe("NotFound")
      }),
      runs(500)
    )
  })

  it("fails with NotFound if the target does not exist", async () => {
    const calls = fc.record({ operation: fc.constantFrom(...withInput()), input: invalidInput })
    await fc.assert(
      fc.asyncProperty(calls, async ({ operation, input }) => {
        const parameters = { ...missingTargets(operation), input }
        const { outcome } = await workspace.call(targets.owner, operation.name, parameters)
        expect(outcome, operation.name).toBe("NotFound")
      }),
      runs(500)
    )
  })

  it("fails with InvalidInput if the caller can change the target, for every operation", async () => {
    const outcomes = new Map<string, string>()
    for (const operation of withInput()) {
      const [input] = fc.sample(invalidInput, 1)
      const { outcome } = await workspace.call(targets.owner, operation.name, {
        ...visibleTargets(operation),
        input
      })
      outcomes.set(operation.name, outcome)
    }
    expect([...outcomes].filter(([, outcome]) => outcome !== "InvalidInput")).toEqual([])
  })

  it("fails with InvalidInput, not Conflict, if the target is deleted", async () => {
    const { organization } = targets.parameters
    const { id: space } = await workspace.succeed(targets.owner, "Spaces.create", { organization, input: {} })
    await workspace.succeed(targets.owner, "Spaces.remove", { space })
    const update = (input: unknown) => workspace.call(targets.owner, "Spaces.update", { space, input })
    expect((await update({ title: 7 })).outcome).toBe("InvalidInput")
    expect((await update({ title: "Otter" })).outcome).toBe("Conflict")
  })

  it("fails with InvalidInput if an id is invalid, because authorization is not possible", async () => {
    for (const operation of withInput()) {
      const ids = Object.fromEntries(operation.parameters.map((name) => [name, 7]))
      const { outcome } = await workspace.call(targets.outsider, operation.name, ids)
      expect(outcome, operation.name).toBe("InvalidInput")
    }
  })
})
