/**
 * The monotonic clock that all processes of a machine share, in milliseconds: `performance.now()` counts from the start of each
 * of them. What one process measures another can put beside its own.
 */
export function machineTime(at: number = performance.now()): number {
  return at + Number(process.hrtime.bigint()) / 1e6 - performance.now()
}
