import { type JournalEntry, readJournal, waitFor } from '@switchboard/testkit'

/** What a fixture writes from now on; what it wrote before is somebody else's. */
export async function watchJournal(path: string): Promise<{
  entries(): Promise<JournalEntry[]>
  waitFor(predicate: (entry: JournalEntry) => boolean, what?: string): Promise<JournalEntry>
}> {
  const seen = (await readJournal(path)).length
  const entries = async () => (await readJournal(path)).slice(seen)
  return {
    entries,
    waitFor: (predicate, what = `a journal entry that fits ${predicate.toString()}`) =>
      waitFor(async () => (await entries()).find(predicate), { what, timeout: 20_000 }),
  }
}

/** A call of this tool reached the server. */
export function isCallOf(tool: string): (entry: JournalEntry) => boolean {
  return ({ event, message }) =>
    event === 'message' && message?.method === 'tools/call' && message.params?.name === tool
}

/** The server was told that this call of its is no longer wanted. */
export function isCancelOf(call: JournalEntry): (entry: JournalEntry) => boolean {
  return ({ event, id }) => event === 'cancelled' && id === call.message?.id
}
