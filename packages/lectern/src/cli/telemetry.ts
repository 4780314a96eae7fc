/**
 * Exports traces, metrics and logs to an OpenTelemetry collector, as the standard environment variables `OTEL_*` configure.
 * The exporters are loaded only if one of these variables enables them.
 */

import { makeMetricsCollector } from "@lectern/http/server"
import { Config, ConfigProvider, Effect, Layer, Option, References } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"

/** How often the metrics that require queries are updated for the exporter. */
const collectionInterval = "10 seconds"

const signals = ["TRACES", "METRICS", "LOGS"] as const

/** A kind of telemetry, as in the names of environment variables. */
type Signal = (typeof signals)[number]

/** The telemetry that the environment variables select. */
export interface Telemetry {
  /** Exports the selected signals until its scope closes. */
  readonly layer: Layer.Layer<never>
  /** Whether metrics are exported. */
  readonly exportsMetrics: boolean
  /** Whether logs are exported. */
  readonly exportsLogs: boolean
}

const readVariable = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (value) => {
    const text = Option.getOrUndefined(value)?.trim()
    return text === "" ? undefined : text
  })

/** Whether a signal is exported. With an endpoint, the exporter is `otlp` unless another one is set. */
const isExported = Effect.fnUntraced(function* (
  signal: Signal
): Effect.fn.Return<boolean, ConfigurationError> {
  const name = `OTEL_${signal}_EXPORTER`
  const exporter = yield* readVariable(name)
  if (exporter !== undefined && exporter !== "otlp" && exporter !== "none") {
    return yield* new ConfigurationError({ message: `${name} must be otlp or none. It is "${exporter}".` })
  }
  const endpoint =
    (yield* readVariable(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)) ??
    (yield* readVariable("OTEL_EXPORTER_OTLP_ENDPOINT"))
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    return yield* new ConfigurationError({
      message: `The endpoint of OpenTelemetry must be an http or https URL. It is "${endpoint}".`
    })
  }
  return endpoint !== undefined && exporter !== "none"
})

/** Returns the protocol of the exporters. gRPC is not supported. */
const readProtocol = Effect.gen(function* () {
  const name = "OTEL_EXPORTER_OTLP_PROTOCOL"
  const protocol = (yield* readVariable(name)) ?? "http/protobuf"
  if (protocol === "http/protobuf" || protocol === "http/json") return protocol
  return yield* new ConfigurationError({
    message: `${name} must be http/protobuf or http/json. It is "${protocol}".`
  })
})

const otlpLayer = (
  exported: ReadonlySet<Signal>,
  protocol: "http/protobuf" | "http/json",
  defaults: Readonly<Record<string, string>>
): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.promise(async () => {
      const [{ Otlp, OtlpSerialization }, FetchHttpClient] = await Promise.all([
        import("effect/observability"),
        import("effect/http/FetchHttpClient")
      ])
      const config = Layer.effect(
        ConfigProvider.ConfigProvider,
        Effect.map(ConfigProvider.ConfigProvider, (current) =>
          ConfigProvider.orElse(current, ConfigProvider.fromEnv({ env: defaults }))
        )
      )
      const exporters = Otlp.layerFromConfig().pipe(
        Layer.provide([
          protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
          FetchHttpClient.layer
        ]),
        Layer.provide(config)
      )
      return Layer.merge(exporters, Layer.succeed(References.TracerEnabled, exported.has("TRACES")))
    })
  ) as Layer.Layer<never>

/** Reads the environment variables. Fails with `ConfigurationError` if one is not valid or not supported. */
export const readTelemetry: Effect.Effect<Telemetry, ConfigurationError> = Effect.gen(function* () {
  const none: Telemetry = { layer: Layer.empty, exportsMetrics: false, exportsLogs: false }
  if ((yield* readVariable("OTEL_SDK_DISABLED")) === "true") return none
  const exported = new Set<Signal>()
  for (const signal of signals) if (yield* isExported(signal)) exported.add(signal)
  if (exported.size === 0) return none
  const protocol = yield* readProtocol
  const attributes = (yield* readVariable("OTEL_RESOURCE_ATTRIBUTES")) ?? ""
  const defaults = {
    ...Object.fromEntries([...exported].map((signal) => [`OTEL_${signal}_EXPORTER`, "otlp"])),
    // An attribute that is set takes precedence.
    ...(/(^|,)\s*service\.name\s*=/.test(attributes) ? {} : { OTEL_SERVICE_NAME: "lectern" })
  }
  return {
    layer: otlpLayer(exported, protocol, defaults),
    exportsMetrics: exported.has("METRICS"),
    exportsLogs: exported.has("LOGS")
  }
})

/** Updates the metrics for the exporter until it is interrupted. */
export const collectRepeatedly = Effect.flatMap(makeMetricsCollector, (collect) =>
  Effect.forever(Effect.andThen(collect, Effect.sleep(collectionInterval)))
)
