import { NEVER_ABORTED } from '@switchboard/base'
import type { CommandInput } from '../command-line/command-spec.ts'
import { OptionValues } from '../command-line/option-values.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { openContext } from '../context/open-context.ts'
import { stopDaemon } from '../daemon-process/stop-daemon.ts'
import { makeDemoHome, removeDemoHome } from '../demo/demo-home.ts'
import { DEMO_SERVERS, serveDemo } from '../demo/demo-server.ts'
import { runDemo, type Stage } from '../demo/run-demo.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatDuration } from '../terminal/format.ts'
import { toSafeText } from '../terminal/safe-text.ts'

export async function run(bare: BareContext, { options }: CommandInput): Promise<number> {
  const served = DEMO_SERVERS.find((name) => name === options.text('serve'))
  if (served !== undefined) {
    await serveDemo(served, bare.io)
    return EXIT.ok
  }
  const { SWITCHBOARD_INSTANCE_ID: _window, SWITCHBOARD_CONFIG: _config, ...inherited } = bare.io.env
  const place = await makeDemoHome()
  const env = { ...inherited, SWITCHBOARD_HOME: place.home, SWITCHBOARD_HTTP_PORT: '0' }
  const io = { ...bare.io, env }
  const context = await openContext({ ...bare, io }, new OptionValues(new Map([['home', place.home]])))
  const started = performance.now()
  const { stage, steps } = createStage(bare)
  try {
    await runDemo(context, place, env, stage)
  } finally {
    // Also after Ctrl-C.
    await stopDaemon({ ...context, io: { ...io, signal: NEVER_ABORTED } }, { force: true })
    await context.log.close()
    await removeDemoHome(place)
  }
  const took = formatDuration(performance.now() - started)
  if (bare.isJson) printJson(bare, { ok: true, steps })
  else {
    bare.out.line()
    bare.out.line(
      `That was all of it, in ${took}. Everything is stopped, and its folder is removed; nothing of yours was touched.`,
    )
    bare.out.line('Yours: switchboard init takes over what your clients have, switchboard up runs it.')
  }
  return EXIT.ok
}

interface DemoStep {
  readonly title: string
  readonly lines: string[]
}

function createStage({ out, isJson }: BareContext): { stage: Stage; steps: readonly DemoStep[] } {
  const { style } = out
  const steps: DemoStep[] = []
  const print = (text: string): void => {
    steps.at(-1)?.lines.push(text)
    if (!isJson) for (const line of toSafeText(text).split('\n')) out.line(`   ${line}`)
  }
  const stage: Stage = {
    title(text) {
      steps.push({ title: text, lines: [] })
      if (isJson) return
      if (steps.length > 1) out.line()
      out.line(style.bold(`${steps.length}. ${text}`))
    },
    say: print,
    show(window, asked, answer) {
      print(`${window}> ${asked}`)
      print(answer.replace(/^/gm, '   '))
    },
  }
  return { stage, steps }
}
