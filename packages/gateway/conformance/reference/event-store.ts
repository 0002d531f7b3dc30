import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server'

/** Keeps every event of a session for as long as the session lives: the suite's sessions are short. */
export class MemoryEventStore implements EventStore {
  readonly #events: { readonly stream: StreamId; readonly message: JSONRPCMessage }[] = []

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    return String(this.#events.push({ stream, message }) - 1)
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return this.#events[Number(id)]?.stream
  }

  async replayEventsAfter(
    lastId: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const stream = this.#events[Number(lastId)]?.stream ?? ''
    for (const [index, event] of this.#events.entries()) {
      // A priming event is stored as an empty object: there is nothing in it to replay.
      const isMessage = Object.keys(event.message).length > 0
      if (index > Number(lastId) && event.stream === stream && isMessage) await send(String(index), event.message)
    }
    return stream
  }
}
