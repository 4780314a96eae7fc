/** Measures work in CPU time, which does not depend on what else the machine does. */

/** Runs a function; returns its result, and the CPU time of this process meanwhile, in milliseconds. */
export const withCpuTime = <A>(body: () => A): { readonly value: A; readonly cpuMillis: number } => {
  const before = process.cpuUsage()
  const value = body()
  const { user, system } = process.cpuUsage(before)
  return { value, cpuMillis: (user + system) / 1000 }
}
