/** What a person may say about the debugger. */
import { booleanType, choiceType, durationType, field, integerType, packSection } from '@switchboard/config'

export const config = packSection({
  title: 'The debugger',
  doc: 'The debugger ([debug-tools.md](debug-tools.md)); see below.',
  enabled: 'Whether agents have the debugger. Until one of them debugs, it costs nothing but its place in the list.',
  fields: {
    showSecrets: field(booleanType, {
      fallback: false,
      written: false,
      doc: 'Show values of a program that look like passwords, tokens or keys. An agent cannot change it.',
    }),
    backend: field(choiceType(['headless', 'vscode']), {
      fallback: 'headless',
      written: 'headless',
      doc: 'What debugs where an agent does not say it: `headless`, or the debuggers of the VS Code window that it belongs to.',
    }),
    maxSessions: field(integerType(1, 64), {
      fallback: 8,
      written: 8,
      unit: 'sessions',
      doc: 'How many programs one agent may debug at once; what they start themselves is not counted.',
    }),
    idleTimeout: field(durationType, {
      fallback: 1_800_000,
      written: '30m',
      unit: 'ms',
      doc: 'A session that no call was about for so long is ended, with its program.',
    }),
  },
})
