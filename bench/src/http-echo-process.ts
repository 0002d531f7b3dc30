/** An echo server that speaks Streamable HTTP, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface HttpEchoServer extends AsyncDisposable {
  readonly url: string
}

export async function startHttpEchoServer(program: string, era: 'legacy' | 'modern'): Promise<HttpEchoServer> {
  const child: ChildProcess = spawn(process.execPath, [program, era], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  if (child.stdout === null) throw new Error('The HTTP echo server has no stdout.')
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  const dispose = async (): Promise<void> => {
    child.stdin?.end()
    await exited
  }
  return { url: String(url), [Symbol.asyncDispose]: dispose }
}
