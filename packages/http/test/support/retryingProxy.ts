/** A proxy that distributes requests to the servers that are ready, as a load balancer does during a rolling upgrade. */
import { setTimeout as sleep } from "node:timers/promises"

/** A request that a server responded to. */
export interface ProxiedResponse {
  readonly status: number
  readonly body: string
  /** The URL of the server. */
  readonly server: string
}

/** How often the readiness of servers is checked, in milliseconds. */
const checkIntervalMs = 50

/** How long a request waits for a server that executes it, in milliseconds: far longer than a start takes. */
const retryTimeoutMs = 60_000

/** Whether an error states that the request was not sent. */
const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED"

/**
 * Creates a proxy. It repeats a request on another server only if it was not executed: the server does not accept the connection, or the
 * response is 503. Any other failure is returned to the client.
 */
export const makeRetryingProxy = () => {
  const servers = new Set<string>()
  const ready = new Set<string>()
  let isOpen = true
  let next = 0

  const checkReadiness = async (server: string): Promise<void> => {
    const response = await fetch(`${server}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok === true && servers.has(server)) ready.add(server)
    else ready.delete(server)
  }
  const checking = (async () => {
    while (isOpen) {
      await Promise.all([...servers].map(checkReadiness))
      await sleep(checkIntervalMs)
    }
  })()

  return {
    add: (server: string): void => {
      servers.add(server)
    },
    /** Resolves when a server is ready. */
    untilReady: async (server: string): Promise<void> => {
      while (!ready.has(server)) await sleep(checkIntervalMs)
    },
    remove: (server: string): void => {
      servers.delete(server)
      ready.delete(server)
    },
    /** Sends a request. Rejects if it may have been executed without a response. */
    send: async (path: string, init: RequestInit): Promise<ProxiedResponse> => {
      const deadline = Date.now() + retryTimeoutMs
      for (;;) {
        const candidates = [...ready]
        const server = candidates[next++ % Math.max(1, candidates.length)]
        if (server !== undefined) {
          try {
            const response = await fetch(server + path, init)
            const body = await response.text()
            if (response.status !== 503) return { status: response.status, body, server }
          } catch (error) {
            if (!isRefused(error)) throw error
          }
        }
        if (Date.now() > deadline) throw new Error(`No server has executed ${init.method} ${path}.`)
        await sleep(checkIntervalMs)
      }
    },
    close: async (): Promise<void> => {
      isOpen = false
      await checking
    }
  }
}
