import type { JsonObject } from '@switchboard/protocol'

export function createManner(name: string): (message: JsonObject) => readonly string[]
