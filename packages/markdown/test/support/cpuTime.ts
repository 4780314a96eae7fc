/** Measures CPU time, which does not depend on other processes of the machine. */

/** Runs a function. Returns its result, and the CPU time of this process during the call, in milliseconds. */
export const withCpuTime = <A>(body: () => A): { readonly value: A; readonly cpuMillis: number } => {
  const before = process.cpuUsage()
  const value = body()
  const { user, system } = process.cpuUsage(before)
  return { value, cpuMillis: (user + system) / 1000 }
}
