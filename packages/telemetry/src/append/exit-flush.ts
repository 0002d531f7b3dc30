/** One `exit` listener for all writers of the process: a listener each would trip Node's leak warning at eleven. */

export interface ExitFlushable {
  flushSync(): void
}

const open = new Set<ExitFlushable>()

function flushAll(): void {
  for (const writer of open) writer.flushSync()
}

export function registerForExit(writer: ExitFlushable): void {
  if (open.size === 0) process.on('exit', flushAll)
  open.add(writer)
}

export function unregisterForExit(writer: ExitFlushable): void {
  if (open.delete(writer) && open.size === 0) process.off('exit', flushAll)
}
