/** A TCP proxy to the server of a test, which loses packets or behaves like a pooler in transaction mode. */
import { connect, createServer, type Socket } from "node:net"
import { onTestFinished } from "vitest"

/** A running proxy. */
export interface ServerProxy {
  /** The connection string through the proxy. */
  readonly url: string
  /** Stops forwarding on the open connections, without closing them. New connections are forwarded. */
  readonly freeze: () => void
  /** The number of connections that were opened. */
  readonly countConnections: () => number
  /** Forwards new connections to another server. Existing ones remain. */
  readonly retarget: (url: string) => void
  /** Closes all connections. */
  readonly disconnect: () => void
}

/** Transforms the bytes that the client, or the server, sends on a connection. */
type Transform = (chunk: Buffer) => Buffer

const unchanged: Transform = (chunk) => chunk

/** Starts a proxy to the server of a connection string, until the test ends. */
export const startProxy = async (
  url: string,
  transforms: () => { readonly client: Transform; readonly server: Transform } = () => ({
    client: unchanged,
    server: unchanged
  })
): Promise<ServerProxy> => {
  let target = new URL(url)
  const open = new Set<{ readonly sockets: ReadonlyArray<Socket>; isFrozen: boolean }>()
  let count = 0
  const server = createServer((client) => {
    count++
    const { client: fromClient, server: fromServer } = transforms()
    const upstream = connect(Number(target.port), target.hostname)
    const pair = { sockets: [client, upstream], isFrozen: false }
    open.add(pair)
    const forward = (from: Socket, to: Socket, transform: Transform) => {
      from.on("data", (chunk: Buffer) => {
        const bytes = transform(chunk)
        if (!pair.isFrozen) to.write(bytes)
      })
      from.on("error", () => to.destroy())
      from.on("close", () => !pair.isFrozen && to.end())
    }
    forward(client, upstream, fromClient)
    forward(upstream, client, fromServer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    for (const { sockets } of open) for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const proxied = new URL(url)
  proxied.port = String(typeof address === "object" && address !== null ? address.port : 0)
  return {
    url: proxied.toString(),
    freeze: () => {
      for (const pair of open) pair.isFrozen = true
    },
    countConnections: () => count,
    disconnect: () => {
      for (const { sockets } of open) for (const socket of sockets) socket.destroy()
      open.clear()
    },
    retarget: (other) => {
      target = new URL(other)
    }
  }
}

/** The types of the messages that the fake pooler changes: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const messageTypes = { parse: 0x50, bind: 0x42, sync: 0x53, backendKeyData: 0x4b } as const

/** Splits a stream into messages, and passes each to `change`. The first message of a client has no type. */
const perMessage = (hasStartup: boolean, change: (message: Buffer, type: number) => void): Transform => {
  let rest = Buffer.alloc(0)
  let isStartup = hasStartup
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const complete: Array<Buffer> = []
    for (;;) {
      const header = isStartup ? 0 : 1
      if (rest.length < header + 4) break
      const length = header + rest.readInt32BE(header)
      if (rest.length < length) break
      const message = Buffer.from(rest.subarray(0, length))
      rest = rest.subarray(length)
      if (!isStartup) change(message, message[0]!)
      isStartup = false
      complete.push(message)
    }
    return Buffer.concat(complete)
  }
}

/**
 * Behaves like a pooler in transaction mode without support for prepared statements, in the worst case: every batch of
 * messages is executed by another session, in which the statements that were prepared before do not exist.
 */
export const startFakePooler = (url: string): Promise<ServerProxy> =>
  startProxy(url, () => {
    const prepared = new Set<string>()
    const nameAt = (message: Buffer, start: number) =>
      message.toString("latin1", start, message.indexOf(0, start))
    return {
      client: perMessage(true, (message, type) => {
        if (type === messageTypes.parse) prepared.add(nameAt(message, 5))
        if (type === messageTypes.sync) prepared.clear()
        if (type !== messageTypes.bind) return
        const statementAt = message.indexOf(0, 5) + 1
        const name = nameAt(message, statementAt)
        // The other session does not have a statement of this name.
        if (name !== "" && !prepared.has(name)) message[statementAt] = "?".charCodeAt(0)
      }),
      server: perMessage(false, (message, type) => {
        if (type === messageTypes.backendKeyData) message.writeInt32BE(message.readInt32BE(5) ^ 1, 5)
      })
    }
  })
