/** The time of day as the person's clock has it; the whole time, in UTC as it is logged, stands in the tooltips. */
export function formatTime(timestamp: string): string {
  // Swedish is the one that writes 08:00:01 for it.
  return new Date(timestamp).toLocaleTimeString('sv')
}
