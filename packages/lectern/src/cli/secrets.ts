/** `lectern secrets`: which secrets encrypt the stored values, and their re-encryption with the current secret. */
import { type SecretCounts, Secrets } from "@lectern/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { jsonFlag, printResult } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

/** The exit code if a configured secret does not decrypt all values. */
const unreadableExitCode = 3

const formatCounts = (counts: ReadonlyArray<SecretCounts>, formerLabel: string): ReadonlyArray<string> =>
  counts
    .filter(({ current, former, unreadable }) => current + former + unreadable > 0)
    .map(
      ({ table, current, former, unreadable }) =>
        `${table}  current ${current}  ${formerLabel} ${former}  unreadable ${unreadable}`
    )

const sum = (counts: ReadonlyArray<SecretCounts>, name: "former" | "unreadable"): number =>
  counts.reduce((total, count) => total + count[name], 0)

const setExitCode = (counts: ReadonlyArray<SecretCounts>) =>
  Effect.sync(() => {
    if (sum(counts, "unreadable") > 0) process.exitCode = unreadableExitCode
  })

const status = Command.make(
  "status",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { count, isGenerated } = yield* Secrets
      const counts = yield* count
      yield* printResult(
        flags.json,
        { isGenerated, tables: counts },
        [
          ...(isGenerated ? ["The secret is generated, and stored in the database."] : []),
          ...formatCounts(counts, "former"),
          sum(counts, "former") === 0
            ? "The current secret encrypts all values that can be decrypted."
            : "Former secrets are required, or values are not encrypted. Run `lectern secrets rotate`."
        ].join("\n")
      )
      yield* setExitCode(counts)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription(
    "Count the encrypted values of each table, by whether the current secret, a former one or none decrypts them. Exit codes: 0; 3 if values cannot be decrypted."
  ),
  Command.withExamples([
    { command: "lectern secrets status", description: "Print whether former secrets are still required" }
  ])
)

const rotate = Command.make(
  "rotate",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const counts = yield* (yield* Secrets).rotate
      yield* printResult(
        flags.json,
        { tables: counts },
        [
          ...formatCounts(counts, "re-encrypted"),
          `Re-encrypted ${sum(counts, "former")} values with the current secret.`
        ].join("\n")
      )
      yield* setExitCode(counts)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription(
    "Encrypt all stored secrets with the current secret, while servers run. Exit codes: 0; 3 if values cannot be decrypted, which are unchanged."
  ),
  Command.withExamples([
    {
      command: "LECTERN_SECRETS=2:<new>,1:<old> lectern secrets rotate",
      description: "Replace the secret 1 by the secret 2"
    }
  ])
)

/** The command with its subcommands. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Rotate the secret of the workspace."),
  Command.withSubcommands([status, rotate])
)

/** Warns if the secret is stored in the database that it protects. */
export const warnOfGeneratedSecret: Effect.Effect<void, never, Secrets> = Effect.flatMap(
  Secrets,
  ({ isGenerated }) =>
    isGenerated
      ? Effect.logWarning(
          "The secret that signs URLs and encrypts stored secrets is stored in the database, so every backup contains it. Set LECTERN_SECRET, then run `lectern secrets rotate`."
        )
      : Effect.void
)
