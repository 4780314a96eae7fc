<<<<<<< HEAD
/** Measures CPU time, which does not depend on other processes of the machine. */

/** Runs a function. Returns its result, and the CPU time of this process during the call, in milliseconds. */
=======
/** Measures CPU time, which does not depend on the load of the machine. */

/** Runs a function. Returns its result and its CPU time in milliseconds. */
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
export const withCpuTime = <A>(body: () => A): { readonly value: A; readonly cpuMillis: number } => {
  const before = process.cpuUsage()
  const value = body()
  const { user, system } = process.cpuUsage(before)
  return { value, cpuMillis: (user + system) / 1000 }
}
