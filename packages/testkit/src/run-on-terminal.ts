/** A real terminal for a program, by Python's pty: Node has none. */
import { execFile, spawnSync } from 'node:child_process'

/** Types `steps[i][1]` when `steps[i][0]` has appeared; ends as the program does. */
const ON_A_TERMINAL = `
import fcntl, json, os, pty, struct, sys, termios
rows, columns, steps, command = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    os.execvp(command[0], command)
text, at = b'', 0
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    text += chunk
    while steps and steps[0][0].encode() in text[at:]:
        at = text.index(steps[0][0].encode(), at) + len(steps[0][0].encode())
        os.write(terminal, steps.pop(0)[1].encode())
        os.write(2, b'.')
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

export interface TerminalOptions {
  readonly cwd: string
  /** Beside what is inherited, and what says that it is a terminal without colours. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: 24. */
  readonly rows?: number
  /** Default: 80. */
  readonly columns?: number
  /** Called whenever what a step waits for has appeared, with how many have. */
  onStep?(count: number): void
}

/** What has appeared, and what is typed then. */
export type TerminalStep = readonly [appeared: string, typed: string]

export function hasTerminal(): boolean {
  return spawnSync('python3', ['-c', 'import pty']).status === 0
}

/** Resolves when the program has ended, with all that it showed. */
export function runOnTerminal(
  command: readonly string[],
  steps: readonly TerminalStep[],
  { cwd, env = {}, rows = 24, columns = 80, onStep }: TerminalOptions,
): Promise<{ code: number; text: string }> {
  const args = ['-c', ON_A_TERMINAL, String(rows), String(columns), JSON.stringify(steps), ...command]
  const all = { ...process.env, ...env, TERM: 'xterm-256color', NO_COLOR: '1' }
  return new Promise((resolve) => {
    const { stderr } = execFile('python3', args, { env: all, cwd }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), text: stdout })
    })
    let count = 0
    // The program's own goes to its terminal: this is a dot for every step.
    stderr?.on('data', (dots: string) => {
      for (const _dot of dots.replaceAll(/[^.]/g, '')) onStep?.(++count)
    })
  })
}
