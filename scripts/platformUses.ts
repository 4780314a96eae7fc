/**
 * Finds direct uses of the platform in the kernel and in core: time, randomness, timers, WebCrypto, compression and promises. They are reached only through
 * services, which a simulation replaces. Modules of Node, and with them zlib and sockets, are forbidden imports.
 */

interface PlatformUse {
  readonly pattern: RegExp
  /** The service to use instead. */
  readonly instead: string
  /** The files that implement the service, or whose callers use it. */
  readonly permitted: ReadonlyArray<RegExp>
}

const platformUses: ReadonlyArray<PlatformUse> = [
  { pattern: /\bnew Date\(\s*\)|\bDate\.now\b|\bperformance\b/, instead: "Clock", permitted: [] },
  { pattern: /\bMath\.random\b/, instead: "SecureRandom or Random", permitted: [] },
  {
    pattern: /\bset(Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/,
    instead: "Effect.sleep, or Effect.yieldNow",
    permitted: []
  },
  {
    pattern: /\bcrypto\.(subtle|getRandomValues|randomUUID)\b/,
    instead: "SecureRandom or callPlatform",
    permitted: [/^kernel\/security\/sealing\.ts$/]
  },
  {
    pattern: /\b(CompressionStream|DecompressionStream)\b/,
    instead: "callPlatform",
    permitted: [/^formats\/conversion\/writeZip\.ts$/]
  },
  {
    pattern: /from "jose"/,
    instead: "callPlatform",
    permitted: [
      /^core\/features\/saml\/certificate\.ts$/,
      /^core\/features\/organizations\/visitorClaims\.ts$/,
      /^access\/visitors\/verifyVisitor\.ts$/
    ]
  },
  {
    // Functions of a host return promises. A simulation has no host.
    pattern: /\bEffect\.(promise|tryPromise)\b/,
    instead: "callPlatform",
    permitted: [
      /^kernel\/platform\.ts$/,
      /^core\/workspace\/(createWorkspace|hostFunctions|hostTransaction)\.ts$/
    ]
  },
  {
    pattern: /\bglobalThis\.(fetch|WebSocket)\b|\bnew (WebSocket|EventSource|Worker|BroadcastChannel)\b/,
    instead: "Fetcher",
    permitted: []
  }
]

/** Removes comments, in which examples use the platform. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "")

/** Returns the direct uses in a source file, by its package and its path below `src`. */
export const findPlatformUses = (source: string, text: string): ReadonlyArray<string> => {
  const code = withoutComments(text)
  return platformUses.flatMap(({ pattern, instead, permitted }) => {
    const [found] = pattern.exec(code) ?? []
    return found === undefined || permitted.some((file) => file.test(source))
      ? []
      : [`${found.trim()} is a direct use of the platform; use ${instead}`]
  })
}
