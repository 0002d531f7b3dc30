/** A process that holds a program at a breakpoint until somebody kills it. */
import { findEngine } from './find-engine.ts'

const [engine = '', launch = '{}', source = '', line = ''] = process.argv.slice(2)
const session = await findEngine(engine).start(
  { kind: 'launch', stopOnEntry: false, ...JSON.parse(launch) },
  { workspace: source, signal: new AbortController().signal, log: () => {} },
)
session.onEvent((event) => {
  if (event.type === 'stopped') process.stdout.write('stopped\n')
})
await session.setBreakpoints(source, [{ id: 'hold', line: Number(line) }])
await session.run()
setInterval(() => {}, 1000)
