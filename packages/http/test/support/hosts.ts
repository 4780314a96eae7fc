/** Every way of serving a workspace, for suites that run on all of them. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  type Host,
  type HttpOptions,
  layerHttpRouter,
  serve,
  toNodeListener,
  toWebHandler
} from "@lectern/http"
import { Context, Effect, Exit, Layer, type ManagedRuntime, Scope } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import express from "express"
import fastify from "fastify"
import { onTestFinished } from "vitest"

/** The path that hosts mount the API under. */
export const mountPath = "/docs-api"

/** Sends a request to a path of the API. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A way of serving a workspace. */
export interface HostKind {
  readonly name: string
  /** Whether the API is mounted under {@link mountPath}. */
  readonly isMounted: boolean
  /** Starts the host, which stops when the test has finished. Returns its URL without the mount path. */
  readonly start: (workspace: Host, options: HttpOptions) => Promise<string>
}

const listenWith = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Services = Host["runtime"] extends ManagedRuntime.ManagedRuntime<infer R, infer _> ? R : never

/** Runs an effect in the runtime of a workspace, in a scope that closes when the test has finished. */
const runInScope = async <A, E>(
  { runtime }: Host,
  effect: Effect.Effect<A, E, Services | Scope.Scope>
): Promise<A> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => runtime.runPromise(Scope.close(scope, Exit.void)))
  return runtime.runPromise(Scope.provide(effect, scope))
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/** The hosts with a socket. */
export const socketHosts: ReadonlyArray<HostKind> = [
  {
    name: "serve",
    isMounted: false,
    start: (workspace, options) =>
      runInScope(
        workspace,
        Effect.map(serve(options), ({ port }) => urlOf(port))
      )
  },
  {
    name: "Express",
    isMounted: true,
    start: (workspace, options) => listenWith(express().use(mountPath, toNodeListener(workspace, options)))
  },
  {
    name: "Fastify",
    isMounted: true,
    start: async (workspace, options) => {
      const listener = toNodeListener(workspace, { ...options, prefix: mountPath })
      const app = fastify()
      app.removeAllContentTypeParsers()
      app.addContentTypeParser("*", (_request, _payload, done) => done(null))
      app.all(`${mountPath}/*`, (request, reply) => {
        reply.hijack()
        listener(request.raw, reply.raw)
      })
      onTestFinished(() => app.close())
      return app.listen({ port: 0, host: "127.0.0.1" })
    }
  },
  {
    name: "Effect's HttpRouter",
    isMounted: true,
    start: (workspace, options) =>
      runInScope(
        workspace,
        Effect.gen(function* () {
          const server = NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })
          const host = HttpRouter.serve(layerHttpRouter({ ...options, prefix: mountPath }), {
            disableLogger: true,
            disableListenLog: true
          })
          const services = yield* Layer.build(Layer.provideMerge(host, server))
          const { address } = Context.get(services, HttpServer.HttpServer)
          if (address._tag === "UnixPathAddress") throw new Error("The server listens on a path.")
          return urlOf(address.port)
        })
      )
  }
]

/** A request handler of a host, with the mount path added to paths. */
export const startHost = async (
  { start, isMounted }: HostKind,
  workspace: Host,
  options: HttpOptions = {}
): Promise<Send> => {
  const url = await start(workspace, options)
  return (path, init) => fetch(`${url}${isMounted ? mountPath : ""}${path}`, init)
}

/** Every way of serving: the hosts with a socket, and the web-standard handler. */
export const hosts: ReadonlyArray<{
  readonly name: string
  readonly start: (workspace: Host, options?: HttpOptions) => Promise<Send>
}> = [
  ...socketHosts.map((kind) => ({
    name: kind.name,
    start: (workspace: Host, options?: HttpOptions) => startHost(kind, workspace, options)
  })),
  {
    name: "a web-standard handler",
    start: async (workspace, options = {}) => {
      const handler = toWebHandler(workspace, { ...options, prefix: mountPath })
      return (path, init) => handler(new Request(`http://host${mountPath}${path}`, init))
    }
  }
]
