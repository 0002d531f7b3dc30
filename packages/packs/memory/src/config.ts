/** What a person may say about the memory: `packs.memory` in the configuration. */
import { booleanType, field, integerType, type PackValues, packSection } from '@switchboard/config'
import { encoderType } from './encoders/encoder-config.ts'

export const config = packSection({
  title: 'The memory',
  doc: 'What agents remember ([memory-tools.md](memory-tools.md)); see below.',
  enabled: 'Whether agents have the memory. What is stored stays where it is when it is switched off.',
  fields: {
    encoder: field(encoderType, {
      doc: 'What turns texts into vectors, so that search finds what means the same ([memory-encoders.md](memory-encoders.md)); absent: search goes by words alone.',
      examples: [{ kind: 'ollama', model: 'nomic-embed-text' }],
    }),
    seenBefore: field(booleanType, {
      fallback: true,
      written: true,
      doc: 'Add a line to an error that an agent meets, in the debugger or from a server, where a stored remediation surely fits it.',
    }),
    retention: field(integerType(0, 36_500), {
      fallback: 0,
      written: 0,
      unit: 'days',
      doc: 'Delete checkpoints, and counts of calls, that are older. 0: nothing is ever deleted by itself.',
    }),
  },
})

export type Config = PackValues<typeof config>
