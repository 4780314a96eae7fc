#!/usr/bin/env node
/** The `lectern` command. */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { Command } from "effect/cli"
import { init, migrate } from "./database.ts"
import { doctor } from "./doctor.ts"
import { jobs } from "./jobs.ts"
import { organization, user } from "./people.ts"
import { reindex } from "./reindex.ts"
import { serve } from "./serve.ts"
import { token } from "./token.ts"

const lectern = Command.make("lectern").pipe(
  Command.withDescription("Lectern: a documentation workspace, its server and its tools."),
  Command.withSubcommands([serve, init, migrate, organization, user, token, jobs, reindex, doctor])
)

/** What a person can mend is said in one line; nobody is helped by the stack of it. */
const inOneLine = (error: { readonly _tag: string; readonly message?: string }) =>
  Effect.sync(() => {
    process.stderr.write(
      `lectern: ${error.message === undefined || error.message === "" ? error._tag : error.message}\n`
    )
    process.exitCode = 1
  })

Command.run(lectern, { version: "0.1.0" }).pipe(
  Effect.catchTag(
    ["BadSetting", "CannotListen", "InvalidInput", "Conflict", "NotFound", "StorageUnavailable"],
    inOneLine
  ),
  Effect.provide(NodeServices.layer),
  // Being told to stop is how a server ends well.
  NodeRuntime.runMain({
    teardown: (exit, onExit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? // A command that has not done what it is for says so beforehand.
          onExit(Number(process.exitCode ?? 0))
        : Runtime.defaultTeardown(exit, onExit)
  })
)
