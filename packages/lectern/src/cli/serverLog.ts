/** The log of the server: asynchronous and in batches, in the format of the command's logger. */
import { Console as NodeConsole } from "node:console"
import { Writable } from "node:stream"
import { type LoggedRequest, RequestLog } from "@lectern/http/server"
import { Console, Effect, Layer } from "effect"
import { type BatchedOutput, makeBatchedOutput } from "./BatchedOutput.ts"

const standardOutput = 1

const writableOf = (output: BatchedOutput) =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      output.write(String(chunk))
      done()
    }
  })

/** Returns the log of requests as JSON, one object per line, in the shape of `Logger.consoleJson`. */
const jsonRequestLog =
  (output: BatchedOutput): ((request: LoggedRequest) => void) =>
  (request) =>
    output.write(
      `${JSON.stringify({
        message: "request",
        level: "INFO",
        timestamp: new Date().toISOString(),
        annotations: request,
        spans: {}
      })}\n`
    )

/**
 * Replaces the console of the server, and with the format `json` the log of requests. Everything is written when the layer
 * is released. `exportsLogs` is whether the log, which includes requests, is exported to a collector too.
 */
export const serverLogLayer = (format: "pretty" | "json", exportsLogs: boolean): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => makeBatchedOutput(standardOutput)),
        (output) => Effect.promise(output.close)
      ),
      (output) => {
        const console = new NodeConsole({
          stdout: writableOf(output),
          stderr: process.stderr,
          colorMode: process.stdout.isTTY === true
        })
        return Layer.merge(
          Layer.succeed(Console.Console, console),
          // The exporter receives only entries that are logged through Effect.
          format === "json" && !exportsLogs ? Layer.succeed(RequestLog, jsonRequestLog(output)) : Layer.empty
        )
      }
    )
  )
