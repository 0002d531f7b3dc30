/** Modes as their tools see them. */
import type { ModesService } from '@switchboard/pack-switchboard'
import type { Modes } from './modes.ts'
import { readInstructions } from './read-instructions.ts'

export function createModesService(modes: Modes): ModesService {
  return {
    list: () => modes.list(),
    forHttp: () => modes.modeForHttp,
    async rules(name, workspace) {
      const config = modes.config(name)
      const writable = modes.writableRoots(name, workspace)
      return {
        ...modes.summarize(name),
        instructions: await readInstructions(name, config),
        tools: config.tools,
        ...(writable === undefined ? {} : { writable }),
      }
    },
    read: (instance) => modes.read(instance),
    set: (instance, name, by) => modes.set(instance, name, by),
    onDidReconfigure: (listener) => modes.onDidReconfigure(listener),
  }
}
